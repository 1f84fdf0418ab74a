import { type RunEvent, toolCallsOf } from "@kumiko/plugin-api";
import type { Answer, Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { Settings } from "../checkCommandLine.ts";
import { exitCodes } from "../exitCodes.ts";
import { messageOf } from "../messageOf.ts";
import { oneLine, printable } from "../printable.ts";
import { shortFolder } from "../sessions/words.ts";
import type { ModelFailed } from "../waitWords.ts";
import type { Asked } from "./Asked.ts";
import { proseRows, shownText } from "./columns.ts";
import { wholeCall } from "./callWords.ts";
import type { Engine, Playing, Said } from "./Engine.ts";
import type { Face } from "./Face.ts";
import { addSpent, nothingSpent, type Spent } from "./LiveRows.ts";
import { type LineFormat, RunLines } from "./RunLines.ts";
import { runSlashCommand } from "./slashCommands.ts";

type Job =
  | { readonly type: "prompt"; readonly text: string }
  | { readonly type: "shell"; readonly command: string }
  | { readonly type: "command"; readonly text: string }
  | { readonly type: "resume" };

export type Choice = "once" | "session" | "always" | "no";

/** A question that waits for its answer. */
export interface OpenQuestion {
  readonly asked: Asked;
  readonly shownAt: number;
  readonly answer: (answer: Answer) => void;
}

/** Pressed again within this, Ctrl-C quits. */
const againMillis = 1_000;

/**
 * A conversation at a terminal, whatever it looks like: what is typed becomes prompts, messages on the way, follow-ups,
 * commands and answers, one after another. Knows no keys and no screen.
 */
export class Talk {
  readonly lines: RunLines;
  readonly format: LineFormat;
  settings: Settings;
  question: OpenQuestion | undefined;
  spent: Spent = nothingSpent;
  /** Messages for the run under way that it has not been given yet. */
  #steers: Array<string> = [];
  #jobs: Array<Job> = [];
  #isWorking = false;
  #isPlaying = false;
  #asking: Promise<unknown> = Promise.resolve();
  #interruptedAt = Number.NEGATIVE_INFINITY;
  #engine: Promise<Engine> | undefined;
  #face: Face | undefined;
  #hasPlayed = false;
  #notice: string | undefined;
  #end: (code: number) => void = () => {};
  #isOver = false;
  /** The last model call, if it failed. */
  #failure: ModelFailed | undefined;
  /** Settles with the exit code. */
  readonly over: Promise<number> = new Promise((resolve) => (this.#end = resolve));

  constructor(settings: Settings, format: LineFormat) {
    this.settings = settings;
    this.format = format;
    this.lines = new RunLines(format);
  }

  attach(face: Face): void {
    this.#face = face;
  }

  get face(): Face {
    if (this.#face === undefined) throw new Error("line mode has no face yet");
    return this.#face;
  }

  get isRunning(): boolean {
    return this.#isPlaying;
  }

  get hasPlayed(): boolean {
    return this.#hasPlayed;
  }

  get notice(): string | undefined {
    return this.#notice;
  }

  /** What waits in line, in words, the next first. */
  get queue(): ReadonlyArray<string> {
    return [
      ...this.#steers.map((text) => `→ with the next step: ${oneLine(text, 200)}`),
      ...this.#jobs.map((job) => `↳ afterwards: ${oneLine(wordsOf(job), 200)}`),
    ];
  }

  get about(): string {
    const { mode, models, session } = this.settings;
    const [{ id, isRehearsal }] = models;
    return `${isRehearsal === true ? "rehearsal, no model" : id} · ${mode} mode${session.type === "memory" ? " · not kept" : ""}`;
  }

  print(lines: ReadonlyArray<string>): void {
    if (lines.length > 0) this.face.print(lines);
  }

  /** Says something on the side. */
  note(text: string): void {
    this.print(this.lines.note(text));
  }

  /** Says something that was asked for. */
  say(text: string): void {
    const { columns, isPlain } = this.format;
    const lines = printable(text).split("\n");
    this.print(isPlain ? lines : lines.flatMap((line) => proseRows(line, columns())));
  }

  /** A word in the status line, until something else happens. */
  tell(notice: string | undefined): void {
    this.#notice = notice;
    this.face.refresh();
  }

  /** Takes what was written: a command, a shell command, a message for the run under way, or a prompt. */
  submit(text: string): void {
    const said = text.trim();
    this.tell(undefined);
    if (said === "") return;
    if (said.startsWith("/") && !said.startsWith("//") && /^\/[\w?-]*(?:\s|$)/.test(said)) return this.#command(said);
    if (said.startsWith("!")) return this.#add({ type: "shell", command: said.slice(1).trim() });
    // What is said behind a command that waits is meant for after it.
    const isBehind = this.#jobs.some(({ type }) => type === "command");
    if (!this.#isPlaying || isBehind) return this.#add({ type: "prompt", text });
    this.#steers.push(text);
    // Between two calls of the model it is handed over at once; while one is under way it can still be taken back.
    const activity = this.lines.run?.activity;
    if (activity === "calling" || activity === "asking") void this.#giveSteers();
    this.face.refresh();
  }

  /** A prompt for after all that is under way and in line. */
  followUp(text: string): void {
    if (text.trim() !== "") this.#add({ type: "prompt", text });
  }

  /** Takes the last thing in line back; undefined: nothing is in line. */
  takeBack(): string | undefined {
    const job = this.#jobs.pop();
    const text = job === undefined ? this.#steers.pop() : wordsOf(job);
    this.face.refresh();
    return text;
  }

  /** Ctrl-C where nothing is written: ends the run under way; again within a second, or where nothing runs, quits. */
  interrupt(): void {
    const now = performance.now();
    const isAgain = now - this.#interruptedAt < againMillis;
    this.#interruptedAt = now;
    if (isAgain) return this.quit(exitCodes.interrupted);
    if (!this.#isPlaying) return this.tell("Ctrl-C again quits; so does Ctrl-D");
    // What waits in line was thought of before: whoever stops the run decides anew.
    const left = [...this.#steers, ...this.#jobs.map(wordsOf)];
    this.#steers = [];
    this.#jobs = [];
    if (left.length > 0) this.note(`not sent: ${left.map((text) => oneLine(text, 100)).join("; ")}`);
    this.question = undefined;
    this.tell("stopping …");
    void this.#engine?.then((engine) => engine.cancel("the user pressed Ctrl-C"));
  }

  /** Shows the last call in full. */
  expand(): void {
    const call = this.lines.lastCall;
    if (call === undefined) return this.tell("there is no call to show yet");
    this.print(["", ...wholeCall(call)]);
  }

  quit(code: number): void {
    // Whoever presses once more while it ends in good order wants out.
    if (this.#isOver && code === exitCodes.interrupted) process.exit(code);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#jobs = [];
    void (async () => {
      const engine = await this.#engine;
      await engine?.cancel("kumiko was quit");
      await engine?.release();
    })()
      .catch((error: unknown) => process.stderr.write(`kumiko: ${printable(messageOf(error))}\n`))
      .finally(() => this.#end(code));
  }

  /** Goes on with what the session left unfinished. */
  resume(): void {
    this.#add({ type: "resume" });
  }

  /** Leaves the session, and what was allowed for it. */
  async leave(): Promise<void> {
    await (await this.#engine)?.leave();
  }

  /** Gives the session back, so that something else may write it. */
  async release(): Promise<void> {
    await (await this.#engine)?.release();
  }

  engine(): Promise<Engine> {
    return (this.#engine ??= import("./Engine.ts").then(({ Engine: Made }) => new Made()));
  }

  playing(): Playing {
    return { settings: this.settings, ask: (question, signal) => this.#ask(question, signal) };
  }

  /** Answers the open question. What was said is shown. */
  async choose(choice: Choice, reason?: string): Promise<void> {
    const open = this.question;
    if (open === undefined) return;
    const { rules } = open.asked;
    if ((choice === "session" || choice === "always") && rules.length === 0)
      return this.tell("no rule can be offered for this call: y allows it once");
    if (choice === "always") {
      try {
        const { allowInFolder } = await import("../config/changeConfig.ts");
        const file = await Effect.runPromise(allowInFolder(this.settings.cwd, rules));
        this.settings = { ...this.settings, allow: [...this.settings.allow, ...rules] };
        this.note(
          `allowed from now on in ${shortFolder(this.settings.cwd, 60)}: ${rules.join(", ")} (in ${shortFolder(file, 60)})`,
        );
      } catch (error) {
        return this.note(`the rule is not written: ${messageOf(error)}`);
      }
    }
    if (choice === "session") this.note(`allowed for this session: ${rules.join(", ")}`);
    if (choice === "session" || choice === "always") (await this.engine()).grants.allow(rules);
    if (choice === "once") this.note("allowed, once");
    if (choice === "no") this.note(reason === undefined ? "refused" : `refused, because ${reason}`);
    if (this.question !== open) return;
    this.question = undefined;
    open.answer(choice === "no" ? { type: "deny", ...(reason === undefined ? {} : { reason }) } : { type: "approve" });
    this.face.refresh();
  }

  #add(job: Job): void {
    this.#jobs.push(job);
    this.face.refresh();
    void this.#work();
  }

  // What only looks is answered at once; what changes something waits for the run.
  #command(text: string): void {
    if (!this.#isPlaying || /^\/(?:help|todo|cost|permissions|expand|quit|exit|later)\b/.test(text))
      void this.#runCommand(text).catch((error: unknown) => this.note(messageOf(error)));
    else this.#add({ type: "command", text });
  }

  async #runCommand(text: string): Promise<void> {
    this.print(["", this.format.style.bold(`> ${oneLine(text, 500)}`)]);
    await runSlashCommand(this, text);
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      for (;;) {
        const job = this.#jobs.shift();
        if (job === undefined || this.#isOver) return;
        await this.#do(job);
      }
    } finally {
      this.#isWorking = false;
      this.face.refresh();
    }
  }

  async #do(job: Job): Promise<void> {
    try {
      if (job.type === "command") {
        return await this.#runCommand(job.text);
      }
      await this.#play(job);
    } catch (error) {
      // Whoever quits ends what is under way.
      if (this.#isOver) return;
      const { refusalOf } = await import("./Engine.ts");
      this.note(refusalOf(error));
    } finally {
      this.#isPlaying = false;
      this.lines.isShell = false;
      this.#notice = undefined;
      // The run was over before it heard of them: they are what comes next.
      const late = this.#steers.splice(0).map((text): Job => ({ type: "prompt", text }));
      this.#jobs.unshift(...late);
      this.face.refresh();
    }
  }

  async #play(job: Exclude<Job, { readonly type: "command" }>): Promise<void> {
    const { style } = this.format;
    if (job.type === "shell" && job.command === "")
      return this.note("a command belongs behind the !, such as !git status");
    if (job.type === "shell" && this.settings.session.type === "memory")
      return this.note("! needs a session that is kept; start without --no-session");
    if (job.type !== "resume") {
      const lines = shownText(wordsOf(job)).split("\n");
      const rows = lines.flatMap((line, index) =>
        proseRows(`${index === 0 ? ">" : " "} ${line}`, this.format.columns()),
      );
      this.print(["", ...rows.map((row) => style.bold(row))]);
    }
    this.#isPlaying = true;
    this.#hasPlayed ||= job.type !== "resume";
    this.face.refresh();
    const engine = await this.engine();
    const show = (event: RunEvent): void => this.#show(event);
    if (job.type === "resume") return engine.resume(this.playing(), show);
    if (job.type === "shell") {
      this.lines.isShell = true;
      return engine.shell(job.command, this.playing(), show);
    }
    await engine.play(await this.#withFiles(job.text), this.playing(), show);
  }

  async #withFiles(said: string): Promise<Said> {
    const { withMentions } = await import("./mentions.ts");
    const { notes, ...found } = await withMentions(said, this.settings.cwd);
    for (const note of notes) this.note(note);
    return found;
  }

  #show(event: RunEvent): void {
    this.print(this.lines.take(event));
    if (event.type === "assistant.end" && toolCallsOf(event.message).length > 0) void this.#giveSteers();
    if (event.type === "loop.followUp") void this.#giveSteers();
    if (event.type === "model.failed") this.#failure = event;
    else if (event.type === "assistant.end" || event.type === "lifecycle.start") this.#failure = undefined;
    if (event.type === "lifecycle.error" && this.#failure !== undefined) void this.#help(this.#failure);
    const run = this.lines.run;
    if (run !== undefined && (event.type === "lifecycle.end" || event.type === "lifecycle.error"))
      this.spent = addSpent(this.spent, run);
    this.face.refresh();
  }

  // What to do about a model that could not be asked.
  async #help(failure: ModelFailed): Promise<void> {
    const { failureHelp } = await import("../failureHelp.ts");
    const help = await Effect.runPromise(failureHelp(failure));
    if (help !== undefined) this.note(help);
  }

  async #giveSteers(): Promise<void> {
    const engine = await this.engine();
    for (const text of this.#steers.splice(0)) {
      const isTaken = await engine.steer(await this.#withFiles(text));
      if (isTaken) this.print(["", this.format.style.bold(`> ${oneLine(text, 2_000)}`)]);
      else this.#jobs.unshift({ type: "prompt", text });
    }
    this.face.refresh();
  }

  // One question at a time, in their order.
  #ask(question: Question, answered: AbortSignal): Promise<Answer> {
    const before = this.#asking;
    const asking = (async (): Promise<Answer> => {
      await Promise.race([before, aborted(answered)]);
      const { askedOf } = await import("./Asked.ts");
      const { columns, style } = this.format;
      const { rules } = (await this.engine()).grants;
      const asked = await askedOf(question, this.settings, rules, { style, columns: columns() });
      if (answered.aborted) return never();
      this.print(asked.lines);
      return new Promise((resolve) => {
        const open: OpenQuestion = { asked, answer: resolve, shownAt: performance.now() };
        this.question = open;
        answered.addEventListener("abort", () => {
          if (this.question === open) {
            this.question = undefined;
            this.note("the question is settled, from elsewhere");
          }
          this.face.refresh();
        });
        this.face.refresh();
      });
    })();
    this.#asking = Promise.race([asking, aborted(answered)]);
    return asking;
  }
}

const wordsOf = (job: Job): string =>
  job.type === "shell" ? `!${job.command}` : job.type === "resume" ? "(what was left unfinished)" : job.text;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

const never = (): Promise<Answer> => new Promise(() => {});
