import { existsSync } from "node:fs";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { workingFolder, writableSessions } from "../checkFolders.ts";
import type { CommandLine } from "../command.ts";
import type { SessionInUse } from "../SessionInUse.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { newSessionId } from "./sessionId.ts";
import type { ListedSession } from "./SessionIndex.ts";

/** The session that a command line is about. */
export interface SessionChoice {
  /** `memory`: it is gone with the process. `fork`: it is made, with the past of `from`, before anything runs. */
  readonly type: "memory" | "new" | "goOn" | "fork";
  readonly id: string;
  readonly from?: string;
  /** Number of the last record it had. */
  readonly head: number;
  readonly isPaused: boolean;
  /** How it stood, where it is gone on with. */
  readonly status?: ListedSession["status"];
  /** It has an open question. */
  readonly isWaiting: boolean;
  readonly directory: string;
}

export interface ChosenSession {
  readonly session: SessionChoice;
  /** Absolute, without symbolic links. */
  readonly cwd: string;
  /** What somebody should know who did not ask for it. */
  readonly notice: string | undefined;
}

/** Finds the session, checks that it can be written, and says where it works. Nothing is made but the folder. */
export const chooseSession = Effect.fnUntraced(function* (
  line: CommandLine,
): Effect.fn.Return<ChosenSession, BadInput | SessionInUse> {
  const given = [
    ...(line.continue ? ["--continue"] : []),
    ...(line.resume === undefined ? [] : ["--resume"]),
    ...(line.fork === undefined ? [] : ["--fork"]),
    ...(line.session ? [] : ["--no-session"]),
  ];
  if (given.length > 1) return yield* bad(`${given.slice(0, 2).join(" and ")} exclude one another; give one of them`);
  const directory = sessionsFolder();
  if (!line.session) {
    if (line.unattended !== undefined && line.unattended !== "deny")
      return yield* bad(
        `--unattended ${line.unattended} waits for an answer from elsewhere, which needs a session that is kept; leave out --no-session`,
      );
    const session = { type: "memory", id: "main", head: 0, isPaused: false, isWaiting: false, directory } as const;
    return { session, cwd: yield* workingFolder(line.cwd ?? "."), notice: undefined };
  }
  yield* writableSessions(directory);
  const newId = (): string => newSessionId(new Date(), (id) => existsSync(join(directory, `${id}.db`)));
  if (isKept(line)) {
    // Most runs begin a session: what finds one is loaded where one is to be found.
    const { keptSession } = yield* Effect.promise(() => import("./keptSession.ts"));
    return yield* keptSession(line, directory, newId);
  }
  const session = { type: "new", id: newId(), head: 0, isPaused: false, isWaiting: false, directory } as const;
  return { session, cwd: yield* workingFolder(line.cwd ?? "."), notice: undefined };
});

const isKept = ({ continue: goesOn, fork, resume }: CommandLine): boolean =>
  goesOn || resume !== undefined || fork !== undefined;

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));
