import { harmlessSettings, harmlessShellOptions, shellLanguage } from "./knowledge/shells.ts";
import { resolvePath } from "./PathKey.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

const standardInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** Whether a word names standard input as a file. */
export const isStandardInput = (word: ShellWord): boolean => standardInput.test(straight(word.text));

// `//dev/stdin`, `/x/../dev/stdin`
const straight = (path: string): string => (path.startsWith("/") ? resolvePath("/", path) : path);

// Any other long option may read start-up files.
const harmlessOptions = new Set(["--norc", "--noprofile", "--posix", "--verbose"]);

/** A shell: its `-c` script, or the fact that it reads one from standard input. */
export const unwrapShell = (argv: Argv, program: string, isInstalled: boolean): Unwrapped => {
  const options = readOptions(argv);
  const first = argv[options.end];
  const base = { ...unwrappedNothing, language: shellLanguage(program), doubts: options.doubts };
  if (options.takesScript) {
    return first === undefined
      ? {
          ...base,
          readsScript: true,
          doubts: [...base.doubts, "the shell's script is missing or comes from elsewhere"],
        }
      : {
          ...base,
          scripts: [{ text: first.text, isStatic: first.isStatic }],
          code: [first],
          // `xargs sh -c`: the script itself is read.
          readsScript: first.isInput === true,
          isTransparent: isInstalled && !options.startsUp,
        };
  }
  if (first === undefined || options.readsInput || isStandardInput(first))
    return { ...base, code: first === undefined ? [] : [first], readsScript: true };
  return { ...base, code: [first], doubts: [...base.doubts, ...fileDoubts(first)] };
};

/** Why a file that is run as a shell script may hold anything. */
export const fileDoubts = (file: ShellWord): ReadonlyArray<string> =>
  file.isMany === true || file.runs !== undefined || /^\/(?:dev|proc)\//.test(straight(file.text))
    ? ["which script is run is only known when the command runs"]
    : [];

interface ShellOptions {
  /** Where the operands start. */
  readonly end: number;
  readonly takesScript: boolean;
  readonly readsInput: boolean;
  readonly startsUp: boolean;
  readonly doubts: ReadonlyArray<string>;
}

const readOptions = (argv: Argv): ShellOptions => {
  const doubts: Array<string> = [];
  let takesScript = false;
  let readsInput = false;
  let startsUp = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined || (!word.text.startsWith("-") && !word.text.startsWith("+"))) break;
    const { text } = word;
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    if (!word.isStatic) doubts.push("an option of the shell is only known when the command runs");
    if (text.startsWith("--")) {
      if (!harmlessOptions.has(text)) startsUp = true;
      if (text !== "--rcfile" && text !== "--init-file") continue;
      doubts.push("the shell runs a start-up file");
      at++;
      continue;
    }
    for (const letter of text.slice(1))
      if (letter === "c") {
        takesScript = true;
        // To some shells it is no option then.
        if (text.startsWith("+")) doubts.push("an option of the shell is read differently by shells: +c");
      } else if (letter === "s") readsInput = true;
      else if (letter === "i" || letter === "l") startsUp = true;
      else if (letter === "o") {
        const setting = argv[++at];
        if (setting === undefined || !setting.isStatic || !harmlessSettings.has(setting.text))
          doubts.push("an option of the shell changes how it reads its script");
      } else if (!harmlessShellOptions.includes(letter) || (letter === "B" && text.startsWith("+"))) {
        if (letter === "O") at++;
        doubts.push(`the shell's option ${text.charAt(0)}${letter} changes how it reads its script`);
      }
  }
  return { end: at, takesScript, readsInput, startsUp, doubts };
};
