import type { Question } from "@kumiko/runtime-api";
import { oneLine, printable } from "./printable.ts";

/** Everything the call would be given, wrapped: what is cut off cannot be approved. */
export const questionLines = ({ input }: Pick<Question, "input">, width: number): ReadonlyArray<string> => {
  if (typeof input !== "object" || input === null) return [];
  const lines: Array<string> = [];
  for (const [key, value] of Object.entries(input)) {
    const name = oneLine(key, 60);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const [first = "", ...rest] = text.split("\n");
    if (rest.length === 0) lines.push(...wrapped(`${name}: ${first}`, width - 2));
    else {
      lines.push(`${name}:`);
      for (const line of [first, ...rest]) lines.push(...wrapped(line, width - 4).map((piece) => `  ${piece}`));
    }
  }
  return lines.map((line) => `  ${line}\n`);
};

/** A text on lines of at most `width` columns, harmless for a terminal. */
export const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const line = printable(text.replaceAll("\n", " "));
  const pieces: Array<string> = [];
  for (let at = 0; at === 0 || at < line.length; at += width) pieces.push(line.slice(at, at + width));
  return pieces;
};
