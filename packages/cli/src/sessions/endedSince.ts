import { describeSession } from "@kumiko/core-loop";
import { RunStatus, type RunOutcome, textOf } from "@kumiko/plugin-api";
import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { eventOf, field } from "./recordFields.ts";

const isStatus = Schema.is(RunStatus);

/** The runs that ended after record `head` and are none of those that were `shown`, as their session tells it. */
export const endedSince = Effect.fnUntraced(function* (
  id: string,
  head: number,
  shown: ReadonlySet<unknown>,
): Effect.fn.Return<ReadonlyArray<{ readonly runId: string; readonly outcome: RunOutcome }>, JournalFailed, Journal> {
  const journal = yield* Journal;
  const ended = new Set(
    (yield* journal.read(id, { fromSeq: head + 1 }))
      .filter((record) => eventOf(record) === "run.ended")
      .map(({ body }) => field(body, "runId"))
      .filter((runId) => !shown.has(runId)),
  );
  if (ended.size === 0) return [];
  const { messages, runs } = describeSession(yield* journal.read(id));
  return runs.flatMap(({ costIsPartial, costUsd, iterations, messagesBefore, runId, status, usage }, index) => {
    if (!ended.has(runId) || !isStatus(status)) return [];
    const own = messages.slice(messagesBefore, runs[index + 1]?.messagesBefore);
    const answer = own.findLast(({ role }) => role === "assistant");
    const cost = costUsd === undefined ? {} : { costUsd, ...(costIsPartial === true ? { costIsPartial } : {}) };
    const text = answer === undefined ? "" : textOf(answer);
    return [{ runId, outcome: { status, text, iterations, usage, ...cost } }];
  });
});
