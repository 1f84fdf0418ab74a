import { analyseCommand } from "./analyseCommand.ts";
import { tellsFolder } from "./buildPart.ts";
import { type CommandAnalysis, type CommandPart, innermost } from "./CommandPart.ts";
import { downloadsToInterpreter } from "./hardBlock/downloadRules.ts";
import type { Finding } from "./hardBlock/HardRule.ts";
import { mark } from "./internal/marks.ts";
import { shorten } from "./internal/visible.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { findProgram } from "./knowledge/findCommand.ts";
import { shells } from "./knowledge/shells.ts";
import { wrappers } from "./knowledge/wrappers.ts";
import { mayRunArguments } from "./mayRunArguments.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** A command that a part may run. */
export interface PassedPart {
  readonly part: CommandPart;
  /** As it stands among the arguments. */
  readonly source: string;
  /** What is said of it as something that runs a download. */
  readonly download: Finding | undefined;
}

/** More commands among the arguments of all parts are not looked at, */
const mostCommands = 32;
/** … and no longer ones. */
const mostCharacters = 2048;

const textual: ReadonlySet<Role> = new Set(["unknown", "runs", "code"]);

/** What the parts of a command may run besides. */
export interface PassedParts {
  readonly of: (part: CommandPart) => ReadonlyArray<PassedPart>;
  /** There is more than is looked at. */
  readonly isCut: boolean;
}

const seen = new WeakMap<CommandAnalysis, PassedParts>();

/**
 * The commands among the arguments of programs that are not known, or run what they are given: `./run git push`,
 * `python3 -c 'os.system("git push")'`. Whether they run them nobody here knows. Worked out once for each command.
 */
export const passedParts = (analysis: CommandAnalysis, home: string): PassedParts => {
  const found = seen.get(analysis);
  if (found !== undefined) return found;
  const made = workOut(analysis, home);
  seen.set(analysis, made);
  return made;
};

const workOut = ({ parts }: CommandAnalysis, home: string): PassedParts => {
  const byText = new Map<string, ReadonlyArray<PassedPart>>();
  const byPart = new Map<CommandPart, ReadonlyArray<PassedPart>>();
  let isCut = false;
  for (const part of parts) {
    const texts = mayRunArguments(part) ? commandsAmong(part) : [];
    const known: Array<PassedPart> = [];
    const cwd = part.folders[0] ?? "/";
    const isFolderUnknown = part.isFolderUnknown || tellsFolder(innermost(part));
    for (const text of texts) {
      const key = `${cwd} ${isFolderUnknown} ${text}`;
      const isNew = !byText.has(key);
      if (isNew && byText.size >= mostCommands) isCut = true;
      else if (isNew) byText.set(key, analysed(text, { cwd, home, isFolderUnknown }));
      known.push(...(byText.get(key) ?? []));
    }
    if (known.length > 0) byPart.set(part, known);
  }
  return { of: (part) => byPart.get(part) ?? [], isCut };
};

const analysed = (
  text: string,
  { cwd, home, isFolderUnknown }: { readonly cwd: string; readonly home: string; readonly isFolderUnknown: boolean },
): ReadonlyArray<PassedPart> => {
  const source = shorten(text, 120);
  const analysis = analyseCommand(text.slice(0, mostCharacters), { cwd, home });
  const downloads = downloadsToInterpreter(analysis);
  return analysis.parts.map((part, index) => ({
    part: isFolderUnknown ? { ...part, isFolderUnknown } : part,
    source,
    download: downloads.get(index),
  }));
};

const commandsAmong = (part: CommandPart): ReadonlyArray<string> => {
  const texts: Array<string> = [];
  const argv = innermost(part);
  const { reading } = partDeeds(part);
  for (const [index, word] of argv.entries())
    if (index > 0 && texts.length <= mostCommands) {
      // `--run=git`, `-mpip`
      const value = /^(?:(?:--|-D)[\w.-]+=(.+)|-[A-Z]*[a-z]([a-z][\w.-]*))$/s.exec(word.text)?.slice(1).find(Boolean);
      const named = value === undefined ? word : { ...word, text: value };
      if (isProgram(named)) texts.push(written([named, ...withoutSeparator(argv.slice(index + 1))]));
    }
  // `-Dexec.executable=git -Dexec.args=push`
  const settings = argv.flatMap(({ text }) => /^-D[\w.-]+=(.+)$/s.exec(text)?.[1] ?? []);
  if (settings.length > 1) texts.push(settings.join(" "));
  if (part.input !== undefined) texts.push(part.input, ...commandsIn(part.input));
  for (const { role, word } of reading?.roled ?? [])
    if (textual.has(role) && texts.length <= 2 * mostCommands && /[\s;|&(]/.test(word.text))
      texts.push(...(role === "code" ? [] : [word.text]), ...commandsIn(word.text));
  // What an interpreter is given besides its arguments.
  const isShellLike = /^(?:pwsh|powershell|nu|xonsh|elvish|ion|oil|ysh)$/.test(programName(argv[0]));
  if (isShellLike) texts.push(...part.code.map(({ text }) => text));
  for (const word of part.code)
    if (word.isStatic && !argv.includes(word)) texts.push(...commandsIn(word.text), ...recipesIn(word.text));
  return texts.slice(0, 2 * mostCommands).filter((text) => text.trim() !== "");
};

const withoutSeparator = (argv: Argv): Argv => (argv[0]?.text === "--" ? argv.slice(1) : argv);

const isProgram = (word: ShellWord): boolean => {
  const name = programName(word);
  return word.isStatic && (wrappers.has(name) || shells.has(name) || findProgram(name) !== undefined);
};

const plainText = /^[\w./:@%+,=-]+$/;

// As Bash would have to be given the words to make them again.
const written = (words: Argv): string =>
  words
    .slice(0, 64)
    .map(({ isMany, isStatic, shape, source, text }) =>
      isStatic
        ? plainText.test(text)
          ? text
          : `'${text.replaceAll("'", `'\\''`)}'`
        : shape === mark.unknown
          ? isMany === true
            ? "$x"
            : '"$x"'
          : source,
    )
    .join(" ");

// What stands in quotes in it, and what follows a sign or a word that tells a program to run the rest.
const commandsIn = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = [];
  for (const [, double, single, ticked] of text
    .slice(0, 4 * mostCharacters)
    .matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`([^`]*)`/gs))
    // `|command` of sqlite, `!command` of editors
    found.push((double ?? single ?? ticked ?? "").replace(/^\s*[|!]+\s*/, ""));
  // `run(["rm", "-rf", "/"])`
  for (let at = 0; at < Math.min(found.length - 1, 4); at++)
    if (/^[\w./-]+$/.test(found[at] ?? "")) found.push(found.slice(at, at + 16).join(" "));
  // `ProxyCommand=command`, `EXEC:command`, the `e` of sed, the time in a crontab.
  for (const form of [
    /\$[({]shell\s+(.*?)[)}]/s,
    /^[\w.-]+=(.*)$/s,
    /(?:EXEC|SYSTEM|SHELL):(.*)$/is,
    /\|\s*([\w./-]+\s[^|]*)$/s,
    /(?:^|[\s:])(?:silent!?|r|w|execute)\s+!+\s*(.*)$/s,
    // `#(command)` of tmux, `execute(command)` of fzf
    /#\((.*)\)/s,
    /(?:execute|execute-silent|become|reload|transform|preview|run-shell)[a-z-]*[([{:](.*?)[)\]}]?$/s,
    /(?:^|[\s;{}\d$/!])e\s+(.*)$/s,
    /^\s*(?:@\w+|(?:[\d*,/-]+\s+){5})\s*(.*)$/s,
  ]) {
    const held = form.exec(text)?.[1];
    if (held !== undefined) found.push(held);
  }
  const [, behind] = /^[^\w/]*(?:!|(?:shell|system|spawn|exec|run|sh)\b)[\s!(=:]*(.*)$/s.exec(text) ?? [];
  if (behind !== undefined) found.push(behind);
  return found;
};

// The lines of a makefile that a shell runs.
const recipesIn = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, 4 * mostCharacters).matchAll(/^(?:\t|[^#\t\n]{1,200}:[^=;\n]{0,200};)[-@+\s]*([^\n]+)$/gm)].map(
    ([, recipe = ""]) => recipe,
  );
