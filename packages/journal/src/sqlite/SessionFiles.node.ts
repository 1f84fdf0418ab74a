import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { type JournalFailed, Question } from "@kumiko/runtime-api";
import { DatabaseFailed, takeFileLock } from "@kumiko/sqlite";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { SqliteOptions } from "./layerSqlite.node.ts";
import { journalFailure, SessionFolder } from "./SessionFolder.node.ts";

/** Session files as files: for programs that list and remove sessions. */
export interface SessionFiles {
  /** Another one after every write; undefined: there is no such session. */
  readonly stamp: (sessionKey: string) => string | undefined;
  /** Whether a process has it open for writing. */
  readonly isInUse: (sessionKey: string) => Effect.Effect<boolean, JournalFailed>;
  /** Its open questions, the oldest first. */
  readonly questions: (sessionKey: string) => Effect.Effect<ReadonlyArray<Question>, JournalFailed>;
  /** Removes it for good, damaged or not. False: there is none. Fails with `locked` while it is in use. */
  readonly remove: (sessionKey: string) => Effect.Effect<boolean, JournalFailed>;
}

const decodeQuestion = Schema.decodeUnknownOption(Schema.fromJsonString(Question));

/** The files of the sessions that `layerSqlite` keeps in the same folder. */
export const sessionFiles = ({ directory }: SqliteOptions): SessionFiles => {
  const folder = new SessionFolder(directory);
  const trying = <A>(sessionKey: string, work: (path: string) => A): Effect.Effect<A, JournalFailed> => {
    const path = folder.pathOf(sessionKey);
    return Effect.try({ try: () => work(path), catch: (error) => journalFailure(error, sessionKey, path) });
  };
  return {
    stamp: (sessionKey) => {
      const path = folder.pathOf(sessionKey);
      const file = stampOf(path);
      return file === "" ? undefined : `${file} ${stampOf(`${path}-wal`)}`;
    },
    // Who writes has a log beside the file; without one there is nobody to ask the lock about.
    isInUse: (sessionKey) => trying(sessionKey, (path) => existsSync(`${path}-wal`) && isLocked(`${path}.lock`)),
    questions: (sessionKey) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        trying(sessionKey, () =>
          (folder.using(sessionKey, "read", (file) => file.openQuestions(now)) ?? []).flatMap((body) => {
            const decoded = decodeQuestion(body);
            return decoded._tag === "Some" ? [decoded.value] : [];
          }),
        ),
      ),
    remove: (sessionKey) =>
      trying(sessionKey, (path) => {
        if (!existsSync(path)) return false;
        const lock = takeFileLock(`${path}.lock`);
        try {
          for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
          // What was kept of it when it was mended goes with it, and a repair that was cut short: it would bring it back.
          const beside = ["damaged-", "repair", "part", "work"].map((kind) => `${basename(path)}.${kind}`);
          for (const name of readdirSync(directory))
            if (beside.some((start) => name.startsWith(start))) rmSync(join(directory, name), { force: true });
        } finally {
          lock.release();
        }
        rmSync(`${path}.lock`, { force: true });
        return true;
      }),
  };
};

const stampOf = (path: string): string => {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.mtimeNs}.${stats.size}.${stats.ino}`;
};

const isLocked = (path: string): boolean => {
  if (!existsSync(path)) return false;
  try {
    takeFileLock(path).release();
    return false;
  } catch (error) {
    if (error instanceof DatabaseFailed && error.reason === "locked") return true;
    throw error;
  }
};
