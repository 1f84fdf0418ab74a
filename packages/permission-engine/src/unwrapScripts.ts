import { readCommand } from "./readCommand.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

/**
 * The commands in arguments of which it is known that they are run: `tar --to-command`, `git rebase -x`, `sort
 * --compress-program`.
 */
export const unwrapScripts = (argv: Argv): Unwrapped => {
  const code = readCommand(argv).roled.flatMap(({ role, word }) =>
    role === "script" && word.text !== "." ? [word] : [],
  );
  return code.length === 0 ? unwrappedNothing : runsScripts(code);
};

/** What runs these words as shell scripts. */
const runsScripts = (code: ReadonlyArray<ShellWord>): Unwrapped => ({
  ...unwrappedNothing,
  language: "posix",
  // `--checkpoint-action=exec=command`
  scripts: code.map(({ isStatic, text }) => ({ text: text.replace(/^exec=/, ""), isStatic })),
  code,
});
