import type { Interpreter } from "./knowledge/interpreters.ts";
import { isOption } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";
import { isStandardInput } from "./unwrapShell.ts";
import { withoutPrefix } from "./internal/withoutPrefix.ts";

/** An interpreter of another language: its code is opaque, but where it comes from matters. */
export const unwrapInterpreter = (argv: Argv, interpreter: Interpreter): Unwrapped => {
  const {
    code = [],
    commands = [],
    files = [],
    module = [],
    others = [],
    readsCommands,
    readsData,
    values = [],
  } = interpreter;
  const found: Array<ShellWord> = [];
  let readsScript = false;
  let hasCode = false;
  const take = (word: ShellWord | undefined): void => {
    hasCode = true;
    if (word === undefined) return;
    found.push(word);
    if (isStandardInput(word) || word.isInput === true) readsScript = true;
  };
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    const { text } = word;
    const named = (options: ReadonlyArray<string>): ShellWord | "next" | undefined => valueOf(word, options);
    if (!isOption(word)) {
      if (readsCommands === true || commands.includes(text)) continue;
      if (others.includes(text)) return unwrappedNothing;
      if (readsData !== true) take(word);
      break;
    }
    const value = named(code) ?? named(files);
    if (value !== undefined) {
      take(value === "next" ? argv[++at] : value);
      if (readsData !== true && readsCommands !== true) break;
    } else if (named(module) !== undefined) {
      hasCode = true;
      break;
    } else if (values.includes(text)) at++;
  }
  const isTold = argv.slice(1).some(({ text }) => interpreter.readsCodeWith?.test(text) === true);
  if (!hasCode && (readsData !== true || isTold)) readsScript = true;
  return { ...unwrappedNothing, language: "no shell", code: found, readsScript };
};

// The value of one of these options: in the same word, or the next one.
const valueOf = (word: ShellWord, options: ReadonlyArray<string>): ShellWord | "next" | undefined => {
  for (const option of options) {
    if (word.text === option) return "next";
    if (option.length === 2 && word.text.startsWith(option)) return withoutPrefix(word, 2);
    if (option.length > 2 && word.text.startsWith(`${option}=`)) return withoutPrefix(word, option.length + 1);
  }
  return undefined;
};
