/** Where in a reply a frame stands; faults name places by it. */
export type FramePlace =
  | "start"
  | "ping"
  | "reasoning"
  | "text"
  | "call-start"
  | "arguments"
  | "call-end"
  | "finish"
  | "terminator";

/** One server-sent event of a reply. */
export interface Frame {
  readonly place: FramePlace;
  /** The `event:` line; Chat Completions has none. */
  readonly name?: string;
  readonly data: string;
}

/** The bytes' text of a frame. */
export const textOfFrame = ({ name, data }: Frame): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${data}\n\n`;
