import { columnsOf } from "./columns.ts";

/** The part of the screen that is redrawn: its rows, none wider than the terminal, and the cursor. */
export interface Frame {
  readonly rows: ReadonlyArray<string>;
  readonly cursor: { readonly row: number; readonly column: number };
  readonly columns: number;
}

// Rows of the frame never break: a terminal that has just become narrower cuts them instead.
const framed = (rows: ReadonlyArray<string>): string => `\u001B[?7l${rows.join("\r\n")}\u001B[?7h`;

const syncStart = "\u001B[?2026h\u001B[?25l";
const syncEnd = "\u001B[?25h\u001B[?2026l";
const eraseRow = "\u001B[2K";
const eraseBelow = "\u001B[J";

/**
 * What to write so that a frame stands where the last one stood, below lines that are done (`above`) and scroll away.
 * Rows that are the same are left alone; nothing changed: the empty text. Never clears the screen or its scrollback.
 */
export const frameUpdate = (before: Frame | undefined, next: Frame, above: ReadonlyArray<string>): string => {
  const isResized = before !== undefined && before.columns !== next.columns;
  const done = above.map((line) => `${line}\r\n`).join("");
  if (before === undefined) return wrap(`\r${done}${framed(next.rows)}${placed(next, next.rows.length - 1)}`);
  if (above.length > 0 || isResized)
    return wrap(
      `${toTop(before, next.columns)}${eraseBelow}${done}${framed(next.rows)}${placed(next, next.rows.length - 1)}`,
    );
  const changed = changes(before, next);
  return changed === "" ? "" : wrap(changed);
};

/** What to write so that the frame is gone and the cursor stands where it began. */
export const frameErased = (before: Frame | undefined, columns: number): string =>
  before === undefined ? "" : `${toTop(before, columns)}${eraseBelow}`;

const wrap = (text: string): string => `${syncStart}${text}${syncEnd}`;

// A terminal that has become narrower has broken the rows that no longer fit: they are more by now.
const toTop = ({ columns: was, cursor, rows }: Frame, columns: number): string => {
  const fold = (width: number): number => (columns < was ? Math.max(Math.ceil(width / columns), 1) : 1);
  const above = rows.slice(0, cursor.row).reduce((sum, row) => sum + fold(columnsOf(row)), 0);
  const inRow = columns < was ? Math.floor(cursor.column / columns) : 0;
  return `\r${up(above + inRow)}`;
};

const up = (rows: number): string => (rows > 0 ? `\u001B[${rows}A` : "");

// From row `from`, where the cursor stands in some column.
const placed = ({ cursor }: Frame, from: number): string =>
  `\r${up(from - cursor.row)}${cursor.row > from ? `\u001B[${cursor.row - from}B` : ""}${cursor.column > 0 ? `\u001B[${cursor.column}C` : ""}`;

const changes = (before: Frame, next: Frame): string => {
  const last = before.rows.length - 1;
  let text = "";
  let at = before.cursor.row;
  const go = (row: number): void => {
    text += row < at ? `\r${up(at - row)}` : row > at ? `\r\u001B[${row - at}B` : "\r";
    at = row;
  };
  next.rows.forEach((row, index) => {
    if (row === before.rows[index]) return;
    if (index <= last) {
      go(index);
      text += `${eraseRow}${framed([row])}`;
    } else {
      // There is no such row yet: one is made below the last.
      go(index - 1);
      text += `\r\n${framed([row])}`;
      at = index;
    }
  });
  if (next.rows.length - 1 < last) {
    go(next.rows.length);
    text += eraseBelow;
  }
  const isMoved = before.cursor.row !== next.cursor.row || before.cursor.column !== next.cursor.column;
  return text === "" && !isMoved ? "" : `${text}${placed(next, at)}`;
};
