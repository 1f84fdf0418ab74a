import { Inbox, Journal, type JournalFailed, RunRefused, type RunRequest, Runs } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Option from "effect/Option";
import * as Random from "effect/Random";
import * as Scope from "effect/Scope";
import type { Kernel } from "./Kernel.ts";
import { modelsFor } from "./modelsFor.ts";
import { openSession, type Session } from "./Session.ts";
import { checkImages } from "./userSaid.ts";

/** An idle session's file is closed after this long; the next run opens it again. */
const idleMillis = 30_000;

/**
 * The {@link Runs} of a kernel: sessions are opened on first use. Where sessions outlive the process, one that is idle is
 * closed; all others live as long as the layer.
 */
export const layerRuns = (kernel: Kernel): Layer.Layer<Runs, never, Journal> =>
  Layer.effect(
    Runs,
    Effect.gen(function* () {
      const journal = yield* Journal;
      kernel.keptResults.keepIn(journal);
      const inbox = Option.getOrUndefined(yield* Effect.serviceOption(Inbox));
      const scope = yield* Effect.scope;
      const sessions = new Map<string, Effect.Effect<Session, RunRefused>>();
      const opened = new Map<string, { readonly session: Session; readonly close: Effect.Effect<void> }>();
      const closing = new Map<string, Effect.Effect<void>>();
      let isWatching = false;

      const sessionOf = Effect.fnUntraced(function* (sessionKey: string): Effect.fn.Return<Session, RunRefused> {
        const ending = closing.get(sessionKey);
        if (ending !== undefined) yield* ending;
        const known = sessions.get(sessionKey);
        if (known !== undefined) return yield* known;
        const opening = yield* Effect.cached(
          Effect.mapError(
            open(sessionKey),
            (error) => new RunRefused({ reason: "journal", sessionKey, detail: error.detail }),
          ),
        );
        sessions.set(sessionKey, opening);
        // A session that did not open is tried anew by the next run.
        return yield* Effect.onError(opening, () => Effect.sync(() => sessions.delete(sessionKey)));
      });

      // Each in a scope of its own, so that one that broke gives its stream back and the next run opens it anew.
      const open = Effect.fnUntraced(function* (sessionKey: string): Effect.fn.Return<Session, JournalFailed> {
        const own = yield* Scope.fork(scope);
        const closed = yield* Deferred.make<void>();
        // From the moment on that it is to be closed, nobody finds it any more, and who wants it waits until it is.
        const forget = Effect.sync(() => {
          if (closing.has(sessionKey)) return;
          closing.set(sessionKey, Deferred.await(closed));
          sessions.delete(sessionKey);
          opened.delete(sessionKey);
        });
        let isClosed = false;
        const close = Effect.suspend(() => {
          if (isClosed) return Effect.void;
          isClosed = true;
          return forget.pipe(
            Effect.andThen(Scope.close(own, Exit.void)),
            Effect.andThen(Effect.sync(() => closing.delete(sessionKey))),
            Effect.andThen(Deferred.succeed(closed, undefined)),
            Effect.asVoid,
            Effect.uninterruptible,
          );
        });
        const opening = Scope.provide(openSession(kernel, journal, inbox, sessionKey, { forget, close }), own);
        const session = yield* Effect.onError(opening, () => Scope.close(own, Exit.void));
        if (kernel.isDurable) opened.set(sessionKey, { session, close });
        yield* Effect.forkIn(Effect.andThen(session.isOver, close), scope);
        if (kernel.isDurable && !isWatching) {
          isWatching = true;
          yield* Effect.forkIn(closeIdle, scope);
        }
        return session;
      });

      // Ends with the last session, so that it keeps no process alive for longer than that.
      const closeIdle: Effect.Effect<void> = Effect.gen(function* () {
        while (opened.size > 0) {
          yield* Effect.sleep(idleMillis / 6);
          const now = yield* Clock.currentTimeMillis;
          for (const { close, session } of opened.values())
            if (now - (session.idleSince() ?? now) >= idleMillis) yield* close;
        }
        isWatching = false;
      });

      const start = Effect.fnUntraced(function* (request: RunRequest) {
        const { input, sessionKey } = request;
        if (input.trim() === "")
          return yield* new RunRefused({ reason: "empty-input", sessionKey, detail: "the prompt is empty" });
        yield* checkImages(request);
        if (modelsFor(kernel.models, request) === undefined)
          return yield* new RunRefused({ reason: "unknown-model", sessionKey, detail: unknownModel(kernel, request) });
        const runId = yield* newRunId;
        const starting = Effect.flatMap(sessionOf(sessionKey), (session) => session.start(runId, request));
        // It may have been closed between being found and being asked: nothing was taken in then.
        return yield* Effect.catchIf(
          starting,
          ({ reason }) => reason === "closed",
          () => Effect.andThen(Effect.sleep(10), starting),
        );
      });
      const resume = (sessionKey: string) => Effect.flatMap(sessionOf(sessionKey), (session) => session.unfinished);
      return Runs.of({ start, resume });
    }),
  );

const unknownModel = ({ models }: Kernel, { model, profile }: RunRequest): string =>
  `there is no model ${[model, profile].filter((part) => part !== undefined).join(" with profile ")}; there are: ${models
    .map(({ id, profile: name }) => (name === undefined ? id : `${id} (${name})`))
    .join(", ")}`;

// Sorts by time; the random part keeps runs of one millisecond apart.
const newRunId: Effect.Effect<string> = Effect.gen(function* () {
  const time = yield* Clock.currentTimeMillis;
  const random = yield* Random.nextIntBetween(0, 36 ** 6);
  return `${time.toString(36)}-${random.toString(36).padStart(6, "0")}`;
});
