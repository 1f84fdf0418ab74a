import { pathPattern } from "./internal/pathPattern.ts";
import { wildcard } from "./internal/wildcard.ts";

/** What one `.gitignore` says of a path below its folder; `undefined`: nothing. */
export type GitIgnore = (segments: ReadonlyArray<string>, isFolder: boolean) => "ignored" | "kept" | undefined;

interface Rule {
  readonly fits: (segments: ReadonlyArray<string>) => boolean;
  readonly foldersOnly: boolean;
  readonly says: "ignored" | "kept";
}

/** Of one file; a longer one is no list of patterns any more. The largest in common use has a tenth of it. */
const maxRules = 2_000;
const maxCharacters = 64 * 1024;
/** Stars in one rule. Each multiplies what fitting may take; rules that people write have three at most. */
const maxStars = 8;

/**
 * Reads the text of a `.gitignore`, with git's rules: the last line that fits decides, `!` keeps, a trailing `/` means
 * folders only, a `/` elsewhere holds the pattern to the file's folder. Malformed lines fit nothing. Asking takes no more
 * than rules × pattern × path, whatever the file holds.
 */
export const parseGitIgnore = (text: string): GitIgnore => {
  const rules = text
    .slice(0, maxCharacters)
    .replace(/^\uFEFF/, "")
    .split("\n", maxRules)
    .flatMap(ruleOf)
    .toReversed();
  return (segments, isFolder) => rules.find((rule) => (isFolder || !rule.foldersOnly) && rule.fits(segments))?.says;
};

// What every program that reads such files takes for the same.
const segment = String.raw`(?:[\w.-]+\*?|\*[\w.-]+|\*\*?)`;
const plainLine = new RegExp(String.raw`^(?:#.*|!?/?${segment}(?:/${segment}){0,20}/?)?$`);

/** Whether a `.gitignore` holds only lines that leave no doubt: names and folders, with a star at one end or as a whole. */
export const isPlainGitIgnore = (text: string): boolean => {
  const lines = text.split("\n", maxRules + 1);
  return text.length <= maxCharacters && lines.length <= maxRules && lines.every((line) => plainLine.test(line));
};

const ruleOf = (line: string): ReadonlyArray<Rule> => {
  let pattern = withoutTrailingSpaces(line.replace(/\r$/, ""));
  if (pattern === "" || pattern.startsWith("#") || pattern.split("*").length > maxStars + 1) return [];
  const says = pattern.startsWith("!") ? "kept" : "ignored";
  if (says === "kept") pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const isHeld = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  // An escaped slash separates like any other.
  const segments = pattern.replace(/\\(.)/g, (escape, character) => (character === "/" ? "/" : escape)).split("/");
  if (segments.includes("")) return [];
  const fits = isHeld ? pathPattern(segments) : nameTest(segments[0] ?? "");
  return fits === undefined ? [] : [{ fits, foldersOnly, says }];
};

// A pattern without a slash is about names, wherever they stand.
const nameTest = (pattern: string): Rule["fits"] | undefined => {
  const test = wildcard(pattern);
  return test === undefined ? undefined : (path) => test(path.at(-1) ?? "");
};

// A space at the end counts only behind a backslash.
const withoutTrailingSpaces = (line: string): string => {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let backslashes = 0;
    while (line[end - 2 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
};
