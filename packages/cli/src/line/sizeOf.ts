import type { WriteStream } from "node:tty";

/** The size of a terminal as it is at this moment: what a stream remembers is older than the last change of it. */
export const sizeOf = (stream: WriteStream): { readonly columns: number; readonly rows: number } => {
  const [columns, rows] = stream.isTTY ? stream.getWindowSize() : [80, 24];
  return { columns: Math.max(columns || 80, 8), rows: Math.max(rows || 24, 3) };
};
