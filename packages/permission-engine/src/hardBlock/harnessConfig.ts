import { isKnownPath, operandsOf, readWords, withoutPrefix, writtenWords } from "../Operands.ts";
import { programs } from "../knowledge/programs.ts";
import { pathKey } from "../PathKey.ts";
import type { ShellWord } from "../ShellWord.ts";
import { isHarnessConfig, targetsOf } from "../TargetPath.ts";
import { block, grave, type HardRule, type Suspect } from "./HardRule.ts";

const rule = "harness-config";

/** Writing or deleting the harness's own configuration: `.kumiko/`, `~/.config/kumiko/`. Reading it is no matter. */
export const harnessConfig: HardRule = (suspect) => {
  const { part, argv, program } = suspect;
  const takesTrees = ["delete", "moved"].includes(programs.get(program)?.operands ?? "");
  const written = writtenWords(part).find(
    (word) => isProtected(suspect, word) || (takesTrees && isParent(suspect, word)),
  );
  if (written !== undefined) return block(rule, `it changes the harness's own configuration: ${written.text}`);
  if (programs.get(program)?.operands === "read" || programs.get(program)?.operands === "text") return undefined;
  const read = new Set(readWords(part));
  const mentioned = [...operandsOf(argv), ...argv.flatMap(optionValue)].find(
    (word) => !read.has(word) && isKnownPath(word) && isProtected(suspect, word),
  );
  return mentioned === undefined
    ? undefined
    : grave(rule, `it may change the harness's own configuration: ${mentioned.text}`);
};

const isProtected = ({ part }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).some(isHarnessConfig) ||
  // In a folder that is not known, the text alone can tell.
  (part.isFolderUnknown && targetsOf(word, { known: ["/"], isUnknown: false }).some(isHarnessConfig));

const isParent = ({ part, home }: Suspect, word: ShellWord): boolean =>
  targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown }).includes(pathKey(`${home}/.config`));

const optionValue = (word: ShellWord): ReadonlyArray<ShellWord> => {
  const equals = word.text.indexOf("=");
  return equals < 0 ? [] : [withoutPrefix(word, equals + 1)];
};
