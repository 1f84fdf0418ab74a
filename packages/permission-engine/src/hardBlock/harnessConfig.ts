import { mark } from "../internal/marks.ts";
import { withoutPrefix } from "../internal/withoutPrefix.ts";
import type { Role } from "../knowledge/CommandEntry.ts";
import { pathKey } from "../PathKey.ts";
import type { ShellWord } from "../ShellWord.ts";
import { isHarnessConfig, targetsOf } from "../TargetPath.ts";
import { block, grave, type HardRule, type Suspect } from "./HardRule.ts";

const rule = "harness-config";

const changers: ReadonlySet<Role> = new Set([
  "writes",
  "touches",
  "chmods",
  "deletes",
  "moves",
  "mirrors",
  "remote-writes",
  "formats",
  "wipes",
]);
const takers: ReadonlySet<Role> = new Set(["deletes", "moves", "mirrors"]);
// What is done to these words is not known.
const suspects: ReadonlySet<Role> = new Set(["unknown", "runs", "code", "may-write", "targets"]);

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
  const { reading } = suspect;
  const words =
    reading?.entry === undefined || suspect.part.carriesScript
      ? suspect.argv.slice(1)
      : reading.roled.filter(({ role }) => suspects.has(role)).map(({ word }) => word);
  const mentioned = words.flatMap(withValue).find((word) => word.isStatic && isProtected(suspect, word));
  return mentioned === undefined
    ? undefined
    : grave(rule, `it may change the harness's own configuration: ${mentioned.text}`);
};

const isProtected = ({ part }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some(isHarnessConfig) ||
  // In a folder that is not known, the text alone can tell.
  (part.isFolderUnknown && targetsOf(word, { known: ["/"], isUnknown: false }).some(isHarnessConfig));

// Whether a folder of unknown name decides: `$X/kumiko/config.yaml`.
const isOpen = (suspect: Suspect, word: ShellWord): boolean =>
  word.shape.includes(mark.unknown) &&
  !isProtected(suspect, { ...word, shape: word.shape.replaceAll(mark.unknown, "\0") }) &&
  !isParent(suspect, word);

const isParent = ({ part, home }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).includes(pathKey(`${home}/.config`));

const withValue = (word: ShellWord): ReadonlyArray<ShellWord> => {
  const equals = word.text.indexOf("=");
  return equals < 0 ? [word] : [word, withoutPrefix(word, equals + 1)];
};
