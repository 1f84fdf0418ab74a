import { createInterface } from "node:readline/promises";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";

/** Asks a person whether to go on; without one, `--yes` must have said so. */
export const confirm = (question: string, isYes: boolean): Effect.Effect<boolean, BadInput> => {
  if (isYes) return Effect.succeed(true);
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    return Effect.fail(new BadInput({ detail: `${question} There is nobody to ask: say --yes` }));
  return Effect.promise(async () => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const ended = new AbortController();
    terminal.on("close", () => ended.abort());
    try {
      return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `, { signal: ended.signal })).trim());
    } catch {
      return false; // Ctrl-C or the end of input: no yes
    } finally {
      terminal.close();
    }
  });
};
