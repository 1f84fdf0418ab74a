import type { SessionHits, SessionSearch } from "@kumiko/local-tools";
import { ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { withSessions } from "./findSession.ts";
import { hitsOf } from "./search.ts";
import { listSessions } from "./SessionIndex.ts";

/** The search behind the tool `session_search`: as `kumiko sessions search`, without the session that asks. */
export const searchForTool = (
  directory: string,
  { all, cwd, limit, sessionKey, text }: SessionSearch,
): Effect.Effect<SessionHits, ToolFailed> =>
  withSessions(
    Effect.gen(function* () {
      const sessions = yield* listSessions(directory);
      const meant = sessions.filter((session) => session.id !== sessionKey && (all || session.cwd === cwd));
      const readable = meant.filter(({ status }) => status !== "unreadable");
      const hits = yield* hitsOf(
        readable.map(({ id }) => id),
        text,
      );
      return {
        hits: hits.slice(0, limit),
        more: Math.max(0, hits.length - limit),
        unreadable: meant.length - readable.length,
      };
    }),
    directory,
  ).pipe(Effect.mapError((error) => new ToolFailed({ kind: "failed", detail: error.message })));
