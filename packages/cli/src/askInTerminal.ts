import { createInterface } from "node:readline/promises";
import type { Answer, Question } from "@kumiko/runtime-api";
import type { Progress } from "./progress.ts";
import { questionLines, wrapped } from "./questionLines.ts";

const previewLines = 12;
const hint = "Allow it? [y]es, [n]o, [v]iew all of it, or say why not: ";

/**
 * Puts approvals to the person at the terminal: what would happen, why it is asked, and yes, no, or no with a reason.
 * Once `answered` is aborted, somebody else has answered, and the question is taken back.
 */
export const askInTerminal =
  (progress: Progress | undefined) =>
  async (question: Question, answered: AbortSignal): Promise<Answer> => {
    progress?.clear();
    await dropTypedAhead();
    if (answered.aborted) return new Promise<never>(() => {});
    const width = Math.max(process.stderr.columns || 80, 20);
    const lines = questionLines(question, width);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const interrupted = new AbortController();
    // While a question is open the terminal hands Ctrl-C to us; it means what it always means.
    terminal.on("SIGINT", () => {
      interrupted.abort();
      process.emit("SIGINT");
    });
    terminal.on("close", () => interrupted.abort());
    answered.addEventListener("abort", () => {
      if (!interrupted.signal.aborted) process.stderr.write("\nkumiko: the question is settled, from elsewhere\n");
      interrupted.abort();
    });
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
      // Ctrl-C ends the run, and with it the question, as an answer from elsewhere does: there is none to give.
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
