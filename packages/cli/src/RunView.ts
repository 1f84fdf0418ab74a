import type { RunEvent, RunOutcome } from "@kumiko/plugin-api";
import type { Settings } from "./checkCommandLine.ts";
import type { Output } from "./Output.ts";
import { oneLine, printable } from "./printable.ts";
import type { Progress } from "./progress.ts";
import { endLine, flagLines } from "./endLine.ts";
import { type ModelFailed, waitWords } from "./waitWords.ts";

type Start = RunEvent & { readonly type: "lifecycle.start" };

/** A run that has ended, as it was shown. */
export interface EndedRun {
  readonly runId: string;
  readonly outcome: RunOutcome;
  /** Undefined: it ran without being watched. */
  readonly start: Start | undefined;
  /** The model call it ended with, if that failed. */
  readonly failure: ModelFailed | undefined;
  /** What it asked; of a suspended run, the last one is open. */
  readonly questions: ReadonlyArray<{ readonly id: string; readonly prompt: string }>;
}

const longWaitMillis = 10_000;

/** Shows the runs of one call of `kumiko`, one after another, in the format that is wanted. */
export class RunView {
  readonly ended: Array<EndedRun> = [];
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #progress: Progress | undefined;
  #start: Start | undefined;
  #failure: ModelFailed | undefined;
  #longestTold = 0;
  #questions: Array<{ readonly id: string; readonly prompt: string }> = [];
  /** Whether the runs are those that a session had left, while a prompt is yet to come. */
  isBeforePrompt = false;

  constructor(settings: Settings, output: Output, progress: Progress | undefined) {
    this.#settings = settings;
    this.#output = output;
    this.#progress = progress;
  }

  async show(event: RunEvent): Promise<void> {
    this.#progress?.show(event);
    if (this.#settings.outputFormat === "stream-json") await this.#output.push(`${JSON.stringify(event)}\n`);
    switch (event.type) {
      case "lifecycle.start":
        this.#start = event;
        this.#questions = [];
        this.#recovered();
        if (event.repair !== undefined) this.note(event.repair);
        if (event.isResumed === true) this.note(`session ${event.sessionKey} goes on with what was left unfinished`);
        return;
      case "approval.start":
        this.#questions.push({ id: event.questionId, prompt: event.prompt });
        if (this.#settings.unattended === "wait" && !this.#settings.isAttended)
          this.note(`waits for an answer (kumiko answer ${event.sessionKey} yes): ${event.prompt}`);
        return;
      case "model.failed":
        this.#failure = event;
        return this.#tellWait(event);
      case "assistant.end":
        return this.#recovered();
      case "plugin.failed":
        if (this.#progress === undefined) this.note(`a plugin failed at ${event.point}: ${event.detail}`);
        return;
      case "lifecycle.end":
      case "lifecycle.error":
        return this.end(event.runId, event.outcome);
      default:
        return;
    }
  }

  /** Takes a run as ended, and shows its answer. */
  async end(runId: string, outcome: RunOutcome): Promise<void> {
    const start = this.#start?.runId === runId ? this.#start : undefined;
    const failure = outcome.status === "failed" || outcome.status === "force-stopped" ? this.#failure : undefined;
    this.ended.push({ runId, outcome, start, failure, questions: this.#questions });
    if (this.#settings.outputFormat !== "text") return;
    const { status } = outcome;
    const text = outcome.text.trimEnd();
    // What an interrupted model said last is no answer.
    if (text !== "" && status !== "aborted" && status !== "suspended") {
      // Whoever gave a prompt reads its answer, and no other, from standard output.
      if (this.isBeforePrompt) process.stderr.write(`${printable(text)}\n`);
      else await this.#output.push(`${process.stdout.isTTY ? printable(text) : text}\n`);
    }
    if (!this.isBeforePrompt) return;
    for (const line of [endLine(outcome), ...flagLines(outcome)]) this.#note(line);
  }

  #recovered(): void {
    this.#failure = undefined;
    this.#longestTold = 0;
  }

  // Where no status line counts down, a wait that makes people wonder is told, and longer ones after it.
  #tellWait(event: ModelFailed): void {
    const { retryAt = 0, time } = event;
    const wait = retryAt - time;
    if (this.#progress !== undefined || wait <= Math.max(longWaitMillis, this.#longestTold)) return;
    this.#longestTold = wait;
    this.note(waitWords(event, time) ?? "");
  }

  /** Says something on the side, where people read. */
  note(text: string): void {
    if (this.#settings.outputFormat === "text") this.#note(text);
  }

  #note(text: string | undefined): void {
    if (text === undefined || this.#output.isClosed) return;
    this.#progress?.clear();
    process.stderr.write(`kumiko: ${oneLine(text, 2_000)}\n`);
  }
}
