import { type DescribedModelCall, describeUsage } from "@kumiko/core-loop";
import type { JournalRecord } from "@kumiko/runtime-api";
import * as Schema from "effect/Schema";
import { addTally, noTally, Tally, tallyOf } from "./Tally.ts";

/** Every time zone's days begin at such a time, so what is kept holds wherever its reader is. */
const sliceMillis = 15 * 60_000;

/** What a session has used of one model in a quarter of an hour. */
export const UsageSlice = Schema.Struct({
  /** When the quarter began, in milliseconds since 1970. */
  time: Schema.Finite,
  /** `null`: nobody wrote it down. */
  model: Schema.NullOr(Schema.String),
  tally: Tally,
});
export type UsageSlice = typeof UsageSlice.Type;

/** A session's usage as its index keeps it: short, however many calls there were. */
export const slicesOf = (records: ReadonlyArray<JournalRecord>): ReadonlyArray<UsageSlice> => {
  const slices = new Map<string, UsageSlice>();
  for (const call of describeUsage(records)) {
    const { model, time } = sliceOf(call);
    const key = `${time} ${model ?? ""}`;
    const tally = addTally(slices.get(key)?.tally ?? noTally, tallyOf(call));
    slices.set(key, { time, model, tally });
  }
  return [...slices.values()];
};

const sliceOf = ({ model, time }: DescribedModelCall) => ({
  model: model ?? null,
  time: Math.floor(time / sliceMillis) * sliceMillis,
});
