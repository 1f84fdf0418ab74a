import type { RunEvent, RunOutcome } from "@kumiko/plugin-api";
import type { Settings } from "./checkCommandLine.ts";
import type { Output } from "./Output.ts";
import { oneLine, printable } from "./printable.ts";
import type { Progress } from "./progress.ts";
import { endLine } from "./endLine.ts";

type Start = RunEvent & { readonly type: "lifecycle.start" };

/** A run that has ended, as it was shown. */
export interface EndedRun {
  readonly runId: string;
  readonly outcome: RunOutcome;
  /** Undefined: it ran without being watched. */
  readonly start: Start | undefined;
  /** What it asked; of a suspended run, the last one is open. */
  readonly questions: ReadonlyArray<{ readonly id: string; readonly prompt: string }>;
}

/** Shows the runs of one call of `kumiko`, one after another, in the format that is wanted. */
export class RunView {
  readonly ended: Array<EndedRun> = [];
  readonly #settings: Settings;
  readonly #output: Output;
  readonly #progress: Progress | undefined;
  #start: Start | undefined;
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
        if (event.repair !== undefined) this.note(event.repair);
        if (event.isResumed === true) this.note(`session ${event.sessionKey} goes on with what was left unfinished`);
        return;
      case "approval.start":
        this.#questions.push({ id: event.questionId, prompt: event.prompt });
        if (this.#settings.unattended === "wait" && !this.#settings.isAttended)
          this.note(`waits for an answer (kumiko answer ${event.sessionKey} yes): ${event.prompt}`);
        return;
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
    this.ended.push({ runId, outcome, start, questions: this.#questions });
    if (this.#settings.outputFormat !== "text") return;
    const { status } = outcome;
    const text = outcome.text.trimEnd();
    // What an interrupted model said last is no answer.
    if (text !== "" && status !== "aborted" && status !== "suspended") {
      // Whoever gave a prompt reads its answer, and no other, from standard output.
      if (this.isBeforePrompt) process.stderr.write(`${printable(text)}\n`);
      else await this.#output.push(`${process.stdout.isTTY ? printable(text) : text}\n`);
    }
    if (this.isBeforePrompt) this.#note(endLine(outcome));
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
