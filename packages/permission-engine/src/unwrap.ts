import { interpreterOf } from "./knowledge/interpreters.ts";
import { shells } from "./knowledge/shells.ts";
import { wrappers } from "./knowledge/wrappers.ts";
import { isInstalled, programName } from "./Program.ts";
import { containerTools } from "./knowledge/containers.ts";
import { unwrapContainer } from "./unwrapContainer.ts";
import { unwrapFd, unwrapFind, unwrapParallel } from "./unwrapFinder.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";
import { unwrapInterpreter } from "./unwrapInterpreter.ts";
import { fileDoubts, isStandardInput, unwrapShell } from "./unwrapShell.ts";
import { joined, unwrapWrapper } from "./unwrapWrapper.ts";
import { unwrapGit } from "./unwrapGit.ts";
import { unwrapRunner } from "./unwrapRunner.ts";
import { unwrapScripts } from "./unwrapScripts.ts";
import { unwrapXargs } from "./unwrapXargs.ts";

/**
 * What a command runs by its arguments: the inner command of a wrapper, the script of a shell or `eval`, the commands
 * of `find -exec`. `input` is the text on its standard input, where that is known.
 */
export const unwrap = (argv: Argv, input: string | undefined): Unwrapped => {
  const name = argv[0];
  const program = programName(name);
  const installed = isInstalled(name);
  const wrapper = wrappers.get(program === "runuser" && !namesUser(argv) ? "su" : program);
  if (wrapper !== undefined)
    return unwrapWrapper(
      argv,
      program === "setarch" && !namesMachine(argv) ? { ...wrapper, operands: 0 } : wrapper,
      installed,
    );
  if (shells.has(program)) return unwrapShell(argv, program, installed);
  switch (program) {
    // `uv run -`
    case "-":
      return { ...unwrappedNothing, language: "no shell", readsScript: true };
    case "find":
    case "gfind":
    case "bfs":
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
      return unwrapEval(argv, installed);
    case "trap":
      return unwrapTrap(argv, installed);
    case "source":
    case ".":
      return unwrapSource(argv);
    case "mapfile":
    case "readarray":
      return unwrapMapfile(argv);
    default: {
      const tool = containerTools.get(program);
      if (tool !== undefined) return unwrapContainer(argv, tool);
      const interpreter = interpreterOf(program);
      if (interpreter !== undefined && !isSubcommand(argv, program))
        return together(unwrapInterpreter(argv, interpreter), unwrapScripts(argv));
      const settings = program === "git" ? unwrapGit(argv) : unwrappedNothing;
      return together(settings, unwrapRunner(argv, program, installed) ?? unwrapScripts(argv));
    }
  }
};

// `bun x` and `bun run` are no scripts called `x` and `run`.
const isSubcommand = ([, word]: Argv, program: string): boolean => program === "bun" && word?.text === "x";

const together = (a: Unwrapped, b: Unwrapped): Unwrapped => {
  if (a === unwrappedNothing || b === unwrappedNothing) return a === unwrappedNothing ? b : a;
  return {
    ...b,
    language: "posix",
    scripts: [...a.scripts, ...b.scripts],
    code: [...a.code, ...b.code],
    doubts: [...a.doubts, ...b.doubts],
    readsScript: a.readsScript || b.readsScript,
  };
};

// `setarch -R command`: the machine may be left out.
const namesMachine = (argv: Argv): boolean => {
  const first = argv.slice(1).find(({ text }) => !text.startsWith("-"));
  return (
    first !== undefined &&
    /^(?:x86_64|i\d86|linux(?:32|64)|uname26|a(?:arch64|rm\w*|lpha)|ppc\w*|s390x?|mips\w*|sparc\w*|ia64|riscv\w*|loongarch\w*|parisc\w*)$/.test(
      first.text,
    )
  );
};

// `runuser -u user command` runs the command, `runuser user -c script` a shell.
const namesUser = (argv: Argv): boolean => argv.some(({ text }) => /^-u|^--user/.test(text));

const unwrapEval = (argv: Argv, installed: boolean): Unwrapped => {
  const words = argv.slice(argv[1]?.text === "--" ? 2 : 1);
  if (words.length === 0) return unwrappedNothing;
  return { ...unwrappedNothing, scripts: [joined(words)], code: words, isTransparent: installed };
};

const unwrapTrap = (argv: Argv, installed: boolean): Unwrapped => {
  const words = argv.slice(1).filter((word) => word.text !== "--");
  const [action] = words;
  if (action === undefined || /^(?:-[lpP]+|-|\d*)$/.test(action.text) || (words.length < 2 && action.isMany !== true))
    return unwrappedNothing;
  return { ...unwrappedNothing, scripts: [joined([action])], code: [action], isTransparent: installed };
};

const unwrapSource = (argv: Argv): Unwrapped => {
  const file = argv[argv[1]?.text === "--" ? 2 : 1];
  if (file === undefined) return unwrappedNothing;
  if (isStandardInput(file)) return { ...unwrappedNothing, code: [file], readsScript: true };
  return { ...unwrappedNothing, code: [file], doubts: fileDoubts(file) };
};

// `-C` names a command that is evaluated with each line.
const unwrapMapfile = (argv: Argv): Unwrapped =>
  argv.some(({ text, isMany }) => /^-[A-Za-z]*C/.test(text) || isMany === true)
    ? { ...unwrappedNothing, doubts: ["it evaluates a command for each line it reads"] }
    : unwrappedNothing;
