import type { Json } from "@kumiko/plugin-api";
import type { Question } from "./Question.ts";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type * as Scope from "effect/Scope";

/**
 * One thing to write down: an event that an actor was given, or an intent it answered with. Replaying an actor's events
 * gives its states and its intents again.
 */
export interface JournalEntry {
  /** `session`, `run:<id>`, `call:<id>`, …: whose event it was. */
  readonly actor: string;
  readonly kind: "event" | "intent";
  /** JSON only, and never changed after it was handed over. */
  readonly body: Json;
}

/** An entry as it stands in a stream. */
export interface JournalRecord extends JournalEntry {
  /** 1, 2, 3, … without gaps. */
  readonly seq: number;
  /** Which opening of the stream wrote it. */
  readonly epoch: number;
  /** Milliseconds since 1970, as the writer's clock said. */
  readonly time: number;
}

/** What is made safe together with the entries of an append, or not at all. */
export interface AppendOptions {
  /** Survive a loss of power too, not only the death of the process. Default: false. */
  readonly flush?: boolean;
  /** Contents that entries name by their SHA-256 (hex). Kept once. */
  readonly blobs?: ReadonlyArray<{ readonly digest: string; readonly bytes: Uint8Array }>;
  /** A question that the entries open: from now on it can be seen and answered from any process. */
  readonly asks?: Question;
  /** Ends the questions of this run that are still open: nobody waits for an answer any more. */
  readonly endsQuestionsOf?: string;
  /** Tickets of the inbox whose content the entries hold: they are not delivered again. */
  readonly taken?: ReadonlyArray<number>;
}

/**
 * Why the journal could not do it. `locked`: another writer has the stream; `fenced`: this writer's time is over;
 * `corrupt`, `foreign`, `newer`: what is stored is damaged, is something else, or was written by a later version;
 * `read-only`, `full`: nothing can be written there.
 */
export class JournalFailed extends Schema.TaggedError<JournalFailed>()("JournalFailed", {
  reason: Schema.Literals(["locked", "fenced", "corrupt", "foreign", "newer", "read-only", "full", "unavailable"]),
  streamId: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `journal ${this.streamId}: ${this.detail}`;
  }
}

/** The one writer of a stream. */
export interface JournalWriter {
  readonly streamId: string;
  /** One more than at the opening before. Every record carries it, and a writer of an earlier one is refused. */
  readonly epoch: number;
  /** Number of the last record; 0: the stream is empty. */
  readonly head: Effect.Effect<number>;
  /**
   * Appends all entries or none, in order, and answers with the number of the last. When it has answered, the records
   * survive the death of the process, as far as the implementation is durable. Not idempotent.
   */
  readonly append: (
    entries: ReadonlyArray<JournalEntry>,
    options?: AppendOptions,
  ) => Effect.Effect<number, JournalFailed>;
  /** What was wrong with the stream and was mended when it was opened: which records are missing, where the backup is. */
  readonly repair?: string;
}

/**
 * Append-only streams, one a session or task.
 *
 * **Contract.** A stream has at most one writer at a time: a second `open` fails with `locked` until the first one's
 * scope is closed (or its process is dead). Reading needs no writer and sees whole appends only. Streams do not see one
 * another. `journalConformance` (`@kumiko/journal/testing`) checks this.
 */
export class Journal extends Context.Service<
  Journal,
  {
    /** Opens a stream for writing, creating it if need be; closed with the scope. */
    readonly open: (streamId: string) => Effect.Effect<JournalWriter, JournalFailed, Scope.Scope>;
    /** The records from `fromSeq` (default 1) on, at most `limit` of them; an unknown stream is empty. */
    readonly read: (
      streamId: string,
      options?: { readonly fromSeq?: number; readonly limit?: number },
    ) => Effect.Effect<ReadonlyArray<JournalRecord>, JournalFailed>;
    /** A content that an append kept, by its digest. */
    readonly blob: (streamId: string, digest: string) => Effect.Effect<Uint8Array | undefined, JournalFailed>;
    /** The streams that have records, in the order they were first written. */
    readonly streams: Effect.Effect<ReadonlyArray<string>, JournalFailed>;
  }
>()("@kumiko/runtime-api/Journal") {}
