import type { DescribedModelCall } from "@kumiko/core-loop";
import { addUsage, noUsage, Usage } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** What some model calls have used. */
export const Tally = Schema.Struct({
  calls: Count,
  /** Those of them that gave no reply. */
  failedCalls: Count,
  usage: Usage,
  /** US dollars, of the calls whose price was known. */
  costUsd: Schema.Finite,
  pricedCalls: Count,
  /** Calls that used something, at a price that was not known. */
  unpricedCalls: Count,
});
export type Tally = typeof Tally.Type;

export const noTally: Tally = {
  calls: 0,
  failedCalls: 0,
  usage: noUsage,
  costUsd: 0,
  pricedCalls: 0,
  unpricedCalls: 0,
};

export const addTally = (a: Tally, b: Tally): Tally => ({
  calls: a.calls + b.calls,
  failedCalls: a.failedCalls + b.failedCalls,
  usage: addUsage(a.usage, b.usage),
  costUsd: a.costUsd + b.costUsd,
  pricedCalls: a.pricedCalls + b.pricedCalls,
  unpricedCalls: a.unpricedCalls + b.unpricedCalls,
});

export const sumOf = (tallies: ReadonlyArray<Tally>): Tally => tallies.reduce(addTally, noTally);

export const tallyOf = ({
  costUsd,
  isFailed,
  usage,
}: Pick<DescribedModelCall, "costUsd" | "isFailed" | "usage">): Tally => ({
  calls: 1,
  failedCalls: isFailed ? 1 : 0,
  usage,
  costUsd: costUsd ?? 0,
  pricedCalls: costUsd === undefined ? 0 : 1,
  unpricedCalls: costUsd === undefined && usage.inputTokens + usage.outputTokens > 0 ? 1 : 0,
});

/** As a run's outcome has it: no cost where none is known. */
export const costIn = ({
  costUsd,
  pricedCalls,
  unpricedCalls,
}: Tally): { readonly costUsd?: number; readonly costIsPartial?: true } => ({
  ...(pricedCalls === 0 && unpricedCalls > 0 ? {} : { costUsd }),
  ...(pricedCalls > 0 && unpricedCalls > 0 ? { costIsPartial: true } : {}),
});
