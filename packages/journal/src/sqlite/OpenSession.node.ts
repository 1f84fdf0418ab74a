import { chmodSync, existsSync, statSync } from "node:fs";
import type { AppendOptions, JournalEntry } from "@kumiko/runtime-api";
import { DatabaseFailed, type FileLock, syncFile, takeFileLock } from "@kumiko/sqlite";
import { recordsIn } from "./batches.node.ts";
import { finishRepair, salvage } from "./salvage.node.ts";
import { SessionFile } from "./SessionFile.node.ts";

/**
 * A session open for writing: it holds the lock. The file is made by the first append, so that a session that never had
 * one leaves none behind.
 */
export class OpenSession {
  readonly epoch: number;
  readonly repair: string | undefined;
  readonly #streamId: string;
  readonly #path: string;
  readonly #lock: FileLock;
  #file: SessionFile | undefined;
  #head = 0;
  #inode: number | undefined;
  #isUnsynced = true;
  #isClosed = false;

  /** Throws `DatabaseFailed`: `locked` where another writer has the session. */
  constructor(streamId: string, path: string, now: number) {
    this.#streamId = streamId;
    this.#path = path;
    this.#lock = takeFileLock(`${path}.lock`);
    try {
      finishRepair(path);
      if (existsSync(path)) {
        const { file, repair } = openWhole(path, now);
        this.#file = file;
        this.#head = file.head;
        this.repair = repair;
        this.epoch = file.begin(streamId);
      } else this.epoch = 1;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get head(): number {
    return this.#head;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Undefined: nothing has been written yet. */
  get file(): SessionFile | undefined {
    return this.#file;
  }

  append(entries: ReadonlyArray<JournalEntry>, options: AppendOptions, time: number): number {
    const file = this.fileForWriting();
    this.#inode ??= inodeOf(this.#path);
    if (inodeOf(this.#path) !== this.#inode)
      throw new DatabaseFailed({
        reason: "missing",
        path: this.#path,
        detail: "the file was removed or replaced while it was open: what is written now would be lost",
      });
    // Once a session: from then on the log is all that changes between two commits.
    if (options.flush === true && this.#isUnsynced) {
      syncFile(this.#path);
      this.#isUnsynced = false;
    }
    file.append({ firstSeq: this.#head + 1, epoch: this.epoch, time, entries, options });
    this.#head += entries.length;
    return this.#head;
  }

  fileForWriting(): SessionFile {
    if (this.#file === undefined) {
      this.#file = new SessionFile(this.#path, { mode: "create" });
      // Transcripts are their owner's alone, also in a folder that is not.
      chmodSync(this.#path, 0o600);
      this.#file.begin(this.#streamId);
    }
    return this.#file;
  }

  close(): void {
    this.#isClosed = true;
    this.#file?.close();
    this.#lock.release();
  }
}

// Every append is looked at once before a session goes on: what is damaged is found now, not in the middle of a run.
const openWhole = (path: string, now: number): { readonly file: SessionFile; readonly repair: string | undefined } => {
  const wasEmpty = statSync(path).size === 0 && !existsSync(`${path}-wal`);
  const opened = openOrDamage(path);
  if (typeof opened === "string") return mended(path, opened, now);
  const damage = damageOf(opened);
  if (damage === undefined)
    return {
      file: opened,
      repair: wasEmpty ? "the session file was empty: if it held anything, that is lost" : undefined,
    };
  opened.close();
  return mended(path, damage, now);
};

const openOrDamage = (path: string): SessionFile | string => {
  try {
    return new SessionFile(path, { mode: "write" });
  } catch (error) {
    if (error instanceof DatabaseFailed && error.reason === "corrupt") return error.detail;
    throw error;
  }
};

const mended = (path: string, damage: string, now: number): { readonly file: SessionFile; readonly repair: string } => {
  const repair = salvage(path, damage, now);
  return { file: new SessionFile(path, { mode: "write" }), repair };
};

const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? 0;

let wholeSchema: string | undefined;
const schemaOfNew = (): string => {
  const file = new SessionFile(":memory:", { mode: "create" });
  try {
    return file.schema;
  } finally {
    file.close();
  }
};

const damageOf = (file: SessionFile): string | undefined => {
  try {
    if (file.schema !== (wholeSchema ??= schemaOfNew())) return "its tables are not declared as they should be";
    const { soundness } = file;
    if (soundness !== "ok") return soundness;
    let last = 0;
    for (const batch of file.batches()) {
      if (batch.firstSeq !== last + 1) return `records ${last + 1} to ${batch.firstSeq - 1} are missing`;
      recordsIn(file.path, batch);
      last = batch.lastSeq;
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
