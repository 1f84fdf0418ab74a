/** Text that cannot steer a terminal: control characters other than line feed and tab are shown as `\x1b` and the like. */
export const printable = (text: string): string =>
  text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are the point
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
    },
  );

/** One line of at most `width` columns, cut with an ellipsis. */
export const oneLine = (text: string, width: number): string => {
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  return line.length <= width ? line : `${line.slice(0, Math.max(width - 1, 0))}…`;
};

/** JSON on one line that cannot steer a terminal either: what JSON leaves as it is comes as `\u009b`. */
export const jsonLine = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
