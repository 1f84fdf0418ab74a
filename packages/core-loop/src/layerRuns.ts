import { Journal, type JournalFailed, RunRefused, type RunRequest, Runs } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Random from "effect/Random";
import * as Scope from "effect/Scope";
import type { Kernel } from "./Kernel.ts";
import { openSession, type Session } from "./Session.ts";

/** The {@link Runs} of a kernel: sessions are opened on first use and live as long as the layer. */
export const layerRuns = (kernel: Kernel): Layer.Layer<Runs, never, Journal> =>
  Layer.effect(
    Runs,
    Effect.gen(function* () {
      const journal = yield* Journal;
      const scope = yield* Effect.scope;
      const sessions = new Map<string, Effect.Effect<Session, RunRefused>>();

      const sessionOf = Effect.fnUntraced(function* (sessionKey: string): Effect.fn.Return<Session, RunRefused> {
        const known = sessions.get(sessionKey);
        if (known !== undefined) return yield* known;
        const opening = yield* Effect.cached(
          Effect.mapError(
            open(sessionKey),
            (error) => new RunRefused({ reason: "journal", sessionKey, detail: error.message }),
          ),
        );
        sessions.set(sessionKey, opening);
        // A session that did not open is tried anew by the next run.
        return yield* Effect.onError(opening, () => Effect.sync(() => sessions.delete(sessionKey)));
      });

      // Each in a scope of its own, so that one that broke gives its stream back and the next run opens it anew.
      const open = Effect.fnUntraced(function* (sessionKey: string): Effect.fn.Return<Session, JournalFailed> {
        const own = yield* Scope.fork(scope);
        const session = yield* Effect.onError(Scope.provide(openSession(kernel, journal, sessionKey), own), () =>
          Scope.close(own, Exit.void),
        );
        yield* Effect.forkIn(
          Effect.andThen(session.isOver, () => {
            sessions.delete(sessionKey);
            return Scope.close(own, Exit.void);
          }),
          scope,
        );
        return session;
      });

      const start = Effect.fnUntraced(function* (request: RunRequest) {
        const { input, sessionKey } = request;
        if (input.trim() === "")
          return yield* new RunRefused({ reason: "empty-input", sessionKey, detail: "the prompt is empty" });
        const session = yield* sessionOf(sessionKey);
        return yield* session.start(yield* newRunId, request);
      });
      return Runs.of({ start });
    }),
  );

// Sorts by time; the random part keeps runs of one millisecond apart.
const newRunId: Effect.Effect<string> = Effect.gen(function* () {
  const time = yield* Clock.currentTimeMillis;
  const random = yield* Random.nextIntBetween(0, 36 ** 6);
  return `${time.toString(36)}-${random.toString(36).padStart(6, "0")}`;
});
