import { runners } from "./knowledge/runners.ts";
import type { Runner } from "./knowledge/Wrapper.ts";
import { isOption } from "./Program.ts";
import { plainWord } from "./ShellWord.ts";
import type { Argv, Unwrapped } from "./Unwrapped.ts";
import { unwrapWrapper } from "./unwrapWrapper.ts";

const byProgram = new Map<string, Map<string, Runner>>();
for (const runner of runners)
  for (const command of runner.command.split(" | ")) {
    const [program = "", ...words] = command.split(" ");
    const commands = byProgram.get(program) ?? new Map<string, Runner>();
    byProgram.set(program, commands.set(words.join(" "), runner));
  }

/** More words of a sub-command there are none. */
const mostWords = 3;

/** The command that a sub-command runs: `npm exec`, `uv run`. Undefined where it runs none. */
export const unwrapRunner = (argv: Argv, program: string, isInstalled: boolean): Unwrapped | undefined => {
  const commands = byProgram.get(program);
  const [name] = argv;
  if (commands === undefined || name === undefined) return undefined;
  const globals = new Set([...commands.values()].flatMap((runner) => runner.globals ?? []));
  const words: Array<string> = [];
  for (let at = 1; at < argv.length && words.length < mostWords; at++) {
    const word = argv[at];
    if (word === undefined) break;
    if (isOption(word)) {
      if (globals.has(word.text)) at++;
      continue;
    }
    words.push(word.text);
    const runner = commands.get(words.join(" "));
    if (runner === undefined) continue;
    const called = plainWord(`${name.text} ${words.join(" ")}`);
    const unwrapped = unwrapWrapper([called, ...argv.slice(at + 1)], runner, isInstalled);
    const { lead } = runner;
    if (lead === undefined) return unwrapped;
    const inner = [lead === "sub-command" ? word : plainWord(lead), ...(unwrapped.inner ?? [])];
    return { ...unwrapped, inner };
  }
  return undefined;
};
