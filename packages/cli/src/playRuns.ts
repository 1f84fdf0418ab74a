import { setTimeout as sleep } from "node:timers/promises";
import type { Harness } from "@kumiko/core-loop";
import { RunRefused } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import type { Settings } from "./checkCommandLine.ts";
import type { RunView } from "./RunView.ts";
import { SessionInUse } from "./SessionInUse.ts";
import type { SessionChoice } from "./sessions/chooseSession.ts";
import { isInUse } from "./sessions/keptSession.ts";
import { type SessionProblem, withSessions } from "./sessions/findSession.ts";
import { canGoOn, goOnNotice, goOnPrompt } from "./sessions/goOnPrompt.ts";
import { endedSince } from "./sessions/endedSince.ts";
import { postedTo } from "./sessions/postedTo.ts";

/**
 * Goes on with what the session left unfinished, then runs the prompt, if there is one (where there is none and nothing
 * was unfinished, a last run that did not come to its end is gone on with), and then what was sent to the
 * session meanwhile and was for no run under way.
 */
export const playRuns = Effect.fnUntraced(function* (
  settings: Settings,
  harness: Harness,
  view: RunView,
  signal: AbortSignal,
): Effect.fn.Return<void, SessionProblem> {
  const { images, prompt, session } = settings;
  const { id, isPaused, type } = session;
  if (isPaused) view.note(`session ${id} is paused: it goes on after kumiko unpause ${id}`);
  if (type === "goOn") {
    view.isBeforePrompt = prompt !== undefined;
    yield* playUnfinished(session, harness, view, signal);
    if (signal.aborted || view.ended.at(-1)?.outcome.status === "suspended") return;
  }
  view.isBeforePrompt = false;
  const isLeftOver = prompt === undefined && type === "goOn" && view.ended.length === 0 && canGoOn(session.status);
  if (isLeftOver) view.note(goOnNotice(id, session.status));
  const said = prompt ?? (isLeftOver ? goOnPrompt : undefined);
  if (said === undefined) return;
  yield* playing(session, view, async () => {
    for await (const event of harness.stream(said, { sessionKey: id, signal, images })) await view.show(event);
  });
  const status = view.ended.at(-1)?.outcome.status;
  if (type !== "memory" && !signal.aborted && status !== "suspended" && status !== "aborted")
    yield* playUnfinished(session, harness, view, signal);
});

/** How often it is looked whether a message that was posted has become a run. */
const lookMillis = 5;
/** Symptom when it binds: a message that was posted is run with the next prompt only. */
const patienceMillis = 5_000;

// Runs that were under way or in line when the session was last open, and messages that were posted since.
const playUnfinished = Effect.fnUntraced(function* (
  session: SessionChoice,
  harness: Harness,
  view: RunView,
  signal: AbortSignal,
): Effect.fn.Return<void, SessionProblem> {
  const { directory, head, id } = session;
  const posted = (): Effect.Effect<number, SessionProblem> => withSessions(postedTo(id), directory);
  const hadPosts = (yield* posted()) > 0;
  let patience = patienceMillis / lookMillis;
  for (;;) {
    const before = view.ended.length;
    yield* playing(session, view, async () => {
      for await (const event of harness.resume(id, { signal })) await view.show(event);
    });
    if (signal.aborted || view.ended.at(-1)?.outcome.status === "suspended") return;
    if (view.ended.length > before) continue;
    if (!hadPosts || (yield* posted()) === 0 || patience-- === 0) break;
    yield* Effect.promise(() => sleep(lookMillis));
  }
  // A short run may have come and gone between two looks.
  const shown = new Set<unknown>(view.ended.map(({ runId }) => runId));
  const missed = yield* withSessions(endedSince(id, head, shown), directory);
  for (const { outcome, runId } of missed) yield* Effect.promise(() => view.end(runId, outcome));
});

/** Runs what may be refused. A session that cannot be opened is no error inside: it is said as what it is. */
const playing = (
  session: SessionChoice,
  view: RunView,
  play: () => Promise<void>,
): Effect.Effect<void, SessionProblem> =>
  Effect.tryPromise({ try: play, catch: (error) => error }).pipe(
    Effect.catch((error) =>
      Effect.gen(function* () {
        if (!(error instanceof RunRefused) || error.reason !== "journal" || view.ended.length > 0)
          return yield* Effect.die(error);
        if (yield* isInUse(session)) return yield* new SessionInUse({ id: session.id });
        return yield* new BadInput({ detail: error.detail });
      }),
    ),
  );
