import { describeSession } from "@kumiko/core-loop";
import type { SessionFiles } from "@kumiko/journal/sqlite";
import { RunStatus } from "@kumiko/plugin-api";
import { Journal, JournalFailed, type JournalRecord } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { messageOf } from "../messageOf.ts";
import { slicesOf, UsageSlice } from "../usage/UsageSlice.ts";
import { eventOf } from "./recordFields.ts";

/** What a list says of a session. */
export const SessionSummary = Schema.Struct({
  id: Schema.String,
  cwd: Schema.NullOr(Schema.String),
  model: Schema.NullOr(Schema.String),
  /** Milliseconds since 1970. */
  startedAt: Schema.Finite,
  changedAt: Schema.Finite,
  /** The first thing that was said, cut. */
  prompt: Schema.String,
  runs: Schema.Int,
  /** Of the last run; `waiting`: for an answer; `empty`: nothing was said; `unreadable`: see `problem`. */
  status: Schema.Union([RunStatus, Schema.Literals(["unfinished", "waiting", "empty", "unreadable"])]),
  problem: Schema.optionalKey(Schema.String),
  /** It takes messages, and goes on with none before somebody ends the pause. */
  isPaused: Schema.Boolean,
  /** Number of its last record. */
  head: Schema.Int,
  /** Until when the last of its open questions waits; `null`: for ever, or there is none. */
  questionsExpireAt: Schema.NullOr(Schema.Finite),
  /** What its model calls have used, those of its own; of a fork, without its past. */
  usage: Schema.Array(UsageSlice),
});
export type SessionSummary = typeof SessionSummary.Type;

const promptLength = 200;

/** Reads a session as a whole. What cannot be read is said in the summary: one bad file must not hide the others. */
export const summarise = (files: SessionFiles, id: string): Effect.Effect<SessionSummary, never, Journal> =>
  Effect.gen(function* (): Effect.fn.Return<SessionSummary, JournalFailed, Journal> {
    const journal = yield* Journal;
    const records = yield* journal.read(id);
    const { changedAt, cwd, model, runs, startedAt } = describeSession(records);
    const last = runs.at(-1);
    // One that waits behind one that was suspended is unfinished like it.
    const status: SessionSummary["status"] =
      last === undefined ? "empty" : last.status === "waiting" ? "unfinished" : last.status;
    const questions = status === "unfinished" || status === "suspended" ? yield* files.questions(id) : [];
    const expiries = questions.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY);
    const latest = Math.max(...expiries);
    return {
      id,
      cwd: cwd ?? null,
      model: model ?? null,
      startedAt: startedAt ?? 0,
      changedAt: changedAt ?? 0,
      prompt: (runs[0]?.prompt ?? "").slice(0, promptLength),
      runs: runs.length,
      status: questions.length > 0 ? "waiting" : status,
      isPaused: isPaused(records),
      head: records.length,
      questionsExpireAt: Number.isFinite(latest) ? latest : null,
      usage: slicesOf(records),
    };
  }).pipe(Effect.catchCause((cause) => Effect.succeed(unreadable(id, cause))));

const isPaused = (records: ReadonlyArray<JournalRecord>): boolean => {
  const last = records.findLast((record) => {
    const event = eventOf(record);
    return event === "session.paused" || event === "session.unpaused";
  });
  return last !== undefined && eventOf(last) === "session.paused";
};

const unreadable = (id: string, cause: Cause.Cause<unknown>): SessionSummary => {
  const error = Cause.squash(cause);
  return {
    id,
    cwd: null,
    model: null,
    startedAt: 0,
    changedAt: 0,
    prompt: "",
    runs: 0,
    isPaused: false,
    status: "unreadable",
    problem: error instanceof JournalFailed ? error.detail : messageOf(error),
    head: 0,
    questionsExpireAt: null,
    usage: [],
  };
};
