import { compileGlob, type Glob } from "./Glob.ts";
import { namesOfOption, optionInWord } from "./knowledge/optionNames.ts";
import { compileEntry, type KnownOption } from "./knowledge/compileEntry.ts";
import { openWords } from "./possibleArguments.ts";
import { programName } from "./Program.ts";
import { readCommand } from "./readCommand.ts";
import type { Argv } from "./Unwrapped.ts";

/** Longer argument lists are looked at up to here. */
const mostWords = 256;

/** A rule that says options, taken apart: `git push --force *`. */
interface OptionRule {
  readonly glob: Glob;
  readonly program: string;
  /** The words before the first option. */
  readonly command: string;
  /** Its options in order, with how many other words stand before each. */
  readonly options: ReadonlyArray<{ readonly glob: Glob; readonly before: number }>;
}

const seen = new WeakMap<Glob, OptionRule | "none">();

const takenApart = (glob: Glob): OptionRule | undefined => {
  const found = seen.get(glob) ?? takeApart(glob);
  seen.set(glob, found);
  return found === "none" ? undefined : found;
};

const takeApart = (glob: Glob): OptionRule | "none" => {
  const words = glob.source.trim().split(/\s+/);
  const first = words.findIndex(isOption);
  const lead = words.slice(0, first);
  const [program] = lead;
  if (first < 1 || program === undefined || lead.some((word) => /[*?]/.test(word))) return "none";
  const options = words.flatMap((word, at) =>
    isOption(word)
      ? [{ glob: compileGlob(word), before: words.slice(0, at).filter((other) => !isOption(other)).length }]
      : [],
  );
  return { glob, program, command: lead.slice(0, 2).join(" "), options };
};

/** An option as a command has it: by all names it may go by. */
interface Given {
  readonly at: number;
  readonly names: ReadonlyArray<string>;
  readonly value?: string;
}

/**
 * A rule whose options a command has in another order or by another name: `git push origin -f` for the rule
 * `git push --force *`, `rm -r -f x` for `rm -rf *`. `certain`, or `possible` where a word of unknown value may be one.
 */
export const ruleByOptions = (
  argv: Argv,
  rules: ReadonlyArray<Glob>,
): { readonly glob: Glob; readonly isCertain: boolean } | undefined => {
  const program = programName(argv[0]);
  let possible: Glob | undefined;
  let given: ReadonlyArray<Given> | undefined;
  let known: KnownOptions | undefined;
  for (const glob of rules) {
    const rule = takenApart(glob);
    if (rule?.program !== program) continue;
    known ??= knownOptions(argv);
    given ??= givenOptions(argv, rule.command, known);
    const found = judge({ argv, given, known }, rule);
    if (found === "certain") return { glob, isCertain: true };
    if (found === "possible") possible ??= glob;
  }
  return possible === undefined ? undefined : { glob: possible, isCertain: false };
};

type KnownOptions = ReadonlyMap<string, KnownOption>;

const knownOptions = (argv: Argv): KnownOptions => {
  const { entry } = readCommand(argv);
  return entry === undefined ? new Map<string, KnownOption>() : compileEntry(entry).options;
};

interface Command {
  readonly argv: Argv;
  readonly given: ReadonlyArray<Given>;
  readonly known: KnownOptions;
}

const judge = (command: Command, rule: OptionRule): "certain" | "possible" | undefined => {
  const { argv, given } = command;
  const used = new Set<Given>();
  const inserts: Array<Insert> = [];
  let missing = 0;
  for (const option of rule.options) {
    const found = optionsFor(option.glob, rule.command, given, used);
    if (found === undefined) missing++;
    for (const one of found ?? []) used.add(one);
    const { source } = option.glob;
    const [only] = found ?? [];
    const isSame = only !== undefined && option.glob.matches(only.names[0] ?? "");
    inserts.push({
      before: option.before,
      words: [
        isSame ? (only.names[0] ?? source) : source.replace(/[*?].*$/s, ""),
        ...(only?.value === undefined || source.includes("=") ? [] : [only.value]),
      ],
      ...(only === undefined || only.value !== undefined ? {} : { at: only.at }),
    });
  }
  const open = missing === 0 ? [] : openWords(argv);
  if (missing > open.length && !open.some(({ isMany }) => isMany === true)) return undefined;
  // Where the values that follow the options stay, and where they come along.
  for (const follows of [false, true])
    for (const drops of [false, true]) {
      const shape = rewritten(command, inserts, { used, follows, drops });
      const isClosed = missing === 0 && argv.every(({ isStatic }) => isStatic);
      if (isClosed ? fits(rule.glob, shape) : rule.glob.mayMatch(shape) || rule.glob.mayMatch(`${shape} `))
        return isClosed ? "certain" : "possible";
    }
  return undefined;
};

const fits = (glob: Glob, text: string): boolean => glob.matches(text) || glob.matches(`${text} `);

// What in the command stands for an option of a rule; several where the rule has them in one word.
const optionsFor = (
  wanted: Glob,
  command: string,
  given: ReadonlyArray<Given>,
  used: ReadonlySet<Given>,
): ReadonlyArray<Given> | undefined => {
  const free = given.filter((one) => !used.has(one));
  const named = (source: string): Given | undefined => {
    const names = namesOfOption(command, source);
    return free.find((one) => one.names.some((name) => names.includes(name) || isCutShort(name, names)));
  };
  const whole = free.find(({ names }) => names.some((name) => wanted.matches(name))) ?? named(wanted.source);
  if (whole !== undefined) return [whole];
  const letters = /^-([A-Za-z]{2,4})$/.exec(wanted.source)?.[1];
  if (letters === undefined) return undefined;
  const found = [...letters].map((letter) => named(`-${letter}`));
  return found.every((one) => one !== undefined) ? found : undefined;
};

// `--forc` for `--force`
const isCutShort = (name: string, names: ReadonlyArray<string>): boolean =>
  /^--\w/.test(name) && name.length > 3 && names.some((full) => full.startsWith(name));

const givenOptions = (argv: Argv, command: string, known: KnownOptions): ReadonlyArray<Given> => {
  const found: Array<Given> = [];
  const end = argv.findIndex(({ text }) => text === "--");
  for (const [at, word] of argv.slice(0, end < 0 ? mostWords : Math.min(end, mostWords)).entries()) {
    // The value of an option that takes one: `-m '--no-verify'`.
    if (at === 0 || takesNext(known, argv[at - 1]?.text ?? "")) continue;
    const implied = optionInWord(command, word.text);
    if (implied !== undefined) found.push({ at, names: [implied] });
    if (!isOption(word.text)) continue;
    const [, name = "", value] = /^(--?[^=]+)=(.*)$/s.exec(word.text) ?? [];
    if (value !== undefined) {
      if (value !== "false") found.push({ at, names: [name, word.text], value });
      continue;
    }
    if (word.text.startsWith("--") || word.text.length === 2 || known.has(word.text)) {
      found.push({ at, names: [word.text] });
      continue;
    }
    found.push(...lettersOf(known, word.text, at));
  }
  return found;
};

const takesNext = (known: KnownOptions, text: string): boolean => {
  const last = /^-[A-Za-z]+$/.test(text) ? `-${text.slice(-1)}` : text;
  return isOption(text) && (known.get(text) ?? known.get(last))?.takes === "value";
};

// `-uf`, `-oname`; as a whole as well, for programs whose names have one dash.
const lettersOf = (known: KnownOptions, text: string, at: number): ReadonlyArray<Given> => {
  const found: Array<Given> = [{ at, names: [text] }];
  for (let index = 1; index < text.length; index++) {
    const name = `-${text.charAt(index)}`;
    const value = text.slice(index + 1);
    if (value !== "" && known.get(name)?.takes === "value") {
      found.push({ at, names: [name], value });
      break;
    }
    found.push({ at, names: [name] });
  }
  return found;
};

interface Rewriting {
  readonly used: ReadonlySet<Given>;
  /** The word behind a used option comes along. */
  readonly follows: boolean;
  /** Options that the rule does not name are left out. */
  readonly drops: boolean;
}

/** Options as a rule has them, with how many other words stand before them there, and where the command has them. */
interface Insert {
  readonly before: number;
  readonly words: ReadonlyArray<string>;
  readonly at?: number;
}

// The command with the options where the rule has them.
const rewritten = (
  { argv, given, known }: Command,
  inserts: ReadonlyArray<Insert>,
  { drops, follows, used }: Rewriting,
): string => {
  const gone = new Set<number>();
  for (const one of given) {
    if (!isOption(argv[one.at]?.text ?? "") || !(used.has(one) || drops)) continue;
    gone.add(one.at);
    const takesNext = one.names.some((name) => known.get(name)?.takes === "value" && argv[one.at]?.text === name);
    if (takesNext && !used.has(one)) gone.add(one.at + 1);
  }
  const moved = inserts.map(({ at, words }) => {
    const next = at === undefined ? undefined : argv[at + 1];
    if (!follows || at === undefined || next === undefined || isOption(next.text)) return words;
    gone.add(at + 1);
    return [...words, next.shape];
  });
  const rest = argv.flatMap(({ shape }, at) => (at === 0 || gone.has(at) ? [] : [shape]));
  const words = [programName(argv[0])];
  let count = 1;
  for (const [index, { before }] of inserts.entries()) {
    const between = rest.splice(0, Math.max(0, before - count));
    count += between.length;
    words.push(...between, ...(moved[index] ?? []));
  }
  return [...words, ...rest].join(" ");
};

const isOption = (text: string): boolean => text.startsWith("-") && text.length > 1;
