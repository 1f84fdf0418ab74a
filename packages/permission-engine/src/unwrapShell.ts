import type { Interpreter } from "./knowledge/shells.ts";
import { isOption } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

const standardInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

/** Whether a word names standard input as a file. */
export const isStandardInput = (word: ShellWord): boolean => standardInput.test(word.text);

const valueOptions = new Set(["--rcfile", "--init-file", "-o", "+o", "-O", "+O"]);

// Any other long option may read start-up files.
const harmlessOptions = new Set(["--norc", "--noprofile", "--posix", "--verbose"]);

/** A shell: its `-c` script, or the fact that it reads one from standard input. */
export const unwrapShell = (argv: Argv, isInstalled: boolean): Unwrapped => {
  let takesScript = false;
  let readsInput = false;
  let startsUp = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined || (!isOption(word) && !word.text.startsWith("+"))) break;
    if (word.text === "--") {
      at++;
      break;
    }
    if (word.text.startsWith("--") && !harmlessOptions.has(word.text)) startsUp = true;
    if (valueOptions.has(word.text)) at++;
    else if (/^-[A-Za-z]+$/.test(word.text)) {
      if (word.text.includes("c")) takesScript = true;
      if (word.text.includes("s")) readsInput = true;
      if (/[il]/.test(word.text)) startsUp = true;
      if (/o$/i.test(word.text)) at++;
    }
  }
  const first = argv[at];
  if (takesScript) {
    return first === undefined
      ? { ...unwrappedNothing, readsScript: true, doubts: ["the shell's script is missing or comes from elsewhere"] }
      : {
          ...unwrappedNothing,
          scripts: [{ text: first.text, isStatic: first.isStatic }],
          code: [first],
          // `xargs sh -c`: the script itself is read.
          readsScript: first.source === "{}" && !first.isStatic,
          isTransparent: isInstalled && !startsUp,
        };
  }
  return {
    ...unwrappedNothing,
    code: first === undefined ? [] : [first],
    readsScript: readsInput || first === undefined || isStandardInput(first),
  };
};

/** An interpreter of another language: its code is opaque, but where it comes from matters. */
export const unwrapInterpreter = (argv: Argv, interpreter: Interpreter): Unwrapped => {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    if (!isOption(word)) return { ...unwrappedNothing, code: [word], readsScript: isStandardInput(word) };
    const code = interpreter.code.find((option) => word.text === option || isAttached(word.text, option));
    if (code !== undefined) {
      const value = word.text === code ? argv[at + 1] : word;
      return { ...unwrappedNothing, code: value === undefined ? [] : [value] };
    }
    if (interpreter.module.some((option) => word.text === option || isAttached(word.text, option)))
      return unwrappedNothing;
    if (interpreter.values.includes(word.text)) at++;
  }
  return { ...unwrappedNothing, readsScript: true };
};

const isAttached = (text: string, option: string): boolean =>
  option.length === 2 ? text.startsWith(option) && text.length > 2 : text.startsWith(`${option}=`);
