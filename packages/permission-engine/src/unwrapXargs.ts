import { xargsFlags, xargsValues } from "./knowledge/wrappers.ts";
import { mark } from "./internal/marks.ts";
import { isOption } from "./Program.ts";
import { plainWord, type ShellWord, unknownWord } from "./ShellWord.ts";
import { type Argv, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

interface XargsOptions {
  /** Where the command starts. */
  readonly end: number;
  readonly placeholder: string | undefined;
  /** Each word of the input is one argument. */
  readonly isPlain: boolean;
  /** The most arguments of one call. */
  readonly perCall: number | undefined;
  readonly doubts: ReadonlyArray<string>;
}

/**
 * `xargs`: the command with what it reads as its last arguments, or in the place of `-I`. `input` is the text it reads,
 * where that is known.
 */
export const unwrapXargs = (argv: Argv, input: string | undefined, isInstalled: boolean): Unwrapped => {
  const { end, placeholder, isPlain, perCall, doubts } = readOptions(argv);
  const rest = argv.slice(end);
  const command = rest.length === 0 ? [plainWord("echo")] : rest;
  const base = { ...unwrappedNothing, isTransparent: isInstalled, doubts };
  if (placeholder !== undefined) {
    const line = isPlain ? onlyLine(input) : undefined;
    return { ...base, inner: command.map((word) => replaced(word, placeholder, line)) };
  }
  const files = isPlain ? argumentsIn(input) : undefined;
  if (files === undefined) return { ...base, inner: [...command, { ...unknownWord("{}"), isInput: true }] };
  const step = perCall ?? Math.max(files.length, 1);
  const calls: Array<Argv> = [[...command, ...files.slice(0, step)]];
  for (let from = step; from < files.length; from += step) calls.push([...command, ...files.slice(from, from + step)]);
  const [inner = command, ...others] = calls;
  const started = others.map((argv) => ({ argv, isImplied: false, isRecursive: false }));
  return { ...base, inner, started };
};

// Quotes and backslashes have a meaning of their own to xargs.
const argumentsIn = (input: string | undefined): Argv | undefined => {
  if (input === undefined || !/^[\w \t\n./:@%+,=^~*?$()[\]{}&|;<>#!-]*$/.test(input)) return undefined;
  const words = input.split(/[ \t\n]+/).filter((word) => word !== "");
  return words.length > 64 ? undefined : words.map(plainWord);
};

const onlyLine = (input: string | undefined): string | undefined =>
  /^[ \t]*([\w ./:@%+,=^~*?$()[\]{}&|;<>#!-]*)\n?$/.exec(input ?? "\0")?.[1];

const readOptions = (argv: Argv): XargsOptions => {
  const doubts: Array<string> = [];
  let placeholder: string | undefined;
  let perCall: number | undefined;
  let isPlain = true;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined || !isOption(word)) break;
    const { text } = word;
    if (text === "--") {
      at++;
      break;
    }
    if (!word.isStatic) doubts.push("an option of xargs is only known when the command runs");
    if (/^(?:-[IJ]|--replace=|-i)./.test(text)) placeholder = text.replace(/^(?:-[IJi]|--replace=)/, "");
    else if (text === "-i" || text === "--replace") placeholder = "{}";
    else if (text === "-I" || text === "-J") placeholder = argv[++at]?.text;
    else if (/^(?:-n|--max-args)/.test(text)) {
      const value = /^(?:-n|--max-args)$/.test(text) ? argv[++at]?.text : text.replace(/^(?:-n|--max-args=)/, "");
      perCall = Number(value);
      if (!/^[1-9]\d{0,3}$/.test(value ?? "")) isPlain = false;
    } else if (text === "-P" || text === "--max-procs") at++;
    else if (!xargsFlags.test(text)) {
      isPlain = false;
      if (xargsValues.includes(text)) at++;
      else if (!/^-(?:[0leE]+|[LlsdESRea].+|-[a-z-]+(?:=.*)?)$/s.test(text))
        doubts.push(`xargs has an option that is not known here: ${text}`);
    }
  }
  return { end: at, placeholder, isPlain, perCall, doubts };
};

const replaced = (word: ShellWord, placeholder: string, line: string | undefined): ShellWord => {
  if (placeholder === "" || !word.text.includes(placeholder)) return word;
  if (line !== undefined && word.isStatic) return plainWord(word.text.replaceAll(placeholder, line));
  return {
    ...word,
    shape: word.shape.replaceAll(placeholder, mark.unknown),
    isInput: true,
    isStatic: false,
    isExpanded: true,
  };
};
