import { createInterface, type Interface } from "node:readline";
import { exitCodes } from "../exitCodes.ts";
import { answerHint } from "./answerKeys.ts";
import type { Face } from "./Face.ts";
import type { History } from "./history.ts";
import type { Talk, OpenQuestion } from "./Talk.ts";

/** A line that comes so soon after a question was written before it. */
const quietMillis = 300;

/**
 * Line mode in plain words, for screen readers and terminals that can do nothing: line after line, nothing is redrawn, no
 * control codes; the terminal itself edits the line.
 */
export class PlainFace implements Face {
  readonly #mode: Talk;
  readonly #history: History;
  #reader: Interface | undefined;
  #begun = "";
  #asked: OpenQuestion | undefined;
  #isPrompted = false;

  constructor(mode: Talk, history: History) {
    this.#mode = mode;
    this.#history = history;
  }

  open(): void {
    if (this.#reader !== undefined) return;
    this.#reader = createInterface({ input: process.stdin, terminal: false });
    this.#reader.on("line", (line) => this.#take(line));
    this.#reader.on("close", () => {
      if (this.#reader !== undefined) this.#mode.quit(exitCodes.success);
    });
    process.on("SIGINT", this.#onInterrupt);
    this.refresh();
  }

  columns = (): number => 200;

  print = (lines: ReadonlyArray<string>): void => {
    if (lines.length > 0) process.stdout.write(`${this.#isPrompted ? "\n" : ""}${lines.join("\n")}\n`);
    this.#isPrompted = false;
  };

  refresh = (): void => {
    const { isRunning, notice, question } = this.#mode;
    if (notice !== undefined) {
      this.print([notice]);
      return this.#mode.tell(undefined);
    }
    if (question !== undefined && question !== this.#asked) {
      this.#asked = question;
      this.print([`Answer with a letter, and Enter: ${answerHint(question.asked)}`]);
    } else if (!isRunning && question === undefined && !this.#isPrompted && this.#reader !== undefined) {
      process.stdout.write("> ");
      this.#isPrompted = true;
    }
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
    const reader = this.#reader;
    this.#reader = undefined;
    process.off("SIGINT", this.#onInterrupt);
    reader?.close();
  }

  readonly #onInterrupt = (): void => {
    this.#begun = "";
    this.#mode.interrupt();
  };

  #take(line: string): void {
    this.#isPrompted = false;
    const { question } = this.#mode;
    if (question !== undefined) {
      if (performance.now() - question.shownAt >= quietMillis) this.#answer(question, line.trim());
      else this.print(["That line was written before the question, and does not answer it."]);
      return;
    }
    // A backslash at the end goes on in the next line.
    if (line.endsWith("\\")) {
      this.#begun += `${line.slice(0, -1)}\n`;
      return;
    }
    const text = this.#begun + line;
    this.#begun = "";
    if (text.trim() !== "") this.#history.add(text);
    this.#mode.submit(text);
    this.refresh();
  }

  #answer({ asked }: OpenQuestion, said: string): void {
    const [, letter = "", reason = ""] = /^([a-z])(?:(?:\b|,|:)\s*(.*))?$/is.exec(said) ?? [];
    const because = reason.trim();
    switch (letter.toLowerCase()) {
      case "y":
        return void this.#mode.choose("once");
      case "s":
        return void this.#mode.choose("session");
      case "a":
        return void this.#mode.choose("always");
      case "n":
      case "b":
        if (letter.toLowerCase() === "b" && because === "") break;
        return void this.#mode.choose("no", because === "" ? undefined : because);
      case "v":
        return this.print(asked.all ?? asked.lines);
      case "e":
        return this.#mode.say(asked.explanation ?? "");
    }
    this.print([`Answer with a letter, and Enter: ${answerHint(asked)}. A reason follows the b: b not on a Friday`]);
  }
}
