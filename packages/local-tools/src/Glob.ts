import * as Result from "effect/Result";
import { pathPattern } from "./internal/pathPattern.ts";

/** Whether a relative path, `/` between its segments, fits. */
export type Glob = (path: string) => boolean;

/** Alternatives that braces may unfold to; a pattern with more is refused. */
const maxAlternatives = 256;
/** Characters of a pattern. */
const maxLength = 1024;

/**
 * Makes the test of a glob pattern; a failure says what is wrong with it.
 *
 * `*` and `?` stay within a segment, `**` is any number of segments, `[a-z]` and `[!a]` are sets, `{a,b}` alternatives,
 * `\x` is x itself. Names that begin with a dot are like any other. A pattern without `/` fits at any depth; a leading
 * `/` or `./` holds it to the top. A pattern that ends in `/` means all below. Matching is never slower than pattern ×
 * path.
 *
 * @example
 * ```ts
 * const isSource = Result.getOrThrow(glob("src/**" + "/*.{ts,tsx}"))
 * isSource("src/a/b.ts") // => true
 * ```
 */
export const glob = (pattern: string): Result.Result<Glob, string> => {
  if (pattern.trim() === "") return Result.fail("the pattern is empty");
  if (pattern.length > maxLength) return Result.fail(`the pattern is longer than ${maxLength} characters`);
  const alternatives = unfold(pattern);
  if (alternatives === undefined) return Result.fail(`its braces give more than ${maxAlternatives} alternatives`);
  const tests: Array<(path: ReadonlyArray<string>) => boolean> = [];
  for (const alternative of alternatives) {
    const segments = segmentsOf(alternative);
    if (segments.includes("..")) return Result.fail('".." is not possible in a pattern; use path for another folder');
    const test = pathPattern(segments);
    if (test === undefined) return Result.fail("a bracket [ is not closed, or a backslash escapes nothing");
    tests.push(test);
  }
  return Result.succeed((path) => {
    const segments = path.split("/");
    return tests.some((test) => test(segments));
  });
};

const segmentsOf = (pattern: string): ReadonlyArray<string> => {
  const isHeld = pattern.startsWith("/") || pattern.startsWith("./");
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  const below = pattern.endsWith("/") ? ["**"] : [];
  return isHeld || segments.length + below.length > 1 ? [...segments, ...below] : ["**", ...segments];
};

// `{a,b{c,d}}x` → ax, bcx, bdx. Braces without a comma, or not closed, stand for themselves.
const unfold = (pattern: string): ReadonlyArray<string> | undefined => {
  const done: Array<string> = [];
  let open: Array<string> = [pattern];
  while (open.length > 0) {
    const next: Array<string> = [];
    for (const text of open) {
      const braces = firstBraces(text);
      if (braces === undefined) done.push(text);
      else for (const choice of braces.choices) next.push(`${braces.before}${choice}${braces.after}`);
      if (done.length + next.length > maxAlternatives) return undefined;
    }
    open = next;
  }
  return done;
};

interface Braces {
  readonly before: string;
  readonly choices: ReadonlyArray<string>;
  readonly after: string;
}

const firstBraces = (text: string): Braces | undefined => {
  let depth = 0;
  let start = -1;
  let commas: Array<number> = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at++;
    else if (character === "{") {
      if (depth === 0) {
        start = at;
        commas = [];
      }
      depth++;
    } else if (character === "," && depth === 1) commas.push(at);
    else if (character === "}" && depth > 0) {
      depth--;
      if (depth === 0 && commas.length > 0) {
        const cuts = [start, ...commas, at];
        const choices = cuts.slice(1).map((cut, index) => text.slice((cuts[index] ?? 0) + 1, cut));
        return { before: text.slice(0, start), choices, after: text.slice(at + 1) };
      }
    }
  }
  return undefined;
};
