import { plainWord } from "./ShellWord.ts";
import type { CommandAnalysis, CommandPart } from "./CommandPart.ts";
import { innermost } from "./CommandPart.ts";
import type { CommandEntry } from "./knowledge/CommandEntry.ts";
import { partDeeds } from "./PartEffect.ts";
import { compileGlob } from "./Glob.ts";
import { shorten } from "./internal/visible.ts";
import { expandHome, goesUpAgain, isInside, resolvePath } from "./PathKey.ts";
import type { CommandReading, RoledWord } from "./readCommand.ts";
import { patternSpellings } from "./patternSpellings.ts";
import { secretSamples, sensitiveRule } from "./SensitivePath.ts";

/** Where a command reads without asking. All absolute. */
export interface SafePlace {
  readonly home: string;
  readonly cwd: string;
  readonly roots: ReadonlyArray<string>;
}

/** The words of the safe list's entry that lets a command run, or undefined. Only a simple command can have one. */
export const safeEntry = (analysis: CommandAnalysis, place: SafePlace): string | undefined => {
  const [part] = analysis.parts;
  return analysis.isSimple && part !== undefined && isSafePart(part, place)
    ? partDeeds(part).reading?.words
    : undefined;
};

const isSafePart = (part: CommandPart, place: SafePlace): boolean => {
  if (part.doubts.length > 0) return false;
  const argv = innermost(part);
  const { reading } = partDeeds(part);
  const entry = reading?.entry;
  // The name as written: `./ls` and `LS` are not `ls`.
  if (reading === undefined || entry?.isSafe !== true || !isWrittenSo(argv[0]?.text ?? "", reading.words)) return false;
  return argv.every((word) => word.isStatic && !word.isExpanded) && isHarmless(reading, entry, place);
};

/** What keeps a command of literal words off the safe list that its program is on: `the option --odd`. */
export const offendingWord = (part: CommandPart, place: SafePlace): string | undefined => {
  const { reading } = partDeeds(part);
  const program = innermost(part)[0]?.text ?? "";
  if (reading?.entry === undefined) return undefined;
  if (!isWrittenSo(program, reading.words)) return `${shorten(program, 80)}, which need not be ${reading.words},`;
  const bad = reading.roled.find((roled) => !isHarmlessWord(roled, place));
  if (bad === undefined) return reading.isPlain ? undefined : "one of its options";
  const text = shorten(bad.word.text, 80);
  switch (bad.role) {
    case "reads":
    case "lists":
    case "targets":
      return isInWorkspace(absolute(bad.word.text, place), place)
        ? `reading ${text}`
        : `reading ${text}, outside the workspace,`;
    case "unknown":
      return `the unknown ${bad.word.text.startsWith("-") ? "option" : "word"} ${text}`;
    case "passed":
      return `handing on ${text}`;
    default:
      return `what it does with ${text}`;
  }
};

const isWrittenSo = (program: string, words: string): boolean =>
  words === program || words.startsWith(`${program} `) || /^python[\d.]+$/.test(program);

const isHarmless = (reading: CommandReading, entry: CommandEntry, place: SafePlace): boolean => {
  if (!reading.isPlain || reading.risk !== entry.risk) return false;
  const operands = reading.roled.map(({ word }) => word.text);
  if (entry.unless !== undefined && operands.some((text) => entry.unless?.test(text) === true)) return false;
  if (entry.firstFits !== undefined && !entry.firstFits.test(operands[0] ?? "")) return false;
  return (
    reading.values.every((word) => isHarmlessValue(word.text, place)) &&
    reading.roled.every((roled) => isHarmlessWord(roled, place))
  );
};

// Programs of one name differ in which options take a value. Where this one takes none, the word is an operand or an
// option of its own: it has to be harmless as that, too.
const isHarmlessValue = (text: string, place: SafePlace): boolean =>
  text.startsWith("-")
    ? /^-\d*$/.test(text)
    : !/[A-Za-z0-9]/.test(text) || isHarmlessWord({ role: "reads", word: plainWord(text) }, place);

const isHarmlessWord = ({ role, word: { text } }: RoledWord, place: SafePlace): boolean => {
  if (role !== "text" && goesUpAgain(text)) return false;
  switch (role) {
    case "text":
      return true;
    case "lists":
      return patternSpellings(text).every((name) => sensitiveRule(absolute(name, place), "read") === undefined);
    case "reads":
      // Behind a colon stands a file as it was: `HEAD:.env`.
      return (
        text === "-" ||
        [text.replace(/^:(?:\([^)]*\)|[!^/]+)/, ""), ...text.split(":").slice(1)]
          .flatMap(patternSpellings)
          .every((path) => isOpenFile(absolute(path, place), place))
      );
    case "finds":
      return (
        text.startsWith("!") ||
        patternSpellings(text).every(
          (name) => !findsSecret(`/${name}`) && sensitiveRule(absolute(name, place), "read") === undefined,
        )
      );
    case "targets":
      return /^[\w./:*-]+$/.test(text) && isInWorkspace(absolute(text, place), place);
    case "passed":
      return /^-{0,2}[\w.:-]+(?:=[\w.:-]+)?$/.test(text) && !text.includes("..");
    default:
      return false;
  }
};

const absolute = (path: string, { cwd, home }: SafePlace): string => resolvePath(cwd, expandHome(path, home));

// The root folder is what a harness without a workspace works in: it would grant the whole machine.
const isInWorkspace = (path: string, { roots }: SafePlace): boolean =>
  roots.some((root) => root !== "/" && isInside(path, root));

// Names that a pattern of Git, or of the program itself, must not find.
const secretNames = ["/.env", "/.env.local", "/id_rsa", "/.netrc", "/.npmrc", "/server.pem", "/server.key"];

const findsSecret = (path: string): boolean => {
  const name = path.slice(path.lastIndexOf("/")).toLowerCase();
  if (!/[*?[]/.test(name)) return false;
  const glob = compileGlob(name.replaceAll(/\[[^\]]*\]/g, "?"));
  // `*.json` is about anything; `cred*` and `*.tf?ars` are not.
  const literal = name.replaceAll(/\[[^\]]*\]|[/*?]/g, "");
  const isExtension = /^\/\*\.\w+$/.test(name);
  return (
    secretNames.some(glob.matches) ||
    (literal.length > 2 && !isExtension && secretSamples.some((sample) => glob.matches(`/${sample}`)))
  );
};

const secretFolders = [".ssh", ".gnupg", ".aws", ".kube", ".docker", ".azure", ".password-store"];

const findsSecretFolder = (segment: string): boolean =>
  secretFolders.some(compileGlob(segment.replaceAll(/\[[^\]]*\]/g, "?")).matches);

/**
 * Whether a pattern that Bash expands may find a file with secrets: by at least two letters of its name, or as a hidden
 * file. `*` and `src/*` find whatever is there, and are left alone.
 */
export const findsSecretFile = (path: string): boolean => {
  const segments = path.toLowerCase().split("/");
  const name = segments.pop() ?? "";
  if (segments.some((segment) => /^\..*[*?[]/.test(segment) && findsSecretFolder(segment))) return true;
  if (!/[*?[]/.test(name)) return false;
  const isHidden = /^(?:\.|\[[^\]]*\.)/.test(name);
  if (!isHidden && name.replaceAll(/\[[^\]]*\]|[*?]/g, "").length < 2) return false;
  const glob = compileGlob(name.replaceAll(/\[[^\]]*\]/g, "?"));
  return secretNames.some((secret) => secret.startsWith("/.") === isHidden && glob.matches(secret.slice(1)));
};

const isOpenFile = (path: string, place: SafePlace): boolean =>
  !findsSecret(path) && isInWorkspace(path, place) && sensitiveRule(path, "read") === undefined;
