import { type CommandPart, innermost } from "./CommandPart.ts";
import { programs } from "./knowledge/programs.ts";
import { isOption, programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** The arguments that are no options: all behind `--`, and a lone `-`. */
export const operandsOf = (argv: Argv): Argv => {
  const end = argv.findIndex((word) => word.text === "--");
  return end < 0
    ? argv.slice(1).filter((word) => !isOption(word))
    : [...argv.slice(1, end).filter((word) => !isOption(word)), ...argv.slice(end + 1)];
};

/** The options: everything before `--` that starts with a dash. */
const optionsOf = (argv: Argv): Argv => {
  const end = argv.findIndex((word) => word.text === "--");
  return argv.slice(1, end < 0 ? undefined : end).filter(isOption);
};

/** Whether an option is given: a letter alone or in a cluster, a long name in full or cut short as GNU allows. */
export const hasOption = (argv: Argv, letters: string, ...names: ReadonlyArray<string>): boolean =>
  optionsOf(argv).some(({ text }) => {
    if (!text.startsWith("--")) return [...letters].some((letter) => text.slice(1).includes(letter));
    const given = text.replace(/=.*$/s, "");
    return given.length > 3 && names.some((name) => name.startsWith(given));
  });

/** The values of options, whether attached or in the next word. */
const optionValues = (argv: Argv, options: ReadonlyArray<string>): Argv =>
  argv.flatMap((word, index) => {
    const next = argv[index + 1];
    if (options.includes(word.text)) return next === undefined ? [] : [next];
    const option = options.find((option) =>
      option.startsWith("--") ? word.text.startsWith(`${option}=`) : isAttached(word.text, option),
    );
    return option === undefined ? [] : [withoutPrefix(word, option.length + (option.startsWith("--") ? 1 : 0))];
  });

const isAttached = (text: string, option: string): boolean =>
  text.startsWith(option) && text.length > option.length && !text.startsWith("--");

/** The word without its first characters. */
export const withoutPrefix = (word: ShellWord, length: number): ShellWord => ({
  ...word,
  text: word.text.slice(length),
  shape: word.shape.slice(length),
});

/** The words naming files that a part writes, overwrites or deletes, redirections included. */
export const writtenWords = (part: CommandPart): Argv => [
  ...part.redirects.filter((redirect) => redirect.isWrite).map((redirect) => redirect.target),
  ...writtenOperands(innermost(part)),
];

const writtenOperands = (argv: Argv): Argv => {
  const name = programName(argv[0]);
  const program = programs.get(name);
  if (name === "dd") return argv.filter((word) => word.text.startsWith("of=")).map((word) => withoutPrefix(word, 3));
  if (name === "find") return optionValues(argv, ["-fprint", "-fprint0", "-fprintf", "-fls"]);
  if (name === "perl" && hasOption(argv, "i")) return operandsOf(argv);
  if (program === undefined) return [];
  const operands = operandsOf(argv);
  const byOption = optionValues(argv, program.writes ?? []);
  switch (program.operands) {
    case "write":
      return name.endsWith("sed") && !hasOption(argv, "i", "--in-place") ? byOption : operands;
    case "delete":
    case "moved":
      return [...operands, ...byOption];
    case "last-written":
      return [...(operands.length > 1 ? operands.slice(-1) : []), ...byOption];
    default:
      return byOption;
  }
};

/** The words naming files that a part reads. */
export const readWords = (part: CommandPart): Argv => {
  const argv = innermost(part);
  const name = programName(argv[0]);
  const program = programs.get(name);
  const redirected = part.redirects.filter((redirect) => !redirect.isWrite).map((redirect) => redirect.target);
  if (program === undefined) return redirected;
  const operands = operandsOf(argv);
  if (program.operands === "read") return [...redirected, ...operands];
  if (program.operands === "last-written") return [...redirected, ...operands.slice(0, -1)];
  return redirected;
};

/** Whether a word names one certain path. */
export const isKnownPath = (word: ShellWord): boolean => word.isStatic;
