import { sessionFiles } from "@kumiko/journal/sqlite";
import { type Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { SessionInUse } from "../SessionInUse.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { confirm } from "./confirm.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";

/** `kumiko sessions rm`: for good. One that is in use stops it before anything is removed. */
export const remove = (line: {
  readonly sessions: ReadonlyArray<string>;
  readonly yes: boolean;
}): Effect.Effect<void, SessionProblem> =>
  withSessions(
    Effect.gen(function* (): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal> {
      const found = yield* Effect.forEach(line.sessions, findSession);
      const ids = [...new Set(found)];
      const files = sessionFiles({ directory: sessionsFolder() });
      for (const id of ids) if (yield* files.isInUse(id)) return yield* new SessionInUse({ id });
      const what = ids.length === 1 ? `session ${ids[0]}` : `${ids.length} sessions (${ids.join(", ")})`;
      if (!(yield* confirm(`Remove ${what} for good?`, line.yes))) {
        process.stderr.write("Nothing was removed.\n");
        return;
      }
      for (const id of ids)
        process.stdout.write(
          (yield* files.remove(id)) ? `Removed session ${id}.\n` : `Session ${id} was gone already.\n`,
        );
    }),
  );
