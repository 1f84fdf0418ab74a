import { columnsOf, graphemesOf, rowsOf, shownText } from "./columns.ts";
import type { Editor } from "./Editor.ts";

/** Rows of a terminal, and where the cursor stands in them. */
export interface Rows {
  readonly rows: ReadonlyArray<string>;
  readonly cursor: { readonly row: number; readonly column: number };
}

/**
 * The text of an editor as rows of at most `columns` columns, the first behind `mark`, of at most `most` rows: those around
 * the cursor. Only the lines that can be seen are laid out.
 */
export const editorRows = (
  { cursor, text }: Pick<Editor, "cursor" | "text">,
  { columns, mark, most }: { readonly columns: number; readonly mark: string; readonly most: number },
): Rows => {
  const room = Math.max(columns - columnsOf(mark), 2);
  const blank = " ".repeat(columnsOf(mark));
  const lines = text.split("\n");
  const at = text.slice(0, cursor).split("\n").length - 1;
  // As many lines before and behind the cursor's as there are rows: more cannot be seen.
  const first = Math.max(at - most, 0);
  const rows: Array<string> = [];
  let place = { row: 0, column: 0 };
  for (const [offset, line] of lines.slice(first, at + most + 1).entries()) {
    const index = first + offset;
    if (index === at) {
      const column = cursor - (text.lastIndexOf("\n", cursor - 1) + 1);
      place = placeIn(shownText(line.slice(0, column)), room);
      place = { row: place.row + rows.length, column: place.column };
    }
    rows.push(...rowsOf(shownText(line), room));
    // A cursor behind a full row stands in the next one.
    if (index === at && place.row >= rows.length) rows.push("");
  }
  const from = Math.min(Math.max(place.row - most + 1, 0), Math.max(rows.length - most, 0));
  const shown = rows.slice(from, from + most);
  return {
    rows: shown.map((row, index) => (index === 0 && from === 0 && first === 0 ? mark : blank) + row),
    cursor: { row: place.row - from, column: Math.min(place.column + columnsOf(mark), columns - 1) },
  };
};

const placeIn = (text: string, room: number): { readonly row: number; readonly column: number } => {
  let row = 0;
  let column = 0;
  for (const grapheme of graphemesOf(text)) {
    const own = columnsOf(grapheme);
    if (column + own > room && column > 0) {
      row++;
      column = 0;
    }
    column += own;
  }
  return column >= room ? { row: row + 1, column: 0 } : { row, column };
};
