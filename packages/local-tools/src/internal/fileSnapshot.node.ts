import { createHash, hash } from "node:crypto";
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { type FileState, ToolFailed } from "@kumiko/plugin-api";
import { openFile } from "../TextFile.node.ts";

/**
 * Files up to this size are known to the session by their digest. Workload: source files, data and logs that are
 * edited. Symptom when it binds: a larger file can be read in parts, but neither edited nor replaced by these tools.
 */
export const maxKnownBytes = 64 * 1024 * 1024;

/** The content of a larger file is not kept for undoing. Symptom: a rewind says that this file cannot be put back. */
export const maxKeptBytes = 10 * 1024 * 1024;

const chunkBytes = 1024 * 1024;

/** A regular file at some moment. */
export interface FileSnapshot {
  readonly stats: Stats;
  readonly state: FileState;
  /** The whole content, where it is no larger than was asked for. */
  readonly bytes?: Buffer;
}

/** Looks at a regular file: digest, mode, size, and its content up to `maxBytes`. Fails with a `ToolFailed`. */
export const snapshotOf = async (path: string, shown: string, maxBytes: number): Promise<FileSnapshot> => {
  const file = await openFile(path, shown);
  try {
    const stats = await file.stat();
    const whole = stats.size <= maxBytes ? await readWhole(file, stats.size, maxBytes, shown) : undefined;
    const [digest, sizeBytes] = whole === undefined ? await digestOf(file) : [hash("sha256", whole), whole.length];
    const state = { digest, mode: stats.mode & 0o7777, sizeBytes };
    return { stats, state, ...(whole === undefined ? {} : { bytes: whole }) };
  } finally {
    await file.close();
  }
};

// The size is a guess: files of /proc have none, others may grow meanwhile.
const readWhole = async (file: FileHandle, size: number, maxBytes: number, shown: string): Promise<Buffer> => {
  let buffer = Buffer.allocUnsafe(size + 1);
  for (let length = 0; ;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, null);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length < buffer.length) continue;
    if (length > maxBytes) throw grown(shown);
    buffer = Buffer.concat([buffer], Math.min(length * 2 + 4096, maxBytes + 1));
  }
};

const grown = (shown: string): ToolFailed =>
  new ToolFailed({
    kind: "transient",
    detail: `${shown}: it grew while it was read.`,
    hint: "Something is writing to it; try again when that has ended.",
  });

const digestOf = async (file: FileHandle): Promise<readonly [digest: string, sizeBytes: number]> => {
  const digest = createHash("sha256");
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let sizeBytes = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
    if (bytesRead === 0) return [digest.digest("hex"), sizeBytes];
    digest.update(chunk.subarray(0, bytesRead));
    sizeBytes += bytesRead;
  }
};

/** The first bytes of a regular file, enough to tell text from binary. */
export const firstBytesOf = async (path: string, shown: string): Promise<Buffer> => {
  const file = await openFile(path, shown);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8192), 0, 8192, null);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
