import { mark } from "../internal/marks.ts";
import type { Role } from "../knowledge/CommandEntry.ts";
import { isInside, pathKey } from "../PathKey.ts";
import { plainWord, type ShellWord } from "../ShellWord.ts";
import { isHarnessConfig, targetsOf } from "../TargetPath.ts";
import { block, grave, type HardRule, type Suspect } from "./HardRule.ts";

const rule = "harness-config";

const changers: ReadonlySet<Role> = new Set([
  "writes",
  "touches",
  "links",
  "chmods",
  "deletes",
  "moves",
  "mirrors",
  "remote-writes",
  "formats",
  "wipes",
]);
const takers: ReadonlySet<Role> = new Set(["deletes", "moves", "mirrors"]);

/** Writing or deleting the harness's own configuration: `.kumiko/`, `~/.config/kumiko/`. Reading it is no matter. */
export const harnessConfig: HardRule = (suspect) => {
  const written = suspect.effects.find(
    ({ role, word }) =>
      changers.has(role) && (isProtected(suspect, word) || (takers.has(role) && isParent(suspect, word))),
  );
  if (written !== undefined)
    return isOpen(suspect, written.word)
      ? grave(rule, `it may change the harness's own configuration: ${written.word.source}`)
      : block(rule, `it changes the harness's own configuration: ${written.word.text}`);
  const landed = suspect.effects.find(
    ({ isLanding, role, word }) =>
      (isLanding === true || suspect.program === "git") && role === "may-write" && isProtected(suspect, word),
  );
  if (landed !== undefined) return grave(rule, `it may change the harness's own configuration: ${landed.word.text}`);
  const taken = suspect.effects.find(
    ({ isRecursive, role, word }) => isRecursive && (takers.has(role) || role === "chmods") && holdsAll(suspect, word),
  );
  if (taken !== undefined)
    return grave(
      rule,
      taken.role === "chmods"
        ? `it changes the rights to the harness's own configuration with ${taken.word.text}`
        : `it takes the harness's own configuration away with ${taken.word.text}`,
    );
  const searched =
    suspect.part.mayFindConfig === true
      ? suspect.effects.find(({ role, word }) => changers.has(role) && holdsAll(suspect, startOf(word)))
      : undefined;
  if (searched !== undefined)
    return grave(rule, `its search may find the harness's own configuration below ${searched.word.text}`);
  if (isBroughtFrom(suspect))
    return grave(rule, "it may bring another configuration of the harness, from another commit");
  const swept = sweptFolder(suspect);
  if (swept !== undefined)
    return grave(rule, `it takes the harness's own configuration away where Git does not know it`);
  const mentioned = mentionedWords(suspect).find((word) => word.isStatic && isProtected(suspect, word));
  return mentioned === undefined
    ? undefined
    : grave(rule, `it may change the harness's own configuration: ${mentioned.text}`);
};

// `git checkout other -- .`, `git restore -s other :/`: everything of another commit.
const isBroughtFrom = (suspect: Suspect): boolean => {
  const { argv, reading } = suspect;
  if (!/^git (?:checkout|restore)$/.test(reading?.words ?? "")) return false;
  const operands = (reading?.roled ?? []).filter(({ role }) => role === "may-write").map(({ word }) => word);
  const hasSource = operands.length > 1 || argv.some(({ text }) => /^-s|^--source/.test(text));
  return (
    hasSource && operands.some((word) => /^(?::\/|:\(top\)|\*|\.\/?\*?)$/.test(word.text) || holdsAll(suspect, word))
  );
};

// `git clean -d` and `git stash -a` take away what is in no commit.
const sweptFolder = ({ argv, reading }: Suspect): true | undefined => {
  const words = reading?.words ?? "";
  const has = (letters: RegExp, names: RegExp): boolean =>
    argv.some(({ text }) => (/^-\w+$/.test(text) && letters.test(text)) || names.test(text));
  const sweeps =
    words === "git clean"
      ? has(/d/, /^$/) && !has(/n/, /^--dry/) && !argv.some(({ text }) => /kumiko/.test(text))
      : words.startsWith("git stash") && has(/a/, /^--all$/) && !/ (?:list|show|apply|pop|drop|branch)$/.test(words);
  return sweeps && reading?.roled.every(({ role }) => role !== "deletes") === true ? true : undefined;
};

// What is only looked at is no matter.
const readers: ReadonlySet<Role> = new Set(["reads", "lists", "remote-reads", "targets"]);

// Paths in the words of which it is not known that they are only read: of the program, and of what runs it.
const mentionedWords = ({ argv, part, reading }: Suspect): ReadonlyArray<ShellWord> => {
  const outer = part.levels.slice(0, -1).flatMap((level) => (level.isTransparent ? [] : level.argv.slice(1)));
  const isReading = reading?.risk === "read" && reading.roled.every(({ role }) => role !== "starts");
  const own =
    reading?.entry === undefined
      ? argv.slice(1).map((word) => ({ role: "unknown" as const, word }))
      : isReading
        ? []
        : reading.roled.filter(({ role }) => !readers.has(role));
  const all = [...outer, ...part.code, ...(part.settings ?? [])].map((word) => ({ role: "unknown" as const, word }));
  // Finders choose what they take away by name, and leave out what is denied there.
  const isFinder = reading?.words === "find";
  const left = isFinder ? argv.filter((_, index) => /^(?:!|-not)$/.test(argv[index - 2]?.text ?? "")) : [];
  const chosen = isReading || !isFinder ? [] : argv.slice(1);
  return [
    ...[...all, ...own].flatMap(({ role, word }) => (left.includes(word) ? [] : pathsIn(word, role !== "text"))),
    ...chosen.filter((word) => !left.includes(word)),
  ];
};

// The word, what stands behind a sign in it, and, in what may be code, all names.
const pathsIn = (word: ShellWord, isCode: boolean): ReadonlyArray<ShellWord> =>
  !/kumiko/i.test(word.text)
    ? []
    : [
        word,
        ...word.text
          .slice(0, 4096)
          .replace(/^-[A-Za-z](?=[^-=])/, "=")
          .split(isCode ? /[\s"'`()=,:;@<>|&{}%]+/ : /[=,:@{}%]/)
          .filter((piece) => piece !== "")
          .map(plainWord),
      ];

// Where a search starts that finds it.
const startOf = (word: ShellWord): ShellWord => ({
  ...word,
  shape: word.shape.replace(/\/?\uE005$/, "").replace(/^$/, "/"),
});

// The working folder holds `.kumiko`.
const holdsAll = ({ part }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some((target) =>
    part.folders.some((folder) => isInside(pathKey(folder), target)),
  );

// What Git reads as a pattern: `.kumi*`, `:(glob)**/config.yaml`.
const asPattern = ({ program }: Suspect, word: ShellWord): ShellWord =>
  program !== "git" || !/[*?[]/.test(word.text)
    ? word
    : {
        ...word,
        shape: word.shape
          .replace(/^:(?:\([^)]*\)|[!^/]+)/, "")
          .replaceAll(/\[[^\]]*\]/g, mark.one)
          .replaceAll("*", mark.any)
          .replaceAll("?", mark.one),
      };

const isProtected = (suspect: Suspect, written: ShellWord): boolean => {
  const { part } = suspect;
  const word = asPattern(suspect, written);
  return isProtectedWord(part, word);
};

const isProtectedWord = (part: Suspect["part"], word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some(isHarnessConfig) ||
  // In a folder that is not known, the text alone can tell.
  (part.isFolderUnknown && targetsOf(word, { known: ["/"], isUnknown: false }).some(isHarnessConfig));

// Whether a folder of unknown name decides: `$X/kumiko/config.yaml`.
const isOpen = (suspect: Suspect, word: ShellWord): boolean =>
  word.shape.includes(mark.unknown) &&
  !isProtected(suspect, { ...word, shape: word.shape.replaceAll(mark.unknown, "\0") }) &&
  !isParent(suspect, word);

const isParent = ({ part, home }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some((target) =>
    holders.some((holder) => target === pathKey(`${home}/${holder}`)),
  );

/** Folders below the home that hold the harness's own. */
const holders = [".config", ".local", ".local/state"];
