import { type CallView, noView, reduceRunEvent, type RunView, type View } from "@kumiko/client";
import type { RunEvent } from "@kumiko/plugin-api";
import { endLine, flagLines } from "../endLine.ts";
import { followUpWords, silenceWords, switchWords, waitWords } from "../waitWords.ts";
import { oneLine } from "../printable.ts";
import { callLines } from "./callWords.ts";
import { proseRows, rowsOf, shownText } from "./columns.ts";
import type { Style } from "./style.ts";

/** How lines are made for where they are read. */
export interface LineFormat {
  readonly style: Style;
  readonly isPlain: boolean;
  readonly columns: () => number;
}

/** Turns the events of runs into lines that are done, and keeps what is not: the line that is being written. */
export class RunLines {
  readonly #format: LineFormat;
  #view: View = noView;
  /** What of the reply has been given out, and the line behind it. */
  #given = "";
  #tail = "";
  #isInCode = false;
  #last: "text" | "call" | "note" | undefined;
  #calls: Array<CallView> = [];
  /** Shell commands of the user are shown in full. */
  isShell = false;

  constructor(format: LineFormat) {
    this.#format = format;
  }

  get view(): View {
    return this.#view;
  }

  get run(): RunView | undefined {
    return this.#view.runs.at(-1);
  }

  /** The line of the reply that is still being written, as it is shown. */
  get tail(): ReadonlyArray<string> {
    if (this.#tail === "") return [];
    const shown = shownText(this.#tail);
    return this.#isInCode ? rowsOf(shown, this.#format.columns()) : this.#rows(shown);
  }

  /** The last call that has ended. */
  get lastCall(): CallView | undefined {
    return this.#calls.at(-1);
  }

  /** Takes an event in; gives the lines that are done with it. */
  take(event: RunEvent): ReadonlyArray<string> {
    this.#view = reduceRunEvent(this.#view, event);
    switch (event.type) {
      case "lifecycle.start":
        this.#reset();
        return [
          ...(event.repair === undefined ? [] : this.#note(event.repair)),
          ...(event.isResumed === true ? this.#note("going on with what was left unfinished") : []),
        ];
      case "assistant.delta":
        // What is said of a command of the user's own is for the model.
        return this.isShell ? [] : this.#write(event.text);
      case "assistant.end": {
        if (this.isShell) return [];
        const text = event.message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
        return this.#finish(text);
      }
      case "model.failed": {
        const wait = waitWords(event, event.time);
        const shown = this.#given + this.#tail;
        const left = this.#tail === "" ? [] : this.#styled(this.#tail);
        this.#reset();
        return [
          ...left,
          ...(shown.trim() === "" ? [] : this.#note("that reply was cut off, and does not count")),
          ...(wait === undefined || !this.#format.isPlain ? [] : this.#note(wait)),
        ];
      }
      case "model.switched":
        return this.#note(switchWords(event));
      case "model.silent":
        return this.#note(silenceWords(this.run?.model ?? "the model", event.silentMillis));
      case "loop.followUp":
        return this.#note(followUpWords(event));
      case "loop.forceStop":
        return this.#note(`stopping: ${event.reason}`);
      case "plugin.failed":
        return this.#note(`a plugin failed at ${event.point}: ${event.detail}`);
      case "tool.start":
        return this.#format.isPlain ? this.#block("call", [`${event.tool} is running`]) : [];
      case "tool.end":
        return this.#ended(event.callId);
      case "lifecycle.end":
      case "lifecycle.error":
        return this.#over(event);
      default:
        return [];
    }
  }

  /** A line on the side. */
  note(text: string): ReadonlyArray<string> {
    return this.#note(text);
  }

  #reset(): void {
    this.#given = "";
    this.#tail = "";
    this.#isInCode = false;
    this.#last = undefined;
  }

  #write(text: string): ReadonlyArray<string> {
    this.#tail += text;
    if (!text.includes("\n")) return [];
    const end = this.#tail.lastIndexOf("\n");
    const whole = this.#tail.slice(0, end);
    const isBlankSoFar = this.#given.trim() === "" && whole.trim() === "";
    this.#given += `${whole}\n`;
    this.#tail = this.#tail.slice(end + 1);
    return isBlankSoFar ? [] : this.#block("text", this.#texts(whole));
  }

  // The finished message supersedes what was shown of it.
  #finish(text: string): ReadonlyArray<string> {
    const given = this.#given;
    const isSame = text.startsWith(given);
    this.#tail = "";
    this.#given = "";
    const rest = (isSame ? text.slice(given.length) : text).replace(/\s+$/, "");
    const lines = rest === "" ? [] : this.#texts(given.trim() === "" ? rest.replace(/^\s*\n/, "") : rest);
    const again = isSame ? [] : this.#note("the reply in full:");
    this.#isInCode = false;
    return [...again, ...(lines.length === 0 ? [] : this.#block("text", lines))];
  }

  #texts(text: string): ReadonlyArray<string> {
    return text.split("\n").flatMap((line) => this.#styled(line));
  }

  // Markdown stays as it is: headings and fences are set off, and that is all.
  #styled(line: string): ReadonlyArray<string> {
    const { style } = this.#format;
    const shown = shownText(line);
    if (/^\s*(?:```|~~~)/.test(line)) {
      this.#isInCode = !this.#isInCode;
      return [style.dim(shown)];
    }
    // Code is not broken: whoever copies it gets it as it is.
    if (this.#isInCode) return [shown];
    const rows = this.#rows(shown);
    return /^#{1,6} /.test(line) ? rows.map((row) => style.bold(row)) : rows;
  }

  #rows(line: string): ReadonlyArray<string> {
    return this.#format.isPlain ? [line] : proseRows(line, this.#format.columns());
  }

  #note(text: string): ReadonlyArray<string> {
    const { isPlain, style } = this.#format;
    const line = `${isPlain ? "note:" : "!"} ${oneLine(text, 2_000)}`;
    return this.#block(
      "note",
      this.#rows(line).map((row) => style.dim(row)),
    );
  }

  // A blank line where one kind of thing follows another.
  #block(kind: "text" | "call" | "note", lines: ReadonlyArray<string>): ReadonlyArray<string> {
    const isBreak = this.#last !== kind && !this.#format.isPlain && (this.#last !== undefined || kind === "text");
    this.#last = kind;
    return isBreak ? ["", ...lines] : lines;
  }

  #ended(callId: string): ReadonlyArray<string> {
    const item = this.run?.items.findLast((one) => one.type === "call" && one.callId === callId);
    if (item?.type !== "call") return [];
    this.#calls = [...this.#calls.slice(-20), item];
    const { columns, isPlain, style } = this.#format;
    const most = this.isShell ? { most: 200 } : {};
    return this.#block("call", callLines(item, { style, isPlain, columns: columns(), ...most }));
  }

  #over({ outcome }: RunEvent & { readonly type: "lifecycle.end" | "lifecycle.error" }): ReadonlyArray<string> {
    const left = this.#tail.trim() === "" ? [] : this.#styled(this.#tail);
    this.#tail = "";
    const { status } = outcome;
    if (status === "aborted") return [...left, ...this.#note(this.#stopped())];
    const line = status === "denied" ? undefined : endLine(outcome);
    return [
      ...left,
      ...(line === undefined ? [] : this.#note(line)),
      ...flagLines(outcome).flatMap((flag) => this.#note(flag)),
    ];
  }

  /** What a run that was ended has done. */
  #stopped(): string {
    const calls = (this.run?.items ?? []).filter((item) => item.type === "call");
    const done = calls.filter(({ status }) => status === "ok").length;
    const cancelled = calls.filter(({ status }) => status === "cancelled").length;
    const what =
      done === 0
        ? "no call was done"
        : `${done === 1 ? "one call was" : `${done} calls were`} done and stay${done === 1 ? "s" : ""}`;
    return `stopped: ${what}${cancelled === 0 ? "" : `, ${cancelled} cancelled`}`;
  }
}
