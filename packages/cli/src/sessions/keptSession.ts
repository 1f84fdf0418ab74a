import { statSync } from "node:fs";
import { sessionFiles } from "@kumiko/journal/sqlite";
import type { Journal, JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { workingFolder } from "../checkFolders.ts";
import type { CommandLine } from "../command.ts";
import { SessionInUse } from "../SessionInUse.ts";
import type { ChosenSession, SessionChoice } from "./chooseSession.ts";
import { findSession, type SessionProblem, withSessions } from "./findSession.ts";
import { type ListedSession, listSessions, summaryOf } from "./SessionIndex.ts";

/** The session that `--continue`, `--resume` or `--fork` names, and where it works. */
export const keptSession = Effect.fnUntraced(function* (
  line: CommandLine,
  directory: string,
  newId: () => string,
): Effect.fn.Return<ChosenSession, BadInput | SessionInUse> {
  const inSessions = <A>(effect: Effect.Effect<A, SessionProblem | JournalFailed, Journal>) =>
    withSessions(effect, directory);
  if (line.continue) {
    const cwd = yield* workingFolder(line.cwd ?? ".");
    const found = yield* inSessions(latestIn(directory, cwd));
    return { session: goingOn(found, directory), cwd, notice: undefined };
  }
  if (line.resume !== undefined) {
    const found = yield* inSessions(open(directory, line.resume));
    if (found.isInUse) return yield* new SessionInUse({ id: found.id });
    return { session: goingOn(found, directory), ...(yield* placeOf(found, line.cwd)) };
  }
  const found = yield* inSessions(open(directory, line.fork ?? ""));
  if (found.status === "unreadable")
    return yield* bad(
      `session ${found.id} cannot be read: ${found.problem ?? ""}. kumiko --resume ${found.id} mends what can be mended`,
    );
  const session = {
    type: "fork",
    id: newId(),
    from: found.id,
    head: 0,
    isPaused: false,
    isWaiting: false,
    directory,
  } as const;
  return { session, ...(yield* placeOf(found, line.cwd)) };
});

const goingOn = ({ head, id, isPaused, status }: ListedSession, directory: string): SessionChoice => ({
  type: "goOn",
  id,
  head,
  isPaused,
  status,
  isWaiting: status === "waiting",
  directory,
});

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const open = Effect.fnUntraced(function* (
  directory: string,
  given: string,
): Effect.fn.Return<ListedSession, BadInput | JournalFailed, Journal> {
  const id = yield* findSession(given);
  const found = yield* summaryOf(directory, id);
  return found === undefined ? yield* bad(`session ${id} has just been removed`) : found;
});

const latestIn = Effect.fnUntraced(function* (
  directory: string,
  cwd: string,
): Effect.fn.Return<ListedSession, SessionProblem | JournalFailed, Journal> {
  const sessions = yield* listSessions(directory);
  const latest = sessions.find((session) => session.cwd === cwd);
  if (latest === undefined)
    return yield* bad(
      `there is no session of ${cwd} to continue; kumiko sessions list --all shows those of other folders`,
    );
  return latest.isInUse ? yield* new SessionInUse({ id: latest.id }) : latest;
});

// A session goes on where it was, wherever it is called from; what it did there is what its conversation is about.
const placeOf = Effect.fnUntraced(function* (
  { cwd: recorded, id }: ListedSession,
  given: string | undefined,
): Effect.fn.Return<{ readonly cwd: string; readonly notice: string | undefined }, BadInput> {
  const here = yield* workingFolder(given ?? ".");
  if (given !== undefined || recorded === null || recorded === here) return { cwd: here, notice: undefined };
  if (statSync(recorded, { throwIfNoEntry: false })?.isDirectory() !== true)
    return yield* bad(
      `session ${id} worked in ${recorded}, which is not there any more. Say where it is to go on: --cwd <folder>`,
    );
  return { cwd: yield* workingFolder(recorded), notice: `session ${id} works in ${recorded}, as before` };
});

/** Whether somebody writes the session by now: a look before a message about a failure to open it. */
export const isInUse = ({ directory, id }: SessionChoice): Effect.Effect<boolean> =>
  Effect.orElseSucceed(sessionFiles({ directory }).isInUse(id), () => false);
