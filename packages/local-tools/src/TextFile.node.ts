import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode, fileFailure } from "./fileFailure.ts";

/** Bytes looked at to tell text from binary. */
const probeBytes = 8192;

/** Whether bytes are those of no text: they hold a NUL near their beginning. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, probeBytes).includes(0);

const kinds: ReadonlyArray<readonly [test: (stats: Stats) => boolean, name: string]> = [
  [(stats) => stats.isDirectory(), "a folder"],
  [(stats) => stats.isFIFO(), "a named pipe"],
  [(stats) => stats.isSocket(), "a socket"],
  [(stats) => stats.isCharacterDevice() || stats.isBlockDevice(), "a device"],
];

/** Fails unless `stats` are those of a regular file. */
export const requireFile = (stats: Stats, path: string): void => {
  if (stats.isFile()) return;
  const [, name] = kinds.find(([test]) => test(stats)) ?? [undefined, "no regular file"];
  throw new ToolFailed({
    kind: name === "a folder" ? "validation" : "refused",
    detail: `${path}: it is ${name}, not a file.`,
    hint: name === "a folder" ? "glob lists what it holds." : "Only regular files are read and written.",
  });
};

/**
 * Opens a regular file for reading. Fails with a `ToolFailed` on anything else; a pipe or a device is neither opened for
 * long nor waited for.
 */
export const openFile = async (absolute: string, path: string): Promise<FileHandle> => {
  let file: FileHandle | undefined;
  try {
    // Looked at first, since opening alone may act on a device; and again, since the path may have changed meanwhile.
    requireFile(await stat(absolute), path);
    file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    requireFile(await file.stat(), path);
    return file;
  } catch (error) {
    await file?.close();
    throw fileFailure(error, path);
  }
};

/** What came of reading a file as a whole. */
export type FileContent = { readonly bytes: Buffer } | "binary" | "too-large" | "unreadable" | "gone";

/**
 * Reads a regular file of at most `maxBytes` as a whole, never following a symbolic link at its end. Never fails: what
 * is wrong is the result.
 */
export const readContent = async (absolute: string, maxBytes: number): Promise<FileContent> => {
  let file: FileHandle | undefined;
  try {
    file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW);
    const stats = await file.stat();
    if (!stats.isFile()) return "unreadable";
    if (stats.size > maxBytes) return "too-large";
    return await readAll(file, stats.size, maxBytes);
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR"].includes(errorCode(error));
    return isGone ? "gone" : "unreadable";
  } finally {
    await file?.close();
  }
};

// The size is a guess: files of /proc have none, others may grow meanwhile.
const readAll = async (file: FileHandle, size: number, maxBytes: number): Promise<FileContent> => {
  let buffer = Buffer.allocUnsafe(Math.max(size + 1, probeBytes));
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return { bytes: buffer.subarray(0, length) };
    if (length === 0 && isBinary(buffer.subarray(0, bytesRead))) return "binary";
    length += bytesRead;
    if (length > maxBytes) return "too-large";
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, length);
      buffer = larger;
    }
  }
};
