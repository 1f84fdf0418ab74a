import type { WriteStream } from "node:tty";

/** How text is set off. Without colours every function gives the text as it is. */
export interface Style {
  readonly isColour: boolean;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

export const styleOf = (isColour: boolean): Style => {
  const set = (on: number, off: number) => (text: string) =>
    isColour && text !== "" ? `\u001B[${on}m${text}\u001B[${off}m` : text;
  return { isColour, bold: set(1, 22), dim: set(2, 22), red: set(31, 39), green: set(32, 39), yellow: set(33, 39) };
};

/** Whether colours can be shown here and are wanted. */
export const wantsColour = (stream: Pick<WriteStream, "isTTY">): boolean =>
  stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
