import { writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { exitCodes } from "../exitCodes.ts";
import { answerHint } from "./answerKeys.ts";
import { complete } from "./complete.ts";
import { earlier, type Editor, type EditorAction, emptyEditor, offered, press, sent, withText } from "./Editor.ts";
import type { Face } from "./Face.ts";
import { type Frame, frameErased, frameUpdate } from "./Frame.ts";
import type { History } from "./history.ts";
import { decodeKeys, type Key, lateKeys, noKeys } from "./Key.ts";
import type { Talk } from "./Talk.ts";
import { liveFrame } from "./LiveRows.ts";
import { slashCommandNames } from "./slashCommands.ts";
import { sizeOf } from "./sizeOf.ts";
import type { Style } from "./style.ts";

/** Thirty pictures a second: more, nobody sees. */
const frameMillis = 33;
/** An escape that nothing follows for so long is the key itself. */
const escapeMillis = 50;
/** What is typed within this after a question came up was not meant for it. */
const quietMillis = 400;

const pasteOn = "\u001B[?2004h";
const restored = "\u001B[?2004l\u001B[?25h";

/** Line mode on a terminal in raw mode: the prompt below, what is done scrolls away above it, on the main screen. */
export class RawFace implements Face {
  readonly #mode: Talk;
  readonly #history: History;
  readonly #style: Style;
  readonly #stdin = process.stdin;
  readonly #stdout = process.stdout;
  #utf8 = new StringDecoder("utf8");
  #editor: Editor;
  #decoding = noKeys;
  #frame: Frame | undefined;
  #above: Array<string> = [];
  #isOpen = false;
  #drawTimer: NodeJS.Timeout | undefined;
  #drawnAt = 0;
  #escapeTimer: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #keyAt = 0;
  /** The question that the keys answer: those typed ahead are not for it. */
  #armed: unknown;
  /** What was being written when the reason of a refusal took the line. */
  #reasonFor: { readonly question: unknown; readonly draft: Editor } | undefined;

  constructor(mode: Talk, history: History, style: Style) {
    this.#mode = mode;
    this.#history = history;
    this.#style = style;
    this.#editor = emptyEditor(history.entries);
  }

  open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#stdin.setRawMode(true);
    this.#stdin.on("data", this.#onData);
    this.#stdin.on("end", this.#onEnd);
    this.#stdin.resume();
    this.#stdout.on("resize", this.#onResize);
    process.on("exit", this.#onExit);
    process.on("SIGCONT", this.#onContinue);
    this.#stdout.write(pasteOn);
    this.#tick = setInterval(() => {
      if (this.#mode.isRunning) this.refresh();
    }, 500);
    this.#draw();
  }

  columns = (): number => sizeOf(this.#stdout).columns;

  print = (lines: ReadonlyArray<string>): void => {
    this.#above.push(...lines);
    this.refresh();
  };

  refresh = (): void => {
    if (!this.#isOpen || this.#drawTimer !== undefined) return;
    const wait = Math.max(frameMillis - (performance.now() - this.#drawnAt), 0);
    this.#drawTimer = setTimeout(() => this.#draw(), wait);
  };

  suspended = async <A>(work: () => Promise<A>): Promise<A> => {
    this.#leave();
    try {
      return await work();
    } finally {
      this.open();
    }
  };

  close = (): void => this.#leave();

  #leave(): void {
    if (!this.#isOpen) return;
    if (this.#above.length > 0) this.#draw();
    this.#stdout.write(frameErased(this.#frame, this.columns()) + restored);
    this.#frame = undefined;
    clearTimeout(this.#drawTimer);
    this.#drawTimer = undefined;
    clearInterval(this.#tick);
    clearTimeout(this.#escapeTimer);
    this.#isOpen = false;
    this.#stdin.off("data", this.#onData);
    this.#stdin.off("end", this.#onEnd);
    this.#stdin.setRawMode(false);
    this.#stdin.pause();
    this.#stdout.off("resize", this.#onResize);
    process.off("exit", this.#onExit);
    process.off("SIGCONT", this.#onContinue);
  }

  // Whatever ends the process, a crash included, leaves the terminal as it was.
  readonly #onExit = (): void => {
    try {
      this.#stdin.setRawMode(false);
      writeSync(1, `\r\n${restored}`);
    } catch {
      // The terminal has gone: there is nothing to restore.
    }
  };

  readonly #onEnd = (): void => this.#mode.quit(exitCodes.success);

  readonly #onResize = (): void => {
    this.refresh();
  };

  readonly #onContinue = (): void => {
    this.#stdin.setRawMode(true);
    this.#stdout.write(pasteOn);
    this.#frame = undefined;
    this.refresh();
  };

  readonly #onData = (data: Buffer | string): void => {
    clearTimeout(this.#escapeTimer);
    const { decoding, keys } = decodeKeys(this.#decoding, typeof data === "string" ? data : this.#utf8.write(data));
    this.#decoding = decoding;
    for (const key of keys) this.#press(key);
    if (decoding.rest !== "" && decoding.paste === undefined)
      this.#escapeTimer = setTimeout(() => {
        const late = lateKeys(this.#decoding);
        this.#decoding = late.decoding;
        for (const key of late.keys) this.#press(key);
      }, escapeMillis);
  };

  #press(key: Key): void {
    const { question } = this.#mode;
    const now = performance.now();
    const before = this.#keyAt;
    this.#keyAt = now;
    if (question !== undefined && this.#reasonFor === undefined) {
      if (key.type === "key" && key.name === "ctrl-c") return this.#mode.interrupt();
      if (key.type === "key" && key.name === "ctrl-z") return this.#suspend();
      if (this.#armed !== question && now - Math.max(before, question.shownAt) >= quietMillis) this.#armed = question;
      if (this.#armed === question) return this.#answer(key);
      // It goes where it was meant to: into the line that was being written.
      this.#mode.tell("a question has come up: what you typed ahead does not answer it");
    }
    const { action, editor } = press(this.#editor, key);
    this.#editor = editor;
    if (this.#mode.notice !== undefined && question === undefined) this.#mode.tell(undefined);
    if (action !== undefined) this.#act(action, question !== undefined && this.#reasonFor === undefined);
    this.refresh();
  }

  #answer(key: Key): void {
    const { question } = this.#mode;
    if (question === undefined) return;
    const { all, explanation } = question.asked;
    const hint = "one key answers; b takes a reason";
    if (key.type !== "text") return this.#mode.tell(hint);
    this.#mode.tell(undefined);
    switch (key.text.toLowerCase()) {
      case "y":
        return void this.#mode.choose("once");
      case "s":
        return void this.#mode.choose("session");
      case "a":
        return void this.#mode.choose("always");
      case "n":
        return void this.#mode.choose("no");
      case "b":
        this.#reasonFor = { question, draft: this.#editor };
        this.#editor = emptyEditor();
        return this.refresh();
      case "v":
        return all === undefined ? undefined : this.print(["", ...all]);
      case "e":
        return explanation === undefined ? undefined : this.#mode.say(`\n${explanation}`);
      default:
        return this.#mode.tell(hint);
    }
  }

  #act(action: EditorAction, isTypedAhead: boolean): void {
    if (this.#reasonFor !== undefined) return this.#actOnReason(action);
    switch (action.type) {
      case "submit":
      case "followUp": {
        // What is sent while a question comes up would be taken for its answer by whoever reads along.
        if (isTypedAhead || action.text.trim() === "") return;
        this.#editor = sent(this.#editor, action.text);
        this.#history.add(action.text);
        return action.type === "submit" ? this.#mode.submit(action.text) : this.#mode.followUp(action.text);
      }
      case "complete": {
        const { cwd } = this.#mode.settings;
        const { cursor, text } = this.#editor;
        const found = complete(text, cursor, { commands: slashCommandNames, cwd });
        if (found !== undefined) this.#editor = offered(this.#editor, found);
        return;
      }
      case "takeBack":
      case "escape": {
        const text = this.#editor.text === "" ? this.#mode.takeBack() : undefined;
        if (text !== undefined) this.#editor = withText(this.#editor, text);
        else if (action.type === "takeBack") this.#editor = earlier(this.#editor);
        return;
      }
      case "interrupt":
        return this.#mode.interrupt();
      case "end":
        return this.#mode.quit(exitCodes.success);
      case "suspend":
        return this.#suspend();
      case "expand":
        return this.#mode.expand();
      case "redraw":
        this.#stdout.write("\u001B[H\u001B[J");
        this.#frame = undefined;
        return;
    }
  }

  #actOnReason(action: EditorAction): void {
    const reason = this.#reasonFor;
    if (reason === undefined) return;
    if (action.type === "suspend") return this.#suspend();
    if (action.type !== "submit" && action.type !== "escape" && action.type !== "interrupt") return;
    const isStill = reason.question === this.#mode.question;
    const said = action.type === "submit" ? action.text.trim() : "";
    this.#reasonFor = undefined;
    this.#editor = reason.draft;
    if (said !== "" && isStill) void this.#mode.choose("no", said);
  }

  // As the shell's own job control has it: the whole job stops, and draws anew when it goes on.
  #suspend(): void {
    this.#stdout.write(frameErased(this.#frame, this.columns()) + restored);
    this.#frame = undefined;
    this.#stdin.setRawMode(false);
    process.kill(0, "SIGTSTP");
  }

  #draw(): void {
    clearTimeout(this.#drawTimer);
    this.#drawTimer = undefined;
    this.#drawnAt = performance.now();
    if (!this.#isOpen) return;
    const { about, isRunning, lines, notice, question, queue, spent } = this.#mode;
    if (this.#reasonFor !== undefined && this.#reasonFor.question !== question) {
      this.#editor = this.#reasonFor.draft;
      this.#reasonFor = undefined;
    }
    const isReason = this.#reasonFor !== undefined;
    const size = sizeOf(this.#stdout);
    const live = {
      editor: this.#editor,
      run: lines.run,
      isRunning,
      tail: lines.tail,
      queue,
      hint:
        question === undefined
          ? undefined
          : isReason
            ? "Enter refuses it, with this reason"
            : answerHint(question.asked),
      mark: isReason ? "no, because: " : question === undefined ? "> " : "? ",
      about,
      spent,
      notice,
    };
    const frame = liveFrame(live, size, Date.now(), this.#style);
    const above = this.#above.splice(0);
    this.#stdout.write(frameUpdate(this.#frame, frame, above));
    this.#frame = frame;
  }
}
