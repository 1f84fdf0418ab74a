import { describeSession } from "@kumiko/core-loop";
import { RunStatus, type RunOutcome, textOf } from "@kumiko/plugin-api";
import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { eventOf, field } from "./recordFields.ts";

const isStatus = Schema.is(RunStatus);

/** The runs that ended after record `head`, as their session tells it. */
export const endedSince = Effect.fnUntraced(function* (
  id: string,
  head: number,
): Effect.fn.Return<ReadonlyArray<{ readonly runId: string; readonly outcome: RunOutcome }>, JournalFailed, Journal> {
  const journal = yield* Journal;
  const records = yield* journal.read(id);
  const ended = new Set(
    records
      .filter((record) => record.seq > head && eventOf(record) === "run.ended")
      .map(({ body }) => field(body, "runId")),
  );
  const { messages, runs } = describeSession(records);
  return runs.flatMap(({ iterations, messagesBefore, runId, status, usage }, index) => {
    if (!ended.has(runId) || !isStatus(status)) return [];
    const own = messages.slice(messagesBefore, runs[index + 1]?.messagesBefore);
    const answer = own.findLast(({ role }) => role === "assistant");
    return [{ runId, outcome: { status, text: answer === undefined ? "" : textOf(answer), iterations, usage } }];
  });
});
