import stringWidth from "string-width";
import { printable } from "../printable.ts";

const plain = /^[\u0020-\u007E]*$/;

/** The columns a text takes in a terminal; what styles it takes none. */
export const columnsOf = (text: string): number => (plain.test(text) ? text.length : stringWidth(text));

let segmenter: Intl.Segmenter | undefined;

/** A text in what people see as its characters. */
export const graphemesOf = (text: string): ReadonlyArray<string> => {
  if (plain.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
};

/** Text as it can be shown: tabs as blanks, and nothing that steers a terminal. */
export const shownText = (text: string): string => printable(text.replaceAll("\t", "    "));

/** Cuts one line of plain text into rows of at most `columns` columns. An empty line is one row. */
export const rowsOf = (line: string, columns: number): ReadonlyArray<string> => {
  if (plain.test(line)) {
    const rows: Array<string> = [];
    for (let at = 0; at === 0 || at < line.length; at += columns) rows.push(line.slice(at, at + columns));
    return rows;
  }
  const rows: Array<string> = [];
  let row = "";
  let width = 0;
  for (const grapheme of graphemesOf(line)) {
    const own = columnsOf(grapheme);
    if (width + own > columns && row !== "") {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += grapheme;
    width += own;
  }
  return [...rows, row];
};

/** As much of one line of plain text as fits, with an ellipsis where that is not all. */
export const cutTo = (line: string, columns: number): string => {
  if (columnsOf(line) <= columns) return line;
  const [row = ""] = rowsOf(line, Math.max(columns - 1, 1));
  return `${row}…`;
};

/**
 * Breaks a line of prose between words, so that no row is wider; what continues a list entry or an indented line stands
 * below its text. Words that are too long are cut. Every row but the last lacks the blank it was broken at.
 */
export const proseRows = (line: string, columns: number): ReadonlyArray<string> => {
  if (columnsOf(line) <= columns) return [line];
  const [lead = ""] = /^\s*(?:(?:[-*+>]|\d{1,3}[.)]) +)*/.exec(line) ?? [];
  const indent = columnsOf(lead) <= columns / 3 ? " ".repeat(columnsOf(lead)) : "";
  const rows: Array<string> = [];
  let row = indent === "" ? "" : lead;
  let isEmpty = true;
  for (const word of line.slice(row.length).split(" ")) {
    const joined = isEmpty ? row + word : `${row} ${word}`;
    if (columnsOf(joined) <= columns) {
      row = joined;
      isEmpty = false;
      continue;
    }
    if (!isEmpty) {
      rows.push(row);
      row = indent;
    }
    const pieces = rowsOf(word, columns - columnsOf(row));
    rows.push(...pieces.slice(0, -1).map((piece, index) => (index === 0 ? row : indent) + piece));
    row = (pieces.length > 1 ? indent : row) + (pieces.at(-1) ?? "");
    isEmpty = false;
  }
  return [...rows, row];
};
