import type { Word } from "unbash";
import { hasMark, mark } from "./internal/marks.ts";
import { resolveWord, type ShellWord, type WordScope } from "./ShellWord.ts";

/** More words are not looked at. */
const mostWords = 64;

/** What the values of a loop's variable have in common. */
export interface LoopShape {
  readonly shape: string;
  /** A file that a pattern finds may have blanks in its name. */
  readonly mayHoldBlanks: boolean;
}

/**
 * What is known of the variable of a `for` loop: undefined where it may be anything. It counts only where
 * the script names the variable nowhere else but as `$name` and `${name…}`: then nothing else can set it.
 */
export const loopShape = (
  name: string,
  words: ReadonlyArray<Word>,
  script: string,
  scope: WordScope,
): LoopShape | undefined => {
  // The parser takes more for a name than Bash does.
  if (!/^[A-Za-z_]\w*$/.test(name)) return undefined;
  const mentions = script.match(new RegExp(String.raw`(?<![\w$]|\$\{)${name}(?!\w)`, "g"));
  const sets = new RegExp(String.raw`\$\{${name}(?:\[[^\]]*\])?:?=`).test(script);
  if (mentions?.length !== 1 || sets || words.length === 0 || words.length > mostWords) return undefined;
  const shapes = words.flatMap((word) => resolveWord(word, scope).map(valueShape));
  const [first, ...others] = shapes;
  if (first === undefined || !shapes.every(isPlain)) return undefined;
  const mayHoldBlanks = shapes.some(hasMark);
  if (others.length === 0) return { shape: first, mayHoldBlanks };
  const folder = folderOf(first);
  // Of several, only where they lie is kept; a name with a dot is more than a pattern finds.
  return others.every((shape) => folderOf(shape) === folder) && shapes.every((shape) => !isHidden(shape))
    ? { shape: folder + mark.any, mayHoldBlanks }
    : undefined;
};

// A pattern that finds nothing stays as it is written: `[ab]` is one character or those four.
const valueShape = ({ shape, text }: ShellWord): string =>
  text.includes("[") && shape.includes(mark.one) ? `${folderOf(text)}${mark.any}` : shape;

const folderOf = (shape: string): string => shape.slice(0, shape.lastIndexOf("/") + 1);

const isHidden = (shape: string): boolean => shape.slice(folderOf(shape).length).startsWith(".");

// Files and patterns, and no way up. A value that may be anything else, such as an option, a number or a name, is not
// known: what a program would do with it depends on what it is.
const isPlain = (shape: string): boolean =>
  /^[\w./:@%+,=^\uE000\uE001-]*$/.test(shape) &&
  !/(?:^|\/)\.\.?(?:\/|$)/.test(shape) &&
  !/^[-+]/.test(shape) &&
  /[A-Za-z\uE000\uE001][\w-]*[./]|[./\uE000\uE001]/.test(shape);
