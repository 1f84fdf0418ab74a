import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DatabaseFailed } from "@kumiko/sqlite";
import { recordsIn } from "./batches.node.ts";
import { SessionFile } from "./SessionFile.node.ts";

/**
 * Mends a damaged session file: what can be read from its start on, up to the first gap, goes into a new file that takes
 * its place; the damaged one is kept beside it. Answers with what was done, for people. The caller holds the lock.
 *
 * Throws `DatabaseFailed` (`corrupt`) where nothing can be saved; the file is then as it was, and copied.
 */
export const salvage = (path: string, damage: string, now: number): string => {
  const backup = freeName(`${path}.damaged-${new Date(now).toISOString().replace(/[:.]/g, "-")}`);
  const part = `${path}.part`;
  const work = `${path}.work`;
  const leftovers = [part, work].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
  for (const file of leftovers) rmSync(file, { force: true });
  copyFileSync(path, backup);
  copyFileSync(path, work);
  fitPageCount(work);
  if (existsSync(`${path}-wal`)) {
    copyFileSync(`${path}-wal`, `${backup}-wal`);
    copyFileSync(`${path}-wal`, `${work}-wal`);
  }
  try {
    const saved = copyReadable(work, part);
    if (saved === 0)
      throw new DatabaseFailed({
        reason: "corrupt",
        path,
        detail: `it is damaged beyond repair: ${damage}. Nothing in it can be read; a copy is at ${backup}. Start a new session`,
      });
    renameSync(part, repairOf(path));
    finishRepair(path);
    return `the session file was damaged (${damage}) and has been mended: records 1 to ${saved} are kept, what came after them is lost. The damaged file is at ${backup}`;
  } finally {
    for (const file of leftovers) rmSync(file, { force: true });
  }
};

/** A mended file that is complete and has not taken its place yet. */
const repairOf = (path: string): string => `${path}.repair`;

/**
 * Puts a mended file in its place, if there is one: also what a process that died in the middle left. The log of the
 * damaged file goes first, since SQLite would take it for the new one's.
 */
export const finishRepair = (path: string): void => {
  if (!existsSync(repairOf(path))) return;
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  renameSync(repairOf(path), path);
};

// SQLite refuses all of a file that is shorter than its header says; the pages that are left can be read all the same.
// Bytes 16 and 28 of the header: https://sqlite.org/fileformat2.html#the_database_header
const fitPageCount = (path: string): void => {
  const { size } = statSync(path);
  if (size < 100) return;
  const file = openSync(path, "r+");
  try {
    const header = Buffer.alloc(100);
    readSync(file, header, 0, 100, 0);
    const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    if (pageSize < 512 || header.readUInt32BE(28) * pageSize <= size) return;
    const pages = Math.ceil(size / pageSize);
    header.writeUInt32BE(pages, 28);
    writeSync(file, header, 0, 100, 0);
    // The last page may be cut in the middle: what is missing of it reads as zeros, which no checksum takes for a record.
    ftruncateSync(file, pages * pageSize);
  } finally {
    closeSync(file);
  }
};

const freeName = (name: string): string => {
  let free = name;
  for (let n = 2; existsSync(free); n++) free = `${name}-${n}`;
  return free;
};

// Copies whole appends until one is damaged or missing; of what hangs on them, whatever can be read.
const copyReadable = (from: string, to: string): number => {
  let source: DatabaseSync | undefined;
  const target = new SessionFile(to, { mode: "create" });
  let last = 0;
  try {
    source = new DatabaseSync(from);
    const insert = target.database.prepare("INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?)");
    target.transaction(() => {
      if (source === undefined) return;
      readable(source, "SELECT first_seq, last_seq, epoch, time, crc, entries FROM batch ORDER BY first_seq", (row) => {
        const [firstSeq, lastSeq, epoch, time, crc] = row.slice(0, 5).map(Number);
        const entries = row[5];
        if (firstSeq === undefined || lastSeq === undefined || epoch === undefined || time === undefined) return false;
        if (firstSeq !== last + 1 || crc === undefined || typeof entries !== "string") return false;
        recordsIn(from, { firstSeq, lastSeq, epoch, time, crc, entries });
        insert.run(firstSeq, lastSeq, epoch, time, crc, entries);
        last = lastSeq;
        return true;
      });
      copyTable(source, target, "meta", 2);
      copyTable(source, target, "blob", 2);
      copyTable(source, target, "question", 6);
      copyTable(source, target, "inbox", 5);
    });
  } finally {
    source?.close();
    target.close();
  }
  return last;
};

type Row = ReadonlyArray<unknown>;

// Damage shows as an error on the way: what was read before it counts.
const readable = (source: DatabaseSync, sql: string, take: (row: Row) => boolean): void => {
  try {
    const statement = source.prepare(sql);
    statement.setReturnArrays(true);
    const rows: Iterable<unknown> = statement.iterate();
    for (const row of rows) if (!take(Array.isArray(row) ? row : [])) return;
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
};

const copyTable = (source: DatabaseSync, target: SessionFile, table: string, columns: number): void => {
  const insert = target.database.prepare(
    `INSERT OR IGNORE INTO ${table} VALUES (${Array(columns).fill("?").join(", ")})`,
  );
  readable(source, `SELECT * FROM ${table}`, (row) => {
    insert.run(...row.map(storable));
    return true;
  });
};

const storable = (value: unknown): string | number | null | Uint8Array =>
  typeof value === "string" || typeof value === "number" || value instanceof Uint8Array ? value : null;

/** `SQLITE_ERROR` (a table is gone), `SQLITE_CORRUPT`, `SQLITE_NOTADB`, a constraint that damaged rows break, and our own findings. */
const damageCodes: ReadonlySet<unknown> = new Set([1, 11, 19, 26]);

const isDamage = (error: unknown): boolean =>
  error instanceof DatabaseFailed ||
  error instanceof SyntaxError ||
  (typeof error === "object" &&
    error !== null &&
    "errcode" in error &&
    typeof error.errcode === "number" &&
    damageCodes.has(error.errcode & 0xff));
