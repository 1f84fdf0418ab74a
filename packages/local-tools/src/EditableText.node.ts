import { isUtf8 } from "node:buffer";
import { ToolFailed } from "@kumiko/plugin-api";
import { isBinary } from "./TextFile.node.ts";

/** How the lines of a text end; a text with one line or none counts as `lf`. */
export type LineEnds = "lf" | "crlf" | "mixed";

/** A text file in bytes, as edits see it. */
export interface EditableText {
  /** The byte order mark, where the file begins with one; kept as it is. */
  readonly mark: Buffer;
  /** All the rest. */
  readonly body: Buffer;
  readonly lineEnds: LineEnds;
}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Takes a file for text. Fails with a `ToolFailed` on what is no UTF-8: edits would damage it. */
export const editableText = (bytes: Buffer, shown: string): EditableText => {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw refused(
      `${shown}: it is UTF-16 text, which file_edit does not change.`,
      "Convert it to UTF-8 with a command first.",
    );
  if (isBinary(bytes))
    throw refused(`${shown}: it is a binary file, which file_edit does not change.`, "Use a command.");
  if (!isUtf8(bytes))
    throw refused(
      `${shown}: line ${invalidLine(bytes)} is not UTF-8; file_edit changes UTF-8 text only.`,
      "Change it with a command, or convert it to UTF-8 first.",
    );
  const hasMark = bytes.subarray(0, utf8Mark.length).equals(utf8Mark);
  const body = hasMark ? bytes.subarray(utf8Mark.length) : bytes;
  return { mark: hasMark ? utf8Mark : Buffer.alloc(0), body, lineEnds: lineEndsOf(body) };
};

const refused = (detail: string, hint: string): ToolFailed => new ToolFailed({ kind: "refused", detail, hint });

const invalidLine = (bytes: Buffer): number => {
  let start = 0;
  for (let number = 1; ; number++) {
    const end = bytes.indexOf(10, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return number;
    start = end + 1;
  }
};

const lineEndsOf = (body: Buffer): LineEnds => {
  const pair = body.indexOf("\r\n");
  if (pair < 0) return "lf";
  for (let at = body.indexOf(10); at >= 0; at = body.indexOf(10, at + 1)) if (body[at - 1] !== 13) return "mixed";
  return "crlf";
};
