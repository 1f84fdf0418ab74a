import { Inbox, type InboxItem, type Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { readStdin } from "../readStdin.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";
import { type ListedSession, summaryOf } from "./SessionIndex.ts";

/** As much as a prompt may have. */
const maxTextBytes = 1024 * 1024;

/** `kumiko send`: a message for the run under way, or for a run of its own. */
export const send = Effect.fnUntraced(function* (line: {
  readonly session: string;
  readonly text: string;
  readonly followUp: boolean;
}): Effect.fn.Return<void, SessionProblem> {
  const text = line.text === "-" ? yield* readStdin(maxTextBytes) : line.text;
  if (text === undefined || Buffer.byteLength(text) > maxTextBytes)
    return yield* bad("the message is larger than 1 MB; put it into a file and ask for that file to be read");
  if (text.trim() === "") return yield* bad("the message is empty");
  yield* post(
    line.session,
    { type: "message", text, delivery: line.followUp ? "follow-up" : "steer" },
    ({ id, isInUse }) =>
      isInUse
        ? line.followUp
          ? `Session ${id} has it: it gets a run of its own.`
          : `Session ${id} has it: the run under way sees it before its next model call.`
        : `Session ${id} keeps it: no process has the session open. kumiko --resume ${id} goes on with it.`,
  );
});

/** `kumiko abort`. */
export const abort = (line: {
  readonly session: string;
  readonly reason: string;
}): Effect.Effect<void, SessionProblem> =>
  post(
    line.session,
    { type: "abort", reason: line.reason === "" ? "somebody ended it with kumiko abort" : line.reason },
    ({ id, isInUse }) =>
      isInUse
        ? `Session ${id}: its run is being ended.`
        : `Session ${id}: no process runs it. Its unfinished run is marked: kumiko --resume ${id} ends it instead of going on.`,
    // Kept for later, it would end a run that nobody has thought of yet.
    ({ id, isInUse, status }) =>
      isInUse || status === "unfinished" || status === "waiting" || status === "suspended"
        ? undefined
        : `Session ${id} has no unfinished run: there is nothing to abort.`,
  );

/** `kumiko pause` and `kumiko unpause`. */
export const pause = (line: {
  readonly session: string;
  readonly isEnd: boolean;
}): Effect.Effect<void, SessionProblem> =>
  post(line.session, { type: line.isEnd ? "unpause" : "pause" }, ({ id, isInUse }) =>
    line.isEnd
      ? `Session ${id} ${isInUse ? "goes on" : `is no longer paused: kumiko --resume ${id} goes on`}.`
      : `Session ${id} ${isInUse ? "stops before its next model call" : "will stop before its first model call when it is resumed"}; kumiko unpause ${id} lets it go on.`,
  );

const post = (
  given: string,
  item: InboxItem,
  say: (session: ListedSession) => string,
  needless: (session: ListedSession) => string | undefined = () => undefined,
): Effect.Effect<void, SessionProblem> =>
  withSessions(
    Effect.gen(function* (): Effect.fn.Return<void, SessionProblem | JournalFailed, Journal | Inbox> {
      const id = yield* findSession(given);
      const inbox = yield* Inbox;
      const session = yield* summaryOf(sessionsFolder(), id);
      if (session === undefined) return yield* bad(`session ${id} has just been removed`);
      const answer = needless(session);
      if (answer === undefined) yield* Effect.mapError(inbox.post(id, item), ({ detail }) => new BadInput({ detail }));
      process.stdout.write(`${answer ?? say(session)}\n`);
    }),
  );

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));
