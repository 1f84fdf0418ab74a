import { type CommandPart, innermost, type PartLevel } from "./CommandPart.ts";
import type { Glob } from "./Glob.ts";
import { equivalents } from "./knowledge/equivalents.ts";
import { isHarmlessVariable } from "./knowledge/environment.ts";
import { isMark, mark } from "./internal/marks.ts";
import { gitGlobalValues } from "./knowledge/wrappers.ts";
import { ruleByOptions } from "./optionRules.ts";
import { optionlessSpellings } from "./optionlessSpellings.ts";
import { partDeeds } from "./PartEffect.ts";
import { resolvePath } from "./PathKey.ts";
import { allowableName, programName } from "./Program.ts";
import { plainWord, type ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** A part as its rules see it: name and arguments, joined by single blanks. */
export const normalised = (part: CommandPart): string => {
  const argv = part.levels[0]?.argv;
  if (argv === undefined) return part.source;
  const [name, ...rest] = argv;
  return name === undefined ? part.source : [allowableName(name), ...rest.map((word) => word.text)].join(" ");
};

/** The first rule that speaks against a part: `certain` whatever the unknown pieces are, or `possible` for some of them. */
export const ruleAgainst = (
  part: CommandPart,
  rules: ReadonlyArray<Glob>,
): { readonly glob: Glob; readonly isCertain: boolean } | undefined => {
  if (rules.length === 0 || part.isImplied) return undefined;
  const texts = new Set([part.source]);
  const shapes: Array<string> = [];
  for (const { argv } of part.levels) {
    for (const words of [argv, withoutGlobalOptions(argv), direct(part, argv)]) {
      const [name, ...rest] = words;
      if (name === undefined) continue;
      const tail = rest.map((word) => ` ${word.text}`).join("");
      for (const spelled of [name.text, name.text.slice(name.text.lastIndexOf("/") + 1), programName(name)])
        texts.add(spelled + tail);
      // `git-push` is `git push`.
      if (programName(name).startsWith("git-")) texts.add(programName(name).replace("-", " ") + tail);
      if (words.some((word) => !word.isStatic || /[{,]~\w/.test(word.source))) {
        // A word that may be none may take its blank with it.
        const shape = rest.map((word) => (mayVanish(word) ? mark.unknown : ` ${deniableShape(word)}`)).join("");
        shapes.push(name.shape.slice(name.shape.lastIndexOf("/") + 1) + shape);
      }
    }
  }
  for (const text of texts)
    for (const [command, same] of equivalents)
      if (command.test(text)) texts.add(text.replace(command, same).replaceAll(/ {2,}/g, " "));
  // What forbids `git push *` forbids `git push` alone as well.
  for (const glob of rules)
    for (const text of texts) if (glob.matches(text) || glob.matches(`${text} `)) return { glob, isCertain: true };
  const byOptions = inAnotherOrder(part, rules);
  if (byOptions?.isCertain === true) return byOptions;
  for (const glob of rules) for (const shape of shapes) if (glob.mayMatch(shape)) return { glob, isCertain: false };
  return byOptions ?? behindOptions(part, rules);
};

const inAnotherOrder = (
  part: CommandPart,
  rules: ReadonlyArray<Glob>,
): { readonly glob: Glob; readonly isCertain: boolean } | undefined => {
  let possible: ReturnType<typeof ruleByOptions>;
  for (const { argv } of part.levels)
    for (const words of [argv, withoutGlobalOptions(argv), direct(part, argv)].flatMap(underOtherNames)) {
      const found = ruleByOptions(words, rules);
      if (found?.isCertain === true) return found;
      possible ??= found;
    }
  return possible;
};

// The words as they are, and with the names that do the same.
const underOtherNames = (words: Argv): ReadonlyArray<Argv> => {
  const lead = words.slice(0, 4).map(({ text }) => text);
  const text = lead.join(" ");
  const others = equivalents.flatMap(([command, same]) => {
    const found = command.exec(text)?.[0];
    if (found === undefined) return [];
    const count = lead.findIndex((_, at) => lead.slice(0, at + 1).join(" ").length >= found.length);
    const named = found.replace(command, same).trim();
    return count < 0 ? [] : [[...named.split(" ").map(plainWord), ...words.slice(count + 1)]];
  });
  return words.length === 0 ? [] : [words, ...others];
};

// A rule about a sub-command that options may stand before. Whether one of them takes a value nobody here may know.
const behindOptions = (
  part: CommandPart,
  rules: ReadonlyArray<Glob>,
): { readonly glob: Glob; readonly isCertain: false } | undefined => {
  const subCommands = rules.filter(({ source }) => /^\S+ +[\w*?]/.test(source));
  if (subCommands.length === 0) return undefined;
  for (const { argv } of part.levels) {
    const program = programName(argv[0]);
    const about = subCommands.filter(
      ({ source }) => /^[*?]/.test(source) || source.toLowerCase().startsWith(`${program} `),
    );
    if (about.length === 0) continue;
    for (const words of optionlessSpellings(argv)) {
      const text = [program, ...words.slice(1).map((word) => word.text)].join(" ");
      for (const glob of about) if (glob.matches(text) || glob.matches(`${text} `)) return { glob, isCertain: false };
    }
  }
  return undefined;
};

const mayVanish = ({ isMany, shape }: ShellWord): boolean => isMany === true && [...shape].every(isMark);

// A pathname pattern may become several words, or stay as it is; so may the home of a user who does not exist.
const deniableShape = ({ isMany, shape, source }: ShellWord): string =>
  /^~\w|\{(?:.*,)?~\w/.test(source)
    ? mark.any
    : isMany === true
      ? shape.replace(/[\uE000-\uE002\uE006](?:.*[\uE000-\uE002\uE006])?/s, mark.any)
      : shape;

// `git -C x push` is a push.
const withoutGlobalOptions = (argv: Argv): Argv => {
  const [name] = argv;
  if (name === undefined || programName(name) !== "git") return [];
  let at = 1;
  while (argv[at]?.text.startsWith("-") === true) at += gitGlobalValues.has(argv[at]?.text ?? "") ? 2 : 1;
  return at === 1 ? [] : [name, ...argv.slice(at)];
};

// … and `kubectl -n prod delete` a deletion.
const direct = (part: CommandPart, argv: Argv): Argv => {
  const words = argv === innermost(part) ? partDeeds(part).reading?.direct : undefined;
  return words === undefined || words.length === argv.length ? [] : words;
};

/** The rule that allows a part. A wrapper that adds power must be allowed by name; one that adds none is looked through. */
export const ruleFor = (part: CommandPart, rules: ReadonlyArray<Glob>): Glob | undefined => {
  const written =
    rules.find((glob) => glob.source === part.source && glob.isLiteral) ??
    rules.find((glob) => allowsAsWritten(glob, part));
  if (written !== undefined) return written;
  // A variable that programs may read changes what the rule was written for.
  if (!part.assigns.every(isHarmlessVariable)) return undefined;
  for (const level of part.levels) {
    const found = rules.find((glob) => allows(glob, level));
    if (found !== undefined) return found;
    if (!level.isTransparent) return undefined;
  }
  return undefined;
};

// With its quotes, assignments and redirections: for rules that were copied from a command.
const allowsAsWritten = (glob: Glob, { source, levels }: CommandPart): boolean =>
  glob.matches(source) &&
  levels.every(({ argv }) => argv.every((word) => word.isStatic && straightened(word) === word.shape));

const allows = (glob: Glob, { argv }: PartLevel): boolean => {
  const [name, ...rest] = argv;
  if (name === undefined) return false;
  const shaped = [name.isStatic ? allowableName(name) : name.shape, ...rest.map((word) => word.shape)].join(" ");
  if (!glob.matches(shaped)) return false;
  // `cat /repo/*` is no permission for `cat /repo/../etc/shadow`.
  const straight = rest.map(straightened);
  return straight.every((shape, index) => shape === rest[index]?.shape)
    ? true
    : glob.matches([allowableName(name), ...straight].join(" "));
};

const straightened = ({ shape }: ShellWord): string =>
  /(?:^|[/=])\.\.(?:\/|$)/.test(shape) && shape.includes("/")
    ? shape.replace(/(^|=)([^=]*)$/s, (_, before: string, path: string) => before + withoutParents(path))
    : shape;

const withoutParents = (path: string): string => {
  if (path.startsWith("/")) return resolvePath("/", path);
  const kept: Array<string> = [];
  for (const segment of path.split("/"))
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (segment !== "" && segment !== ".") kept.push(segment);
  return kept.join("/");
};
