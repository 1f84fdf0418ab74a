import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { auditFiles } from "@kumiko/local-tools";
import { AuditRecord } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { messageOf } from "../messageOf.ts";

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(AuditRecord));

/** A line of a log: a record, or what is none. A line may be cut off where a disk was full. */
export const readLine = (line: string): AuditRecord | undefined => Result.getOrElse(decode(line), () => undefined);

/** What was found in a log. */
export interface FoundRecords {
  /** In the order they were written. */
  readonly records: ReadonlyArray<AuditRecord>;
  /** Lines that are no records. */
  readonly damaged: number;
  /** Where the file that is written to ended. */
  readonly end: number;
}

/** The last `limit` records that are wanted, of all files of a log. Only as many files are read as are needed. */
export const readAudit = async (
  file: string,
  isWanted: (record: AuditRecord) => boolean,
  limit: number,
): Promise<FoundRecords> => {
  let records: Array<AuditRecord> = [];
  let damaged = 0;
  let end = 0;
  for (const path of (await auditFiles(file)).toReversed()) {
    const size = await sizeOf(path);
    if (path === file) end = size;
    const found: Array<AuditRecord> = [];
    for await (const line of linesOf(path, size)) {
      const record = readLine(line);
      if (record === undefined) damaged++;
      else if (isWanted(record)) found.push(record);
      if (found.length > 2 * limit) found.splice(0, found.length - limit);
    }
    records = [...found, ...records].slice(-limit);
    if (records.length >= limit) break;
  }
  return { records, damaged, end };
};

/** A record is well below; what is longer is no log. */
const maxLineCharacters = 1024 * 1024;

// Lines end with a line feed and nothing else: texts hold whatever else counts as one elsewhere.
async function* linesOf(path: string, size: number): AsyncGenerator<string> {
  if (size === 0) return;
  let rest = "";
  for await (const chunk of createReadStream(path, { encoding: "utf8", end: size - 1 })) {
    const [first = "", ...more] = String(chunk).split("\n");
    const lines = [rest.length > maxLineCharacters ? rest : rest + first, ...more];
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield line;
  }
  if (rest !== "") yield rest;
}

const sizeOf = async (path: string): Promise<number> => {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error(`${path} is no regular file`);
    return found.size;
  } catch (error) {
    // Not begun, or set aside this moment.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw new Error(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
};

const lookMillis = 300;

/** What is appended from `from` on, also in the file that comes after it; ends with `signal`. */
export async function* followAudit(file: string, from: number, signal: AbortSignal): AsyncGenerator<string> {
  let at = from;
  let inode: bigint | undefined;
  while (!signal.aborted) {
    try {
      await using handle = await open(file, "r");
      const { ino, size } = await handle.stat({ bigint: true });
      if ((inode !== undefined && ino !== inode) || Number(size) < at) at = 0;
      inode = ino;
      const buffer = Buffer.alloc(Math.min(Number(size) - at, 1024 * 1024));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      // A character may be cut at the end of what was read: only whole lines count.
      const whole = buffer.subarray(0, bytesRead).lastIndexOf(0x0a) + 1;
      at += whole;
      for (const line of buffer.toString("utf8", 0, whole).split("\n")) if (line !== "") yield line;
      if (whole > 0) continue;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
    await new Promise<void>((done) => {
      const timer = setTimeout(done, lookMillis);
      signal.addEventListener("abort", () => (clearTimeout(timer), done()), { once: true });
    });
  }
}
