import { isMark, mark } from "./internal/marks.ts";

/** A rule's pattern, ready to match. `*` is any run of characters (blanks, newlines, `/`, none), `?` is one. */
export interface Glob {
  /** As the user wrote it. */
  readonly source: string;
  /** Has no `*` and no `?`. */
  readonly isLiteral: boolean;
  /** Whether the whole text fits. Unknown pieces of a command (`internal/marks.ts`) fit `*` only. */
  readonly matches: (text: string) => boolean;
  /** Whether some value of the unknown pieces of `shape` would fit: what a denial has to reckon with. */
  readonly mayMatch: (shape: string) => boolean;
}

/** Why a pattern cannot be a rule, or undefined when it can. */
export const globProblem = (source: string): string | undefined =>
  source.trim() === ""
    ? "it is empty"
    : source.length > 4096
      ? "it is longer than 4096 characters"
      : [...source].some((character) => isMark(character) || character === "\0")
        ? "it holds a character that no command can have"
        : undefined;

/**
 * Compiles a pattern. Anchored at both ends, case-sensitive, no escapes. Matching is linear in the text for patterns of
 * one star and never worse than text × pattern.
 *
 * @example
 * ```ts
 * compileGlob("git push *").matches("git push origin") // => true
 * compileGlob("ls *").matches("ls") // => false
 * ```
 */
export const compileGlob = (source: string): Glob => {
  const pattern = source.replaceAll(/\*+/g, "*");
  return {
    source,
    isLiteral: !/[*?]/.test(source),
    matches: (text) => matches(pattern, text),
    mayMatch: (shape) => mayMatch(pattern, shape),
  };
};

const matches = (pattern: string, text: string): boolean => {
  let at = 0;
  let read = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = pattern[read];
    if (wanted === "*") {
      star = read++;
      resume = at;
    } else if (wanted === "?" && !isUnknownPiece(text[at])) {
      at += text.codePointAt(at) === text.charCodeAt(at) ? 1 : 2;
      read++;
    } else if (wanted !== undefined && wanted !== "?" && wanted === text[at]) {
      at++;
      read++;
    } else if (star >= 0) {
      read = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[read] === "*") read++;
  return read === pattern.length;
};

const isUnknownPiece = (character: string | undefined): boolean =>
  character !== undefined && character !== mark.blank && isMark(character);

// Do two patterns have a text in common? Row by row over the rule, as a set of positions in the shape.
const mayMatch = (pattern: string, shape: string): boolean => {
  let row = new Uint8Array(shape.length + 2);
  row[0] = 1;
  for (let read = 0; read <= pattern.length; read++) {
    const wanted = pattern[read];
    const next = new Uint8Array(shape.length + 2);
    for (let at = 0; at <= shape.length; at++) {
      if (row[at] !== 1) continue;
      const found = shape[at];
      const isOpen = found === mark.any || found === mark.unknown || found === mark.found || found === mark.here;
      if (isOpen) row[at + 1] = 1;
      if (wanted === undefined) {
        if (at === shape.length) return true;
      } else if (wanted === "*") {
        next[at] = 1;
        if (found !== undefined) row[at + 1] = 1;
      } else if (isOpen) next[at] = 1;
      else if (found !== undefined && fits(wanted, found)) next[at + 1] = 1;
    }
    row = next;
  }
  return false;
};

const fits = (wanted: string, found: string): boolean =>
  wanted === "?" || found === mark.one || wanted === found || (wanted === " " && found === mark.blank);
