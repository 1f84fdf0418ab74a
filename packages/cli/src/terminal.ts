import type { WriteStream } from "node:tty";

/** Columns that a line for people may have; without end where nobody looks. `COLUMNS` is believed over the terminal. */
export const widthOf = (stream: Pick<WriteStream, "columns" | "isTTY">): number => {
  if (!stream.isTTY) return Number.POSITIVE_INFINITY;
  const said = Number(process.env["COLUMNS"]);
  return Math.max(Number.isInteger(said) && said > 0 ? said : stream.columns || 80, 20);
};

/** Dims what is on the side, where that can be shown and is wanted. */
export const dim = (text: string, stream: Pick<WriteStream, "isTTY">): string =>
  !stream.isTTY || process.env["NO_COLOR"] || process.env["TERM"] === "dumb" ? text : `\u001B[2m${text}\u001B[22m`;
