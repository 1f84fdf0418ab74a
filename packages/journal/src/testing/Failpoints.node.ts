import { Journal, type JournalWriter } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** Where a process dies: right before or after its n-th append, or its n-th effect. */
export interface Failpoint {
  readonly at: "append" | "effect";
  /** From 1. */
  readonly number: number;
  readonly moment: "before" | "after";
}

/** A tool as far as failpoints care: whatever its `inspect` gives has an `execute`. */
interface Executing {
  readonly execute: (...given: never) => Effect.Effect<unknown, unknown>;
}

/**
 * Makes a program die at one point: `SIGKILL` to itself, so that nothing is cleaned up. Without a failpoint it only
 * counts, which tells how many there are.
 *
 * @example
 * ```ts
 * const failpoints = new Failpoints(undefined)
 * const sessions = failpoints.sessions(layerMemory)
 * const program = Effect.gen(function* () {
 *   const writer = yield* (yield* Journal).open("s")
 *   yield* writer.append([{ actor: "session", kind: "event", body: {} }])
 * })
 * await Effect.runPromise(Effect.scoped(Effect.provide(program, sessions)))
 * failpoints.counts // => { append: 1, effect: 0 }
 * ```
 */
export class Failpoints {
  readonly #failpoint: Failpoint | undefined;
  readonly #counts = { append: 0, effect: 0 };

  constructor(failpoint: Failpoint | undefined) {
    this.#failpoint = failpoint;
  }

  get counts(): { readonly append: number; readonly effect: number } {
    return { ...this.#counts };
  }

  /** The same sessions, dying at appends. */
  sessions<A, E, R>(layer: Layer.Layer<A | Journal, E, R>): Layer.Layer<A | Journal, E, R> {
    const watched = Layer.effect(
      Journal,
      Effect.map(Journal, (journal) =>
        Journal.of({
          ...journal,
          open: (streamId) => Effect.map(journal.open(streamId), (writer) => this.#watched(writer)),
        }),
      ),
    );
    return Layer.merge(layer, Layer.provide(watched, layer));
  }

  /** What a tool's `inspect` gave, dying around its effect. */
  call<Call extends Executing>(call: Call): Call {
    const { execute } = call;
    return { ...call, execute: (...given: never) => this.#around("effect", execute(...given)) };
  }

  #watched(writer: JournalWriter): JournalWriter {
    return { ...writer, append: (entries, options) => this.#around("append", writer.append(entries, options)) };
  }

  #around<A, E, R>(at: Failpoint["at"], effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const number = ++this.#counts[at];
      const dies = (moment: Failpoint["moment"]): Effect.Effect<void> =>
        Effect.sync(() => {
          const { at: where, moment: when, number: which } = this.#failpoint ?? {};
          if (where === at && which === number && when === moment) die();
        });
      // An effect that fails may have happened as well.
      return Effect.andThen(
        dies("before"),
        Effect.onExit(effect, () => dies("after")),
      );
    });
  }
}

// The signal may take a moment: nothing may happen meanwhile.
const die = (): never => {
  process.kill(process.pid, "SIGKILL");
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
};
