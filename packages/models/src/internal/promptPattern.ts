const letter = String.raw`[\p{L}\p{N}_]`;

/**
 * Makes the test of one `when` entry: whether a prompt holds it, as whole words, whatever the case. `|` separates
 * alternatives and `*` stands for any letters of a word, once a word: so no entry is slow on any prompt. Nothing else is
 * special.
 *
 * @example
 * ```ts
 * promptPattern("todo*|fixme")("Collect every TODOs") // => true
 * ```
 */
export const promptPattern = (entry: string): ((prompt: string) => boolean) => {
  const alternatives = alternativesOf(entry).map((words) => words.map(wordPattern).join(String.raw`\s+`));
  if (alternatives.length === 0) return () => false;
  const pattern = new RegExp(`(?<!${letter})(?:${alternatives.join("|")})(?!${letter})`, "iu");
  return (prompt) => pattern.test(prompt);
};

/** What is wrong with a `when` entry; `undefined`: nothing. */
export const promptPatternProblem = (entry: string): string | undefined => {
  const alternatives = alternativesOf(entry);
  if (alternatives.length === 0) return `"${entry}" holds no word`;
  const word = alternatives.flat().find((one) => one.indexOf("*") !== one.lastIndexOf("*"));
  return word === undefined ? undefined : `"${word}" has more than one *`;
};

const alternativesOf = (entry: string): ReadonlyArray<ReadonlyArray<string>> =>
  entry
    .split("|")
    .map((words) => words.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0);

const wordPattern = (word: string): string => {
  const star = word.indexOf("*");
  return star < 0 ? escaped(word) : `${escaped(word.slice(0, star))}${letter}*${escaped(word.slice(star + 1))}`;
};

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
