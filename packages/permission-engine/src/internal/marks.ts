/**
 * Private-use characters that stand, in the `shape` of a word, for what is not known before Bash runs. A command that
 * holds one itself is never allowed, so they cannot be forged.
 */
export const mark = {
  /** A pathname pattern that stands for any run of characters: `*`, `!(…)`. */
  any: "\uE000",
  /** A pathname pattern that stands for one character: `?`, `[…]`. */
  one: "\uE001",
  /** An expansion of unknown value. */
  unknown: "\uE002",
  /** A blank inside a word: it separates no arguments. */
  blank: "\uE003",
  /** Where an unquoted `$IFS` splits a word. */
  split: "\uE004",
  /** The name of a file that a search finds: never `..`. */
  found: "\uE005",
  /** The working folder, which may be one of several. */
  here: "\uE006",
} as const;

/** Whether a character is one of the marks. */
export const isMark = (character: string): boolean => character >= mark.any && character <= mark.here;

const marks = /[\uE000-\uE006]/;

/** Whether a text holds any mark. */
export const hasMark = (text: string): boolean => marks.test(text);

/** Text as a shape: its own blanks are no separators. */
export const shapeOf = (text: string): string => (text.includes(" ") ? text.replaceAll(" ", mark.blank) : text);
