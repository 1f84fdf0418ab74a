import type { Word } from "unbash";

/** Whether the parser took something for letters of a word that Bash does not: `ls 2>(rm b)` runs `rm`. */
export const isMisread = (word: Word): boolean => /[()<>|&;]/.test(lettersOf(word));

/** The same, for words in which brackets and bars can be letters: patterns and conditions. */
export const hidesSubstitution = (word: Word): boolean => /[<>]\(/.test(lettersOf(word));

const lettersOf = ({ parts, text }: Word): string =>
  (parts?.map((part) => (part.type === "Literal" ? part.text : " ")).join("") ?? text).replaceAll(/\\./gs, "");
