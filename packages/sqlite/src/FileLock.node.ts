import { DatabaseSync } from "node:sqlite";
import { DatabaseFailed } from "./DatabaseFailed.ts";
import { databaseFailure } from "./databaseFailure.node.ts";

/** Of several that try at the same moment, SQLite turns all away unless each tries again for a little while. */
const retryMillis = 50;

// A connection that nothing refers to is closed by the garbage collector, and its lock with it.
const holding = new Set<DatabaseSync>();

/** A lock that is held. */
export interface FileLock {
  /** Frees it. Idempotent. */
  readonly release: () => void;
}

/**
 * Takes the lock that the file at `path` stands for; the file is made and stays. The operating system holds the lock: it
 * is freed when the process dies, however that happens, and never before; a stopped process keeps it. At most one holder,
 * also within one process. Waits for 50 ms at most.
 *
 * Throws {@link DatabaseFailed} with reason `locked` where somebody else holds it.
 */
export const takeFileLock = (path: string): FileLock => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: retryMillis });
    // No page is ever written: the file stays empty, and what counts is the lock on it.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    database.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    const failure = databaseFailure(error, path);
    throw failure.reason === "locked"
      ? new DatabaseFailed({ reason: "locked", path, detail: "another process holds it" })
      : failure;
  }
  const held = database;
  holding.add(held);
  return {
    release: () => {
      holding.delete(held);
      if (held.isOpen) held.close();
    },
  };
};
