import type { ShellWord } from "../ShellWord.ts";

/** The word without its first characters, which must be literal. */
export const withoutPrefix = (word: ShellWord, length: number): ShellWord => ({
  ...word,
  text: word.text.slice(length),
  shape: word.shape.slice(length),
});
