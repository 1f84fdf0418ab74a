import { crc32 } from "node:zlib";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { AppendOptions, JournalEntry, JournalRecord, Question } from "@kumiko/runtime-api";
import { DatabaseFailed, openDatabase, type OpenOptions } from "@kumiko/sqlite";
import { recordsIn, type StoredBatch } from "./batches.node.ts";
import { sessionKind } from "./sessionKind.ts";

/** A session's file, open. All methods are synchronous and throw `DatabaseFailed` or what `node:sqlite` throws. */
export class SessionFile {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #isFlushing = false;

  constructor(path: string, options: OpenOptions) {
    this.path = path;
    this.database = openDatabase(path, sessionKind, options);
  }

  get streamId(): string | undefined {
    return this.#meta("streamId");
  }

  get head(): number {
    return numberOf(this.#get("SELECT max(last_seq) AS n FROM batch")?.["n"]);
  }

  /** Its tables, as they were declared. */
  get schema(): string {
    return JSON.stringify(this.#statement("SELECT name, sql FROM sqlite_schema ORDER BY name").all());
  }

  /** `ok`, or what is wrong with the structure of the file. Reads all of it: some 10 ms for 5 MB. */
  get soundness(): string {
    return String(Object.values(this.#get("PRAGMA quick_check(1)") ?? {})[0]);
  }

  /** Raised by every commit of another connection. */
  get version(): number {
    return numberOf(this.#get("PRAGMA data_version")?.["data_version"]);
  }

  /** The process that wrote last, or writes now. */
  get writer(): string | undefined {
    return this.#meta("writer");
  }

  /** Notes who writes from now on, and answers with the epoch of the new writer. */
  begin(streamId: string): number {
    return this.transaction(() => {
      const known = this.streamId;
      if (known !== undefined && known !== streamId)
        throw new DatabaseFailed({ reason: "foreign", path: this.path, detail: `it is the file of session ${known}` });
      const epoch = numberOf(this.#meta("epoch")) + 1;
      this.#run("INSERT OR REPLACE INTO meta VALUES ('epoch', ?)", String(epoch));
      this.#run("INSERT OR IGNORE INTO meta VALUES ('streamId', ?)", streamId);
      this.#run("INSERT OR REPLACE INTO meta VALUES ('writer', ?)", String(process.pid));
      return epoch;
    });
  }

  append(append: {
    readonly firstSeq: number;
    readonly epoch: number;
    readonly time: number;
    readonly entries: ReadonlyArray<JournalEntry>;
    readonly options: AppendOptions;
  }): void {
    const { entries, epoch, firstSeq, options, time } = append;
    this.#flushOnCommit(options.flush === true);
    this.transaction(() => {
      if (numberOf(this.#meta("epoch")) !== epoch) throw new LaterWriter(`a later writer has it (after ${epoch})`);
      for (const { bytes, digest } of options.blobs ?? [])
        this.#run("INSERT OR IGNORE INTO blob VALUES (?, ?)", digest, bytes);
      if (options.asks !== undefined) this.addQuestion(options.asks);
      if (options.endsQuestionsOf !== undefined)
        this.#run(
          "UPDATE question SET is_withdrawn = 1 WHERE run_id = ? AND answer IS NULL AND is_withdrawn = 0",
          options.endsQuestionsOf,
        );
      for (const ticket of options.taken ?? []) this.#run("UPDATE inbox SET is_taken = 1 WHERE ticket = ?", ticket);
      if (entries.length === 0) return;
      const text = JSON.stringify(entries.map(({ actor, body, kind }) => [actor, kind === "event" ? 0 : 1, body]));
      const last = firstSeq + entries.length - 1;
      this.#run("INSERT INTO batch VALUES (?, ?, ?, ?, ?, ?)", firstSeq, last, epoch, time, crc32(text), text);
    });
  }

  /** The records from `fromSeq` on, in order. Fails with `corrupt` at the first that is not whole. */
  read(fromSeq: number, limit: number): ReadonlyArray<JournalRecord> {
    const records: Array<JournalRecord> = [];
    for (const batch of this.batches(fromSeq)) {
      for (const record of recordsIn(this.path, batch))
        if (record.seq >= fromSeq && records.length < limit) records.push(record);
      if (records.length >= limit) break;
    }
    return records;
  }

  /** The appends that hold `fromSeq` or later ones, in order. */
  *batches(fromSeq = 1): Generator<StoredBatch> {
    const rows = this.#statement(
      "SELECT first_seq, last_seq, epoch, time, crc, entries FROM batch WHERE first_seq >= (SELECT coalesce(max(first_seq), 0) FROM batch WHERE first_seq <= ?) ORDER BY first_seq",
    ).iterate(fromSeq);
    for (const row of rows)
      yield {
        firstSeq: numberOf(row["first_seq"]),
        lastSeq: numberOf(row["last_seq"]),
        epoch: numberOf(row["epoch"]),
        time: numberOf(row["time"]),
        crc: numberOf(row["crc"]),
        entries: String(row["entries"]),
      };
  }

  blob(digest: string): Uint8Array | undefined {
    const bytes = this.#get("SELECT bytes FROM blob WHERE digest = ?", digest)?.["bytes"];
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  addQuestion(question: Question): void {
    const { expiresAt = null, id, runId } = question;
    this.#run(
      "INSERT OR IGNORE INTO question (id, run_id, body, expires_at) VALUES (?, ?, ?, ?)",
      id,
      runId,
      JSON.stringify(question),
      expiresAt,
    );
  }

  /** A question with what has become of it. */
  question(
    id: string,
  ): { readonly answer: string | null; readonly isWithdrawn: boolean; readonly expiresAt: number } | undefined {
    const row = this.#get("SELECT answer, is_withdrawn, expires_at FROM question WHERE id = ?", id);
    if (row === undefined) return undefined;
    return {
      answer: typeof row["answer"] === "string" ? row["answer"] : null,
      isWithdrawn: row["is_withdrawn"] === 1,
      expiresAt: typeof row["expires_at"] === "number" ? row["expires_at"] : Number.POSITIVE_INFINITY,
    };
  }

  openQuestions(now: number): ReadonlyArray<string> {
    return this.#statement(
      "SELECT body FROM question WHERE answer IS NULL AND is_withdrawn = 0 AND coalesce(expires_at, ?) >= ? ORDER BY rowid",
    )
      .all(now, now)
      .map((row) => String(row["body"]));
  }

  /** True: this answer is the first, and counts. */
  answer(id: string, answer: string, now: number): boolean {
    const { changes } = this.#statement(
      "UPDATE question SET answer = ? WHERE id = ? AND answer IS NULL AND is_withdrawn = 0 AND coalesce(expires_at, ?) >= ?",
    ).run(answer, id, now, now);
    return Number(changes) === 1;
  }

  /** Puts an item in line and answers with its ticket; undefined: the lane is full. */
  post(lane: string, item: string, now: number, capacity: number): number | undefined {
    return this.transaction(() => {
      const waiting = this.#get("SELECT count(*) AS n FROM inbox WHERE lane = ? AND is_taken = 0", lane)?.["n"];
      if (numberOf(waiting) >= capacity) return undefined;
      const insert = this.#statement("INSERT INTO inbox (lane, time, item) VALUES (?, ?, ?)");
      return Number(insert.run(lane, now, item).lastInsertRowid);
    });
  }

  /** What waits, the control lane first, each lane in the order of its tickets. */
  waiting(): ReadonlyArray<{ readonly ticket: number; readonly time: number; readonly item: string }> {
    return this.#statement("SELECT ticket, time, item FROM inbox WHERE is_taken = 0 ORDER BY lane = 'message', ticket")
      .all()
      .map((row) => ({ ticket: numberOf(row["ticket"]), time: numberOf(row["time"]), item: String(row["item"]) }));
  }

  transaction<A>(work: () => A): A {
    this.#statement("BEGIN IMMEDIATE").run();
    try {
      const result = work();
      this.#statement("COMMIT").run();
      return result;
    } catch (error) {
      if (this.database.isTransaction) this.#statement("ROLLBACK").run();
      throw error;
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  // The setting counts for the commits that follow, and cannot be changed within one.
  #flushOnCommit(isFlushing: boolean): void {
    if (isFlushing === this.#isFlushing) return;
    this.database.exec(`PRAGMA synchronous = ${isFlushing ? "FULL" : "NORMAL"}`);
    this.#isFlushing = isFlushing;
  }

  #meta(key: string): string | undefined {
    const value = this.#get("SELECT value FROM meta WHERE key = ?", key)?.["value"];
    return typeof value === "string" ? value : undefined;
  }

  #get(sql: string, ...values: ReadonlyArray<string | number>): Record<string, unknown> | undefined {
    return this.#statement(sql).get(...values);
  }

  #run(sql: string, ...values: ReadonlyArray<string | number | null | Uint8Array>): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Somebody else has opened the session for writing since. */
export class LaterWriter extends Error {}

const numberOf = (value: unknown): number => {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
};
