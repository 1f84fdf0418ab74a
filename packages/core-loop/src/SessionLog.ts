import type { Json } from "@kumiko/plugin-api";
import type { AppendOptions, JournalEntry, JournalFailed, JournalWriter, Question } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

const none: ReadonlyArray<never> = [];

/**
 * What a session's actors write down, in the order it happened, until the next boundary commits it. One log a session:
 * runs and calls share it.
 */
export class SessionLog {
  readonly #writer: JournalWriter;
  #buffer: Array<JournalEntry> = [];
  #blobs: ReadonlyArray<{ readonly digest: string; readonly bytes: Uint8Array }> = none;
  #taken: ReadonlyArray<number> = none;
  #flushes = false;

  constructor(writer: JournalWriter) {
    this.#writer = writer;
  }

  event(actor: string, body: Json): void {
    this.#buffer.push({ actor, kind: "event", body });
  }

  /** Cancelling intents say nothing that the events do not, and are left out. */
  intent(actor: string, body: Json & { readonly type: string }): void {
    if (body.type !== "intent.cancel") this.#buffer.push({ actor, kind: "intent", body });
  }

  /** A content that an entry names by its digest. */
  blob(digest: string, bytes: Uint8Array): void {
    this.#blobs = [...this.#blobs, { digest, bytes }];
  }

  /** An item of the inbox whose content an entry holds. */
  take(ticket: number): void {
    this.#taken = [...this.#taken, ticket];
  }

  /** Lets the next commit survive a loss of power too: something outside is about to change, or has. */
  flushNext(): void {
    this.#flushes = true;
  }

  /** Appends what is buffered, all of it or none. Nothing buffered: does nothing. */
  readonly commit: Effect.Effect<void, JournalFailed> = Effect.suspend(() => this.#commit({}));

  /** Commits, and opens a question in the same append. */
  readonly commitQuestion = (question: Question): Effect.Effect<void, JournalFailed> =>
    Effect.suspend(() => this.#commit({ asks: question }));

  /** Commits the end of a run: nobody waits for the answers to its questions any more. */
  readonly commitEnd = (runId: string): Effect.Effect<void, JournalFailed> =>
    Effect.suspend(() => this.#commit({ endsQuestionsOf: runId }));

  /**
   * Commits only what the session itself wrote: a message that arrives while calls run must not make half of their events
   * durable. Each actor's events stay in order.
   */
  readonly commitSession: Effect.Effect<void, JournalFailed> = Effect.suspend(() => {
    const rest = this.#buffer.filter(({ actor }) => actor !== "session");
    if (rest.length === 0) return this.#commit({});
    const own = this.#buffer.filter(({ actor }) => actor === "session");
    this.#buffer = rest;
    const taken = this.#takeTaken();
    return this.#append(own, taken.length === 0 ? undefined : { taken });
  });

  #commit(options: AppendOptions): Effect.Effect<void, JournalFailed> {
    const isPlain = options.asks === undefined && options.endsQuestionsOf === undefined;
    if (this.#buffer.length === 0 && isPlain && this.#taken.length === 0) return Effect.void;
    // A copy of just the right size: a journal in memory keeps it, and what `push` reserves would be a third of it.
    const entries = this.#buffer.slice();
    this.#buffer.length = 0;
    if (isPlain && !this.#flushes && this.#taken.length === 0 && this.#blobs.length === 0) return this.#append(entries);
    const blobs = this.#blobs;
    const flush = this.#flushes;
    this.#blobs = none;
    this.#flushes = false;
    return this.#append(entries, { ...options, blobs, flush, taken: this.#takeTaken() });
  }

  // What could not be written is kept for the next commit: what the actors know must not be more than what is written.
  #append(entries: ReadonlyArray<JournalEntry>, options?: AppendOptions): Effect.Effect<void, JournalFailed> {
    return Effect.asVoid(
      Effect.tapError(this.#writer.append(entries, options), () =>
        Effect.sync(() => {
          this.#buffer = [...entries, ...this.#buffer];
          this.#blobs = [...(options?.blobs ?? []), ...this.#blobs];
          this.#taken = [...(options?.taken ?? []), ...this.#taken];
          this.#flushes ||= options?.flush === true;
        }),
      ),
    );
  }

  #takeTaken(): ReadonlyArray<number> {
    const taken = this.#taken;
    this.#taken = none;
    return taken;
  }
}
