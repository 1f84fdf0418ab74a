import { plainWord, type ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** More strings in strings are not followed. */
const mostStrings = 16;

/**
 * The arguments of `env` with the value of `-S` taken apart at its blanks, as `env` does. Undefined where the string is
 * not certain, or has quotes, escapes or variables: `env` reads these by rules of its own.
 */
export const splitEnvString = (argv: Argv): Argv | undefined => {
  let words = argv;
  for (let count = 0; count < mostStrings; count++) {
    const at = words.findIndex((word, index) => index > 0 && !isBeforeCommand(word));
    const found = words.slice(0, at < 0 ? undefined : at).findIndex(({ text }) => splitOption.test(text));
    if (found < 0) return words;
    const [, flags = "", short, long] = splitOption.exec(words[found]?.text ?? "") ?? [];
    const attached = short === "" ? undefined : (short ?? long);
    const value = attached ?? words[found + 1]?.text ?? "";
    const isStatic = words[attached === undefined ? found + 1 : found]?.isStatic === true;
    if (!isStatic || /["'\\$#\r\v\f]/.test(value)) return undefined;
    words = [
      ...words.slice(0, found),
      ...(flags === "" ? [] : [plainWord(`-${flags}`)]),
      ...value
        .split(/[ \t\n]+/)
        .filter((piece) => piece !== "")
        .map(plainWord),
      ...words.slice(found + (attached === undefined ? 2 : 1)),
    ];
  }
  return undefined;
};

// `-S`, alone or behind flags, its value attached or not.
const splitOption = /^(?:-([iv0]*)S(.*)|--split-string(?:=(.*))?)$/s;

const isBeforeCommand = ({ text }: ShellWord): boolean => text.startsWith("-") || /^[A-Za-z_]\w*=/.test(text);
