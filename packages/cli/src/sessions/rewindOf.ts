import { describeSession, planRewind, type RewindPlan } from "@kumiko/core-loop";
import type { FileRestoration } from "@kumiko/local-tools";
import { Journal, type JournalEntry, type JournalFailed, type JournalRecord } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

/** What taking runs back means for a session. */
export interface Rewind {
  readonly cwd: string | undefined;
  /** The first run that is taken back, counted from 1. */
  readonly from: number;
  readonly plan: RewindPlan;
  /** What ends the run that is not over, if there is one; undefined: more than that is in line. */
  readonly ends: ReadonlyArray<{ readonly runId: string; readonly entry: JournalEntry }> | undefined;
}

/** Undefined: there is no such run. */
export const rewindOf = (records: ReadonlyArray<JournalRecord>, from: number): Rewind | undefined => {
  const { cwd, runs } = describeSession(records);
  const first = runs[from - 1];
  const plan = first === undefined ? undefined : planRewind(records, first.runId);
  if (plan === undefined) return undefined;
  const isWaiting = runs.some(({ status }) => status === "waiting");
  const ends = runs
    .filter(({ status }) => status === "unfinished")
    .map(({ runId }) => ({
      runId,
      entry: { actor: "session", kind: "event" as const, body: { type: "run.ended", runId, status: "aborted" } },
    }));
  return { cwd, from, plan, ends: isWaiting ? undefined : ends };
};

/** The files of a plan, with what they held. */
export const filesOf = Effect.fnUntraced(function* (
  id: string,
  { files }: RewindPlan,
): Effect.fn.Return<ReadonlyArray<FileRestoration>, JournalFailed, Journal> {
  const journal = yield* Journal;
  const found: Array<FileRestoration> = [];
  for (const { expectedDigest, path, target } of files) {
    const bytes = target === null ? undefined : yield* journal.blob(id, target.digest);
    const kept = bytes === undefined ? {} : { bytes };
    found.push({
      path,
      expectedDigest,
      target: target === null ? null : { digest: target.digest, mode: target.mode, ...kept },
    });
  }
  return found;
});
