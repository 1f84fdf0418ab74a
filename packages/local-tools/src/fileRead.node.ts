import { isUtf8 } from "node:buffer";
import { createHash, hash } from "node:crypto";
import { type FileHandle, realpath } from "node:fs/promises";
import { defineTool, type ImagePart, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { fileKind, imageSize, maxImageBytes } from "./FileKind.ts";
import { abortable } from "./internal/abortable.ts";
import { count } from "./internal/count.ts";
import { maxKnownBytes } from "./internal/fileSnapshot.node.ts";
import { absolutePath, fileResource } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { isBinary, openFile } from "./TextFile.node.ts";

/** Lines shown where the model names no limit: a long source file. */
const defaultLines = 2000;
const maxLines = 10_000;
/** Bytes of one line that are shown; a line that is longer is data, not prose or code. */
const maxLineBytes = 2000;
/** Bytes of lines shown in one result; the model is told how to read on. */
const maxOutputBytes = 100_000;
const chunkBytes = 64 * 1024;
/** Bytes of a file in UTF-16, which is read as a whole. */
const maxUtf16Bytes = 16 * 1024 * 1024;
/** The rest of a file, of which only the digest is wanted, goes by in larger pieces. */
const restChunkBytes = 1024 * 1024;

const Input = Schema.Struct({
  path: Schema.String.annotate({ description: "File, relative to the working folder or absolute." }),
  offset: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "First line, from 1. Default 1." }),
  ),
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxLines })).annotate({
      description: `Number of lines. Default ${defaultLines}.`,
    }),
  ),
});

/**
 * The tool `file_read`; relative paths start at the run's folder. Whatever part is shown, the session comes to know the
 * digest of the whole file, up to 64 MB: that is what allows it to be edited or replaced.
 */
export const fileRead = (): Tool =>
  defineTool({
    name: "file_read",
    description:
      `Reads a text file, or shows an image. Each line comes as its number, a tab, and its text. Shows up to ${defaultLines} ` +
      `lines and ${maxOutputBytes / 1000} KB at once and says how to read on; lines over ${maxLineBytes} bytes are cut. Notes ` +
      "stand in parentheses at the end. Refuses other binary files, folders, pipes and devices.",
    input: Input,
    risk: "read",
    cacheable: true,
    resources: ({ path }, cwd) => [fileResource(cwd, path, "read")],
    execute: ({ path, offset = 1, limit = defaultLines }, { cwd }) =>
      abortable(async (signal) => {
        const shown = shownPath(path);
        const absolute = absolutePath(cwd, path);
        const file = await openFile(absolute, shown);
        try {
          const found = await readLines(file, { path: shown, offset, limit, signal });
          const { digest, image, text } = found;
          return {
            text,
            ...(image === undefined ? {} : { images: [image] }),
            ...(digest === undefined ? {} : { files: [{ path: await realpath(absolute), digest }] }),
          };
        } finally {
          await file.close();
        }
      }),
  });

interface Wanted {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

interface ReadLines {
  readonly text: string;
  readonly image?: ImagePart;
  /** Of the whole file; undefined where it is too large, or has no end that can be known. */
  readonly digest: string | undefined;
}

const readLines = async (file: FileHandle, wanted: Wanted): Promise<ReadLines> => {
  const page = makePage(wanted);
  const { size } = await file.stat();
  const digest = createHash("sha256");
  let chunk = Buffer.allocUnsafe(chunkBytes);
  let sizeBytes = 0;
  let isFull = false;
  while (!wanted.signal.aborted) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0)
      return { text: page.text(), digest: sizeBytes > maxKnownBytes ? undefined : digest.digest("hex") };
    const bytes = chunk.subarray(0, bytesRead);
    if (sizeBytes === 0) {
      const whole = await readWhole(file, wanted, size, bytes);
      if (whole !== undefined) return whole;
    }
    sizeBytes += bytesRead;
    if (sizeBytes <= maxKnownBytes) digest.update(bytes);
    if (!isFull) {
      isFull = page.take(bytes);
      if (isFull) chunk = Buffer.allocUnsafe(restChunkBytes);
    }
    // What has no size, as files of /proc, need not have an end either.
    if (isFull && (size === 0 || Math.max(size, sizeBytes) > maxKnownBytes)) break;
  }
  return { text: page.text(), digest: undefined };
};

// What is no UTF-8 text, in one piece; undefined: read on line by line.
const readWhole = async (
  file: FileHandle,
  wanted: Wanted,
  size: number,
  first: Buffer,
): Promise<ReadLines | undefined> => {
  const kind = fileKind(first);
  const utf16 = utf16Of(first);
  const shown = `${wanted.path}: it is ${utf16 === undefined ? (kind?.name ?? "a binary file") : "UTF-16 text"} of ${size} bytes`;
  if (utf16 === undefined && kind?.mediaType === undefined) {
    if (!isBinary(first)) return undefined;
    throw refused(`${shown}, which file_read does not show.`, kind?.hint ?? "file and xxd tell more.");
  }
  const most = utf16 === undefined ? maxImageBytes : maxUtf16Bytes;
  if (size > most)
    throw refused(
      `${shown}, more than the ${most} that can be shown.`,
      utf16 === undefined ? "Make a smaller copy with a command first." : "Convert it to UTF-8 with a command first.",
    );
  const bytes = await restOf(file, first, most);
  if (bytes === undefined)
    throw refused(`${wanted.path}: it grows while it is read.`, "Try again when it is complete.");
  const digest = hash("sha256", bytes);
  if (utf16 !== undefined) {
    const page = makePage(wanted);
    page.take(Buffer.from(new TextDecoder(utf16).decode(bytes), "utf8"));
    return {
      text: `${page.text()}\n(the file is ${utf16.toUpperCase()}; file_edit and file_write know UTF-8 only)`,
      digest,
    };
  }
  if (kind?.mediaType === undefined) return undefined;
  const measure = imageSize(bytes, kind);
  const dimensions = measure === undefined ? "" : `, ${measure.width} × ${measure.height}`;
  return {
    text: `(${kind.name}${dimensions}, ${bytes.length} bytes)`,
    image: { type: "image", mediaType: kind.mediaType, data: bytes.toString("base64") },
    digest,
  };
};

const utf16Of = (bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : undefined;
};

const restOf = async (file: FileHandle, first: Buffer, most: number): Promise<Buffer | undefined> => {
  const pieces = [Buffer.from(first)];
  let length = first.length;
  for (;;) {
    const piece = Buffer.allocUnsafe(chunkBytes);
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return Buffer.concat(pieces);
    length += bytesRead;
    if (length > most) return undefined;
    pieces.push(piece.subarray(0, bytesRead));
  }
};

const refused = (detail: string, hint: string): ToolFailed => new ToolFailed({ kind: "refused", detail, hint });

interface Page {
  /** Takes the next bytes of the file. True: nothing more is wanted. */
  readonly take: (bytes: Buffer) => boolean;
  readonly text: () => string;
}

// Gathers the lines that are wanted; of all others, and of what is cut, only the numbers are kept.
const makePage = ({ offset, limit }: Wanted): Page => {
  const lines: Array<string> = [];
  let number = 1;
  let kept: Array<Buffer> = [];
  let keptBytes = 0;
  let lineBytes = 0;
  let outputBytes = 0;
  let isOver = false;
  let isInvalid = false;
  let isLatin1 = false;
  let carriageReturns = 0;

  const isWanted = (): boolean => number >= offset && number < offset + limit;

  const keep = (bytes: Buffer): void => {
    lineBytes += bytes.length;
    // Three bytes more than shown, so that a character at the cut is whole.
    const piece = bytes.subarray(0, Math.max(0, maxLineBytes + 3 - keptBytes));
    if (!isWanted() || piece.length === 0) return;
    kept.push(Buffer.from(piece));
    keptBytes += piece.length;
  };

  const endLine = (): void => {
    if (isWanted()) {
      const line = shownLine(Buffer.concat(kept), lineBytes);
      isInvalid ||= line.encoding === "unknown";
      isLatin1 ||= line.encoding === "latin1";
      if (line.hasCarriageReturn) carriageReturns++;
      lines.push(`${number}\t${line.text}`);
      outputBytes += line.text.length;
    }
    number++;
    kept = [];
    keptBytes = 0;
    lineBytes = 0;
  };

  return {
    take: (bytes) => {
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        if (number >= offset + limit || outputBytes >= maxOutputBytes) break;
        keep(bytes.subarray(start, end));
        endLine();
        start = end + 1;
      }
      // A byte after the last wanted line shows that there are more.
      isOver = start < bytes.length && (number >= offset + limit || outputBytes >= maxOutputBytes);
      if (!isOver) keep(bytes.subarray(start));
      return isOver;
    },
    text: () => {
      if (!isOver && lineBytes > 0) endLine();
      const total = number - 1;
      if (total === 0) return "(the file is empty)";
      if (lines.length === 0) return `(the file has ${count(total, "line")}; offset ${offset} is past its end)`;
      const notes = [
        ...(isOver ? [`(more follows: read on with offset ${number})`] : []),
        ...(isInvalid ? ["(not all of it is UTF-8: what cannot be read is shown as \ufffd)"] : []),
        ...(isLatin1 ? ["(not all of it is UTF-8: such lines are read as Latin-1; file_edit knows UTF-8 only)"] : []),
        ...(carriageReturns === 0 ? [] : [`(${carriageReturns === lines.length ? "the" : "some"} lines end in CRLF)`]),
      ];
      return [...lines, ...notes].join("\n");
    },
  };
};

interface ShownLine {
  readonly text: string;
  readonly encoding: "utf8" | "latin1" | "unknown";
  readonly hasCarriageReturn: boolean;
}

const shownLine = (kept: Buffer, lineBytes: number): ShownLine => {
  const isCut = lineBytes > maxLineBytes;
  const bytes = isCut ? kept.subarray(0, characterEnd(kept, maxLineBytes)) : kept;
  const hasCarriageReturn = !isCut && bytes.at(-1) === 13;
  const encoding = isUtf8(bytes) ? "utf8" : isLatin1Text(bytes) ? "latin1" : "unknown";
  const whole = hasCarriageReturn ? bytes.subarray(0, -1) : bytes;
  const text = whole.toString(encoding === "latin1" ? "latin1" : "utf8");
  return {
    text: isCut ? `${text} … (cut: ${lineBytes - bytes.length} more bytes in this line)` : text,
    encoding,
    hasCarriageReturn,
  };
};

// Control characters are in no text.
const isLatin1Text = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte >= 0xa0 || (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 13);

// The last place at or before `at` where no character is cut.
const characterEnd = (bytes: Buffer, at: number): number => {
  for (let end = at; end > at - 4; end--) if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return end;
  return at;
};
