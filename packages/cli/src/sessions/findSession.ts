import { layerSqlite } from "@kumiko/journal/sqlite";
import { type Inbox, Journal, JournalFailed, type Questions } from "@kumiko/runtime-api";
import { nearest } from "@kumiko/settings";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { oneLine } from "../printable.ts";
import { SessionInUse } from "../SessionInUse.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { meantBy } from "./sessionId.ts";

/** What may come of a command about sessions. */
export type SessionProblem = BadInput | SessionInUse;

/** Does something with the sessions that are kept. What the journal cannot do is told as bad input: nothing ran. */
export const withSessions = <A>(
  effect: Effect.Effect<A, SessionProblem | JournalFailed, Journal | Questions | Inbox>,
  directory: string = sessionsFolder(),
): Effect.Effect<A, SessionProblem> =>
  Effect.mapError(Effect.provide(effect, layerSqlite({ directory })), (error) => {
    if (!(error instanceof JournalFailed)) return error;
    return error.reason === "locked"
      ? new SessionInUse({ id: error.streamId })
      : new BadInput({ detail: error.detail });
  });

/** Ids of one day differ in few letters: what has more slips is another one. */
const mostSlips = 3;

/** The session that somebody means by an id, a part of it that is enough, or what it ends with. */
export const findSession = Effect.fnUntraced(function* (
  given: string,
): Effect.fn.Return<string, BadInput | JournalFailed, Journal> {
  const journal = yield* Journal;
  const ids = yield* journal.streams;
  const [id, ...others] = meantBy(given, ids);
  if (id !== undefined && others.length === 0) return id;
  const name = JSON.stringify(oneLine(given, 60));
  if (id !== undefined)
    return yield* new BadInput({
      detail: `${name} could be ${[id, ...others].slice(0, 5).join(", ")}${others.length > 4 ? ", …" : ""}; write more of the id`,
    });
  const like = nearest(given, ids, mostSlips);
  return yield* new BadInput({
    detail:
      given === ""
        ? "the id of the session is empty; kumiko sessions list shows the ids"
        : `there is no session ${name}. ${like === undefined ? "kumiko sessions list --all shows those there are" : `Did you mean ${like}?`}`,
  });
});
