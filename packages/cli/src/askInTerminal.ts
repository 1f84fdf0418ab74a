import { createInterface } from "node:readline/promises";
import type { Answer, Question } from "@kumiko/runtime-api";
import { oneLine, printable } from "./printable.ts";
import type { Progress } from "./progress.ts";

const previewLines = 12;
const hint = "Allow it? [y]es, [n]o, [v]iew all of it, or say why not: ";

/** Puts approvals to the person at the terminal: what would happen, why it is asked, and yes, no, or no with a reason. */
export const askInTerminal =
  (progress: Progress | undefined) =>
  async (question: Question): Promise<Answer> => {
    progress?.clear();
    await dropTypedAhead();
    const width = Math.max(process.stderr.columns || 80, 20);
    const lines = linesOf(question, width);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const interrupted = new AbortController();
    // While a question is open the terminal hands Ctrl-C to us; it means what it always means.
    terminal.on("SIGINT", () => {
      interrupted.abort();
      process.emit("SIGINT");
    });
    terminal.on("close", () => interrupted.abort());
    try {
      const hidden = lines.length - previewLines;
      const shown = hidden > 1 ? lines.slice(0, previewLines) : lines;
      const more = hidden > 1 ? `  … and ${hidden} more lines: v shows them\n` : "";
      process.stderr.write(`\n${wrapped(question.prompt, width).join("\n")}\n${shown.join("")}${more}`);
      for (;;) {
        const said = (await terminal.question(hint, { signal: interrupted.signal })).trim();
        if (/^y(es)?$/i.test(said)) return { type: "approve" };
        if (/^no?$/i.test(said)) return { type: "deny" };
        if (/^v(iew)?$/i.test(said)) process.stderr.write(lines.join(""));
        // A word alone is a slip of the keyboard sooner than a reason.
        else if (/\s/.test(said)) return { type: "deny", reason: said.replace(/^no?\b[,:]?\s+(?:because:?\s+)?/i, "") };
      }
    } catch (error) {
      // Ctrl-C ends the run, and with it the question: there is no answer to give.
      if (interrupted.signal.aborted) return new Promise<never>(() => {});
      return { type: "deny", reason: `the question could not be put: ${String(error)}` };
    } finally {
      terminal.close();
    }
  };

// What was typed before the question was there is no answer to it.
const dropTypedAhead = async (): Promise<void> => {
  const drop = (): void => {};
  process.stdin.on("data", drop);
  process.stdin.resume();
  await new Promise((resolve) => setTimeout(resolve, 50));
  process.stdin.pause();
  process.stdin.off("data", drop);
};

/** Everything the call would be given, wrapped: what is cut off cannot be approved. */
const linesOf = ({ input }: Question, width: number): ReadonlyArray<string> => {
  if (typeof input !== "object" || input === null) return [];
  const lines: Array<string> = [];
  for (const [key, value] of Object.entries(input)) {
    const name = oneLine(key, 60);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const [first = "", ...rest] = text.split("\n");
    if (rest.length === 0) lines.push(...wrapped(`${name}: ${first}`, width - 2));
    else {
      lines.push(`${name}:`);
      for (const line of [first, ...rest]) lines.push(...wrapped(line, width - 4).map((piece) => `  ${piece}`));
    }
  }
  return lines.map((line) => `  ${line}\n`);
};

const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const line = printable(text.replaceAll("\n", " "));
  const pieces: Array<string> = [];
  for (let at = 0; at === 0 || at < line.length; at += width) pieces.push(line.slice(at, at + width));
  return pieces;
};
