import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { JournalFailed } from "@kumiko/runtime-api";
import { DatabaseFailed, databaseFailure } from "@kumiko/sqlite";
import { fileNameOf, streamIdOf } from "./fileNames.node.ts";
import { OpenSession } from "./OpenSession.node.ts";
import { SessionFile } from "./SessionFile.node.ts";

/** A folder of session files, and those of them that this process writes. */
export class SessionFolder {
  readonly directory: string;
  readonly #open = new Map<string, OpenSession>();

  constructor(directory: string) {
    this.directory = directory;
  }

  pathOf(streamId: string): string {
    return join(this.directory, fileNameOf(streamId));
  }

  /** The session as this process has it open, if it does. */
  opened(streamId: string): OpenSession | undefined {
    return this.#open.get(streamId);
  }

  open(streamId: string, now: number): OpenSession {
    const path = this.pathOf(streamId);
    // Two that differ only there would have one file.
    if (!streamId.isWellFormed())
      throw new DatabaseFailed({
        reason: "unavailable",
        path,
        detail: "the session's name is no text (a lone surrogate)",
      });
    try {
      // Transcripts are their owner's alone.
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw databaseFailure(error, this.directory);
    }
    const session = this.#opening(streamId, path, now);
    this.#open.set(streamId, session);
    return session;
  }

  #opening(streamId: string, path: string, now: number): OpenSession {
    try {
      return new OpenSession(streamId, path, now);
    } catch (error) {
      if (!(error instanceof DatabaseFailed) || error.reason !== "locked") throw error;
      throw new JournalFailed({
        reason: "locked",
        streamId,
        detail: `session ${streamId} is in use by ${this.#holder(streamId)}; wait for it to end, or send to it instead`,
      });
    }
  }

  // Who holds the lock is known from the file, where it can be read; a stopped process is found this way too.
  #holder(streamId: string): string {
    if (this.#open.has(streamId)) return "this process already";
    try {
      const writer = this.using(streamId, "read", (file) => file.writer);
      return writer === undefined ? "another process" : `another process (${writer})`;
    } catch {
      return "another process";
    }
  }

  close(streamId: string, session: OpenSession): void {
    if (this.#open.get(streamId) === session) this.#open.delete(streamId);
    session.close();
  }

  /** Uses a session's file: the open one, or one that is opened for this. Undefined: there is no such session. */
  using<A>(streamId: string, mode: "read" | "write", use: (file: SessionFile) => A): A | undefined {
    const open = this.#open.get(streamId);
    if (open !== undefined) return open.file === undefined ? undefined : use(open.file);
    const path = this.pathOf(streamId);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    // Also to read: a reader of a file that nobody has open must be able to make its index.
    const file = new SessionFile(path, { mode: mode === "read" ? "write" : mode });
    try {
      if (file.streamId !== undefined && file.streamId !== streamId) return undefined;
      return use(file);
    } finally {
      file.close();
    }
  }

  /** The sessions there are, oldest first. What is no session file is passed over. */
  streams(): ReadonlyArray<string> {
    let names: ReadonlyArray<string>;
    try {
      names = readdirSync(this.directory);
    } catch (error) {
      const failure = databaseFailure(error, this.directory);
      if (failure.reason === "missing") return [];
      throw failure;
    }
    const found = names.flatMap((name) => {
      if (!name.endsWith(".db")) return [];
      const path = join(this.directory, name);
      const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats?.isFile() !== true) return [];
      const streamId = streamIdOf(name) ?? longIdOf(path);
      return streamId === undefined ? [] : [{ streamId, born: stats.birthtimeNs }];
    });
    return found.toSorted((a, b) => (a.born < b.born ? -1 : a.born > b.born ? 1 : 0)).map(({ streamId }) => streamId);
  }

  /** Removes a session for good. False: there is none. Throws `DatabaseFailed` (`locked`) while it is being written. */
  remove(streamId: string, now: number): boolean {
    const path = this.pathOf(streamId);
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
    if (this.#open.has(streamId))
      throw new DatabaseFailed({ reason: "locked", path, detail: "this process is writing to it" });
    // Only who has the lock may: another process may be at work.
    const session = lockFor(streamId, path, now);
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    session?.close();
    for (const suffix of [".lock", ".lock-journal"]) rmSync(path + suffix, { force: true });
    return true;
  }
}

// A damaged file can be removed as well.
const lockFor = (streamId: string, path: string, now: number): OpenSession | undefined => {
  try {
    return new OpenSession(streamId, path, now);
  } catch (error) {
    if (error instanceof DatabaseFailed && error.reason !== "locked") return undefined;
    throw error;
  }
};

const longIdOf = (path: string): string | undefined => {
  try {
    const file = new SessionFile(path, { mode: "write" });
    try {
      return file.streamId;
    } finally {
      file.close();
    }
  } catch {
    return undefined; // no session file, or one that nobody can read: it has no name to list it by
  }
};

/** What went wrong with a session's file, as the journal says it. */
export const journalFailure = (error: unknown, streamId: string, path: string): JournalFailed => {
  if (error instanceof JournalFailed) return error;
  const { detail, reason } = databaseFailure(error, path);
  if (reason === "locked")
    return new JournalFailed({
      reason: "locked",
      streamId,
      detail: `session ${streamId} is in use by another process; wait for it to end, or send to it instead`,
    });
  return new JournalFailed({
    reason: reason === "missing" ? "unavailable" : reason,
    streamId,
    detail: `session ${streamId} (${path}): ${detail}`,
  });
};
