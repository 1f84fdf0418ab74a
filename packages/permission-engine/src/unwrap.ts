import { interpreterOf, shells } from "./knowledge/shells.ts";
import { wrappers } from "./knowledge/wrappers.ts";
import { isInstalled, programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { unwrapFd, unwrapFind, unwrapParallel, unwrapXargs } from "./unwrapFinder.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";
import { isStandardInput, unwrapInterpreter, unwrapShell } from "./unwrapShell.ts";
import { joined, unwrapWrapper } from "./unwrapWrapper.ts";

/**
 * What a command runs by its arguments: the inner command of a wrapper, the script of a shell or `eval`, the commands
 * of `find -exec`. `input` are the words on its standard input, where they are known.
 */
export const unwrap = (argv: Argv, input: ReadonlyArray<ShellWord> | undefined): Unwrapped => {
  const name = argv[0];
  const program = programName(name);
  const installed = isInstalled(name);
  const wrapper = wrappers.get(program);
  if (wrapper !== undefined) return unwrapWrapper(argv, wrapper, installed);
  if (shells.has(program)) return unwrapShell(argv, installed);
  switch (program) {
    case "find":
    case "gfind":
      return unwrapFind(argv);
    case "fd":
    case "fdfind":
      return unwrapFd(argv);
    case "xargs":
    case "gxargs":
      return unwrapXargs(argv, input, installed);
    case "parallel":
      return unwrapParallel(argv);
    case "eval":
      return argv.length < 2
        ? unwrappedNothing
        : {
            ...unwrappedNothing,
            scripts: [joined(argv.slice(1))],
            code: argv.slice(1),
            isTransparent: installed,
          };
    case "trap":
      return unwrapTrap(argv, installed);
    case "source":
    case ".":
      return unwrapSource(argv);
    default: {
      const interpreter = interpreterOf(program);
      return interpreter === undefined ? unwrappedNothing : unwrapInterpreter(argv, interpreter);
    }
  }
};

const unwrapTrap = (argv: Argv, installed: boolean): Unwrapped => {
  const action = argv.slice(1).find((word) => word.text !== "--");
  if (action === undefined || argv.length < 3 || /^(?:-[lp]|-|\d*)$/.test(action.text)) return unwrappedNothing;
  return { ...unwrappedNothing, scripts: [joined([action])], code: [action], isTransparent: installed };
};

const unwrapSource = (argv: Argv): Unwrapped => {
  const file = argv[1];
  return file === undefined
    ? unwrappedNothing
    : { ...unwrappedNothing, code: [file], readsScript: isStandardInput(file) };
};
