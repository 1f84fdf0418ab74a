import { Journal, RunRefused, type RunRequest, Runs } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
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
            Scope.provide(openSession(kernel, journal, sessionKey), scope),
            (error) => new RunRefused({ reason: "journal", sessionKey, detail: error.message }),
          ),
        );
        sessions.set(sessionKey, opening);
        // A session that did not open is tried anew by the next run.
        return yield* Effect.onError(opening, () => Effect.sync(() => sessions.delete(sessionKey)));
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
