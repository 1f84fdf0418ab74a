import type { RunEvent } from "@kumiko/plugin-api";
import { isEphemeral, type RunEventBody, runEventSchemaVersion } from "@kumiko/plugin-api";
import { ReaderTooSlow } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";

/**
 * The event stream of one run. Publishing is synchronous and never waits. Each reader has a queue of its own: a delta
 * that follows an unread delta of its kind is merged into it; at 10 000 waiting events the reader is cut off.
 */
export class RunEventHub {
  readonly #runId: string;
  readonly #sessionKey: string;
  readonly #now: () => number;
  readonly #readers = new Set<Reader>();
  #early: Reader | undefined;
  #seq = 0;
  #isOver = false;

  constructor(options: {
    readonly runId: string;
    readonly sessionKey: string;
    readonly now: () => number;
    /** Keep events for a first reader that has yet to come. */
    readonly observed: boolean;
  }) {
    this.#runId = options.runId;
    this.#sessionKey = options.sessionKey;
    this.#now = options.now;
    if (options.observed) this.#readers.add((this.#early = new Reader(options.runId)));
  }

  /** Whether anybody listens: what nobody hears need not be made. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  publish(body: RunEventBody): void {
    this.#seq++;
    if (this.#readers.size === 0) return;
    const event: RunEvent = {
      schemaVersion: runEventSchemaVersion,
      runId: this.#runId,
      sessionKey: this.#sessionKey,
      seq: this.#seq,
      time: this.#now(),
      ...body,
    };
    for (const reader of this.#readers) if (!reader.push(event)) this.#readers.delete(reader);
  }

  /** No more events: readers end when they have read what waits. */
  end(): void {
    this.#isOver = true;
    for (const reader of this.#readers) reader.end();
    this.#readers.clear();
  }

  readonly events: Stream.Stream<RunEvent, ReaderTooSlow> = Stream.unwrap(
    Effect.sync(() => {
      const reader = this.#early ?? new Reader(this.#runId);
      this.#early = undefined;
      if (this.#isOver) reader.end();
      else this.#readers.add(reader);
      return Stream.ensuring(
        Stream.fromPull(Effect.succeed(reader.pull)),
        Effect.sync(() => this.#readers.delete(reader)),
      );
    }),
  );
}

class Reader {
  static readonly maxWaiting = 10_000;
  readonly #runId: string;
  #waiting: Array<RunEvent> = [];
  #state: "open" | "ended" | "cut" = "open";
  #wake: (() => void) | undefined;

  constructor(runId: string) {
    this.#runId = runId;
  }

  push(event: RunEvent): boolean {
    const last = this.#waiting.at(-1);
    if (isEphemeral(event) && last !== undefined && last.type === event.type && mergeable(last, event))
      this.#waiting[this.#waiting.length - 1] = merge(last, event);
    else if (this.#waiting.length >= Reader.maxWaiting) this.#state = "cut";
    else this.#waiting.push(event);
    this.#wake?.();
    return this.#state === "open";
  }

  end(): void {
    if (this.#state === "open") this.#state = "ended";
    this.#wake?.();
  }

  readonly pull: Effect.Effect<readonly [RunEvent, ...Array<RunEvent>], ReaderTooSlow | Cause.Done> = Effect.suspend(
    () => {
      if (this.#state === "cut")
        return Effect.fail(new ReaderTooSlow({ runId: this.#runId, waiting: this.#waiting.length }));
      const [first, ...rest] = this.#waiting;
      if (first !== undefined) {
        this.#waiting = [];
        return Effect.succeed([first, ...rest] as const);
      }
      return this.#state === "ended" ? Cause.done() : Effect.andThen(this.#wait, this.pull);
    },
  );

  readonly #wait: Effect.Effect<void> = Effect.callback((resume) => {
    this.#wake = () => {
      this.#wake = undefined;
      resume(Effect.void);
    };
    return Effect.sync(() => {
      this.#wake = undefined;
    });
  });
}

const mergeable = (last: RunEvent, next: RunEvent): boolean =>
  !("callId" in last) || !("callId" in next) || last.callId === next.callId;

// The merged event takes the later number, so that a reader that comes back asks for what follows it.
const merge = (last: RunEvent, next: RunEvent): RunEvent =>
  "text" in last && "text" in next && (next.type === "assistant.delta" || next.type === "reasoning.delta")
    ? { ...next, text: last.text + next.text }
    : next;
