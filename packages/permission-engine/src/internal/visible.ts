// Control, format, private-use and surrogate characters, line and paragraph separators, blanks that are no space, and
// letters that show nothing.
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/gu;
const short: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/**
 * Text as a person can trust to see it: characters that hide, move or reorder others are shown as escapes.
 *
 * @example
 * ```ts
 * visible("ls\u202E x\n") // => "ls\\u{202E} x\\n"
 * ```
 */
export const visible = (text: string): string =>
  text.replaceAll(
    hidden,
    (character) => short[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );

/** Text of at most so many characters, the rest said to be missing. */
export const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The same, with the end of it: what matters may stand there. */
export const shortenMiddle = (text: string, most: number): string => {
  const end = Math.floor(most / 3);
  return text.length > most ? `${text.slice(0, most - end)}…${text.length - most} more…${text.slice(-end)}` : text;
};
