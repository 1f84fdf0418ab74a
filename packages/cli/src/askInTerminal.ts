import { createInterface } from "node:readline/promises";
import type { Answer, Question } from "@kumiko/runtime-api";
import { oneLine, printable } from "./printable.ts";
import type { Progress } from "./progress.ts";

const previewLines = 12;

/** Puts approvals to the person at the terminal: what would happen, why it is asked, and yes, no, or no with a reason. */
export const askInTerminal =
  (progress: Progress | undefined) =>
  async (question: Question): Promise<Answer> => {
    progress?.clear();
    const width = Math.max(process.stderr.columns || 80, 40);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const interrupted = new AbortController();
    // While a question is open the terminal hands Ctrl-C to us; it means what it always means.
    terminal.on("SIGINT", () => {
      interrupted.abort();
      process.kill(process.pid, "SIGINT");
    });
    terminal.on("close", () => interrupted.abort());
    try {
      process.stderr.write(`\n${oneLine(question.prompt, width * 3)}\n${preview(question, width)}`);
      for (;;) {
        const said = (
          await terminal.question("Allow it? [y]es, [n]o, or no because: ", { signal: interrupted.signal })
        ).trim();
        if (/^y(es)?$/i.test(said)) return { type: "approve" };
        if (/^no?$/i.test(said)) return { type: "deny" };
        if (said !== "") return { type: "deny", reason: said.replace(/^no,?\s+(because:?\s+)?/i, "") };
      }
    } catch {
      // The terminal went away, or Ctrl-C at the question: nobody said yes.
      return { type: "deny", reason: "the question was not answered" };
    } finally {
      terminal.close();
    }
  };

const preview = ({ input }: Question, width: number): string => {
  if (typeof input !== "object" || input === null) return "";
  const lines: Array<string> = [];
  for (const [name, value] of Object.entries(input)) {
    const text = printable(typeof value === "string" ? value : JSON.stringify(value));
    if (!text.includes("\n")) lines.push(`${name}: ${text}`);
    else {
      lines.push(`${name}:`);
      for (const line of text.split("\n")) lines.push(`  ${line}`);
    }
  }
  const shown = lines
    .slice(0, previewLines)
    .map((line) => `  ${line.length > width ? `${line.slice(0, width - 3)}…` : line}\n`);
  const more = lines.length > previewLines ? `  … ${lines.length - previewLines} more lines\n` : "";
  return shown.join("") + more;
};
