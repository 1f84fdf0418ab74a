import type { ImagePart, RunEvent, RunOutcome } from "@kumiko/plugin-api";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type * as Stream from "effect/Stream";

/** What to run. */
export interface RunRequest {
  /** Runs of one session follow one another and share the conversation. */
  readonly sessionKey: string;
  /** What the user says. Not empty. */
  readonly input: string;
  /**
   * Images that belong to it: PNG, JPEG, GIF or WebP, at most 20, each of at most 5 000 000 characters of base64, and of
   * 20 000 000 together. They are kept with the conversation, and sent with every model call from then on.
   */
  readonly images?: ReadonlyArray<ImagePart>;
  /** Instructions for this run only; they end the system prompt. */
  readonly instructions?: string;
  /** The model to begin with, by its id, of those the harness has. Default: the first. */
  readonly model?: string;
  /** The account to begin with, by the name of its profile. Default: the first. */
  readonly profile?: string;
  /** False: nobody will read `events` from the start, so none are kept for them. Default true. */
  readonly observed?: boolean;
}

/** Why a run was not accepted. */
export class RunRefused extends Schema.TaggedError<RunRefused>()("RunRefused", {
  reason: Schema.Literals(["empty-input", "bad-image", "unknown-model", "too-many-waiting", "journal", "closed"]),
  sessionKey: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return this.detail;
  }
}

/** A reader that fell so far behind that it was cut off; read on from the journal or start again. */
export class ReaderTooSlow extends Schema.TaggedError<ReaderTooSlow>()("ReaderTooSlow", {
  runId: Schema.String,
  /** How many events were waiting for the reader. */
  waiting: Schema.Int,
}) {
  override get message(): string {
    return `a reader of run ${this.runId} fell ${this.waiting} events behind and was cut off`;
  }
}

/** A run that was accepted. */
export interface RunHandle {
  readonly runId: string;
  /**
   * The run's events: from its start for the first reader, from now on for every other. A slow
   * reader never holds the run up: waiting deltas are merged, and one that is 10 000 events behind is cut off.
   */
  readonly events: Stream.Stream<RunEvent, ReaderTooSlow>;
  /** Waits for the end. Ending the wait does not end the run. */
  readonly wait: Effect.Effect<RunOutcome>;
  /** Ends the run with status `aborted`: model stream and tools stop. Idempotent. */
  readonly cancel: (reason: string) => Effect.Effect<void>;
  /**
   * Gives the run a message on its way: the model sees it before its next call. Safe when it has answered; a run that
   * ends before it saw it leaves it to a run of its own.
   */
  readonly steer: (text: string, images?: ReadonlyArray<ImagePart>) => Effect.Effect<void, RunRefused>;
}

/** The one way to run an agent. */
export class Runs extends Context.Service<
  Runs,
  {
    /** Accepts a run and answers at once; it begins when the runs of its session before it are over. */
    readonly start: (request: RunRequest) => Effect.Effect<RunHandle, RunRefused>;
    /**
     * Opens a session and goes on with what it left unfinished: the run under way when its process died or was
     * suspended, and those behind it, in order. Nothing unfinished: none.
     */
    readonly resume: (sessionKey: string) => Effect.Effect<ReadonlyArray<RunHandle>, RunRefused>;
  }
>()("@kumiko/runtime-api/Runs") {}
