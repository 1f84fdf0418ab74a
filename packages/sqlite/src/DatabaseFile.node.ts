import { closeSync, existsSync, fsyncSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DatabaseFailed } from "./DatabaseFailed.ts";
import { databaseFailure } from "./databaseFailure.node.ts";

/** What a kind of database file is: whose it is, and how its tables came to be. */
export interface DatabaseKind {
  /** SQLite's `application_id`: a 32-bit number of the program's own, so that no other file is taken for one of ours. */
  readonly applicationId: number;
  /** What people call it, for errors: "session file". */
  readonly name: string;
  /** The n-th brings version n - 1 to n; each runs once, in one transaction. Never change one that was released. */
  readonly migrations: ReadonlyArray<string>;
}

export interface OpenOptions {
  /** `create`: make it if it is missing; `write`: it must be there; `read`: nothing is written. */
  readonly mode: "create" | "write" | "read";
  /** How long a statement waits for another process's write, in milliseconds. Blocks the thread. Default 2000. */
  readonly busyTimeoutMillis?: number;
}

/**
 * Opens a database file and brings it up to date. WAL: readers and the writer do not hold one another up; a commit
 * survives the death of the process, and a loss of power where `synchronous` is raised to FULL for it.
 *
 * Throws {@link DatabaseFailed}; the file is then as it was.
 *
 * @example
 * ```ts
 * const notes = { applicationId: 0x6e6f7465, name: "notebook", migrations: ["CREATE TABLE note (text TEXT NOT NULL)"] }
 * const database = openDatabase(":memory:", notes, { mode: "create" })
 * database.exec("INSERT INTO note VALUES ('buy milk')")
 * database.prepare("SELECT count(*) AS notes FROM note").get()?.["notes"] // => 1
 * ```
 */
export const openDatabase = (path: string, kind: DatabaseKind, options: OpenOptions): DatabaseSync => {
  const { busyTimeoutMillis = 2000, mode } = options;
  const isFile = path !== ":memory:";
  const exists = isFile && existsSync(path);
  if (isFile && !exists && mode !== "create")
    throw new DatabaseFailed({ reason: "missing", path, detail: `there is no such ${kind.name}` });
  if (exists) checkHeader(path, kind);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: mode === "read", timeout: busyTimeoutMillis });
    bringUp(database, path, kind, mode);
    return database;
  } catch (error) {
    database?.close();
    throw databaseFailure(error, path);
  }
};

const bringUp = (database: DatabaseSync, path: string, kind: DatabaseKind, mode: OpenOptions["mode"]): void => {
  const wanted = kind.migrations.length;
  let version = numberFrom(database, "user_version");
  const isOurs = numberFrom(database, "application_id") === kind.applicationId;
  if (!isOurs && (version > 0 || database.prepare("SELECT 1 FROM sqlite_schema").get() !== undefined))
    throw foreign(path, kind);
  if (version > wanted) throw newer(path, kind, version);
  // Only now: what is not ours stays as it is.
  if (mode !== "read") {
    // A new file is made without waiting for the disk a dozen times: whoever needs it to survive a loss of power says so
    // with its first commit, by `syncFile`.
    if (version === 0) database.exec("PRAGMA synchronous = OFF");
    database.exec("PRAGMA journal_mode = WAL");
    if (version > 0) database.exec("PRAGMA synchronous = NORMAL");
  }
  if (version === wanted) return;
  if (mode === "read")
    throw new DatabaseFailed({
      reason: "unavailable",
      path,
      detail: `this ${kind.name} is of an older version and has to be opened for writing once`,
    });
  database.exec("BEGIN IMMEDIATE");
  try {
    // Somebody else may have done it while this waited for the lock.
    version = numberFrom(database, "user_version");
    if (version > wanted) throw newer(path, kind, version);
    if (version === 0) database.exec(`PRAGMA application_id = ${kind.applicationId}`);
    for (const migration of kind.migrations.slice(version)) database.exec(migration);
    database.exec(`PRAGMA user_version = ${wanted}`);
    database.exec("COMMIT");
    database.exec("PRAGMA synchronous = NORMAL");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
};

/**
 * Waits until a file and its name in its folder are on the disk. For a file that was just made: what SQLite syncs with
 * a commit is its log alone.
 */
export const syncFile = (path: string): void => {
  for (const each of [path, dirname(path)]) {
    const file = openSync(each, "r");
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
};

const numberFrom = (database: DatabaseSync, pragma: "user_version" | "application_id"): number =>
  Number(Object.values(database.prepare(`PRAGMA ${pragma}`).get() ?? {})[0]);

const headerBytes = 100;

// What SQLite itself would take for damage, or would read as if nothing were missing.
const checkHeader = (path: string, kind: DatabaseKind): void => {
  const header = Buffer.alloc(headerBytes);
  let length = 0;
  let size = 0;
  try {
    const stats = statSync(path);
    if (!stats.isFile())
      throw new DatabaseFailed({ reason: "foreign", path, detail: `it is no file, so it is no ${kind.name}` });
    size = stats.size;
    const file = openSync(path, "r");
    try {
      length = readSync(file, header, 0, headerBytes, 0);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw databaseFailure(error, path);
  }
  // A process may die between making the file and writing its first page.
  if (length === 0) return;
  if (header.toString("latin1", 0, 16).slice(0, length) !== "SQLite format 3\0".slice(0, length))
    throw foreign(path, kind);
  if (length < headerBytes) throw damaged(path, `only ${length} bytes of it are left`);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  const applicationId = header.readInt32BE(68);
  if (header.readUInt32BE(60) > 0 && applicationId !== kind.applicationId) throw foreign(path, kind);
  // Who died while moving pages from the log into the file leaves it short; the log still has them all.
  if (size < pages * pageSize && sizeOf(`${path}-wal`) === 0)
    throw damaged(path, `it is cut off: ${size} bytes of at least ${pages * pageSize} are left`);
};

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const damaged = (path: string, detail: string): DatabaseFailed =>
  new DatabaseFailed({ reason: "corrupt", path, detail });

const foreign = (path: string, kind: DatabaseKind): DatabaseFailed =>
  new DatabaseFailed({ reason: "foreign", path, detail: `it is no ${kind.name}` });

const newer = (path: string, kind: DatabaseKind, version: number): DatabaseFailed =>
  new DatabaseFailed({
    reason: "newer",
    path,
    detail: `this ${kind.name} was written by a later version (format ${version}; this one reads up to ${kind.migrations.length}): update to use it`,
  });
