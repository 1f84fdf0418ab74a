import { isMark, mark } from "./internal/marks.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { compileEntry, type KnownOption, operandRoles } from "./knowledge/compileEntry.ts";
import { type CommandNode, findChild, findProgram } from "./knowledge/findCommand.ts";
import { programName } from "./Program.ts";
import type { CommandReading } from "./readCommand.ts";
import { plainWord, type ShellWord, unknownWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** More are not reckoned with. */
const mostPossible = 24;

// What a fixed rule may be about.
const graveRoles: ReadonlySet<Role> = new Set(["deletes", "mirrors", "chmods", "formats", "wipes", "writes"]);

/**
 * The argument lists that a command may have where a word of unknown value may be an option or a sub-command, as far as
 * they make it do something grave: `rm $X /` may be `rm -r /`. Empty where all that matters is known.
 */
export const possibleArguments = (argv: Argv, reading: CommandReading): ReadonlyArray<Argv> => {
  const open = openWords(argv);
  const [first] = open;
  const node = first === undefined ? undefined : nodeOf(reading.words);
  if (first === undefined || node === undefined) return [];
  const { direct } = reading;
  const path = direct.slice(0, reading.words.split(" ").length);
  const rest = direct.slice(path.length);
  // A single word cannot be the option and what it is about.
  const others = open.length === 1 && first.isMany !== true ? rest.filter((word) => word !== first) : rest;
  return [...withOptions(node, path, others), ...withWords(node, path, rest)].slice(0, mostPossible);
};

/** The words that may be options, or bring some along. */
export const openWords = (argv: Argv): Argv => {
  const end = argv.findIndex((word) => word.text === "--");
  return argv.slice(1, end < 0 ? undefined : end).filter(mayBeOption);
};

const mayBeOption = ({ isMany, isStatic, shape }: ShellWord): boolean =>
  !isStatic &&
  ((isMany === true && shape.includes(mark.unknown)) ||
    (isMark(shape.charAt(0)) && /^[\w=\uE000-\uE005-]*$/.test(shape)) ||
    /^-[\w-]*[\uE000-\uE002]/.test(shape));

const nodeOf = (words: string): CommandNode | undefined => {
  const [program = "", ...subcommands] = words.split(" ");
  let node = findProgram(programName(plainWord(program)));
  for (const word of subcommands) node = node === undefined ? undefined : findChild(node, word);
  return node;
};

const withOptions = ({ entry }: CommandNode, path: Argv, rest: Argv): ReadonlyArray<Argv> => {
  if (entry === undefined) return [];
  const known = compileEntry(entry);
  const [recursive] = known.recursive;
  const lead = recursive === undefined || recursive === "always" ? [] : [plainWord(recursive)];
  const isGrave = hasGraveRole(entry.operands);
  const found: Array<Argv> = lead.length > 0 && isGrave ? [[...path, ...lead, ...rest]] : [];
  const seen = new Set<string>();
  for (const option of known.options.values()) {
    const operands = option.change?.operands;
    const isPair = option.use === "writes" && !option.name.startsWith("-");
    if (!isPair && (operands === undefined || !hasGraveRole(operands) || seen.has(operands))) continue;
    if (operands !== undefined) seen.add(operands);
    found.push([...path, ...lead, ...spelled(option, isPair), ...rest]);
  }
  return found;
};

const spelled = ({ name, takes }: KnownOption, isPair: boolean): Argv =>
  isPair
    ? [{ ...unknownWord(`${name}=…`), shape: `${name}=${mark.unknown}` }]
    : takes === "value"
      ? [plainWord(name), unknownWord("…")]
      : [plainWord(name)];

// The first word may be the sub-command.
const withWords = (node: CommandNode, path: Argv, [first, ...others]: Argv): ReadonlyArray<Argv> => {
  if (first === undefined || first.isStatic || node.children.size === 0) return [];
  const rest = first.isMany === true ? [first, ...others] : others;
  const found: Array<Argv> = [];
  const collect = (at: CommandNode, words: Argv): void => {
    for (const [name, child] of at.children) {
      const named = [...words, plainWord(name)];
      if (hasGraveRole(child.entry?.operands)) found.push([...path, ...named, ...rest]);
      collect(child, named);
    }
  };
  collect(node, []);
  return found;
};

const hasGraveRole = (operands = ""): boolean => {
  const { first, many, last } = operandRoles(operands);
  return [...first, ...(many === undefined ? [] : [many]), ...last].some((role) => graveRoles.has(role));
};
