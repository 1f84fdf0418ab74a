import * as Schema from "effect/Schema";
import { Usage } from "./Model.ts";

/**
 * How a run ended. `done`: the model finished; `denied`: it finished, but a call it wanted was refused for good
 * because nobody could be asked; `force-stopped`: a limit or a detector ended it, and `text` is the model's summary of
 * the state; `failed`: it could not go on; `aborted`: somebody ended it; `suspended`: it is saved, and
 * goes on when its session is opened again: it waits for a person's answer, or its harness was closed.
 */
export const RunStatus = Schema.Literals(["done", "denied", "force-stopped", "failed", "aborted", "suspended"]);
export type RunStatus = typeof RunStatus.Type;

/**
 * What to know of an answer that was given. `refused`: the model declined; `truncated`: it is cut at the output limit,
 * after several continuations; `unverified`: it still claims calls that were not made, after two corrections.
 */
export const OutcomeFlag = Schema.Literals(["refused", "truncated", "unverified"]);
export type OutcomeFlag = typeof OutcomeFlag.Type;

/** The result of a run. */
export const RunOutcome = Schema.Struct({
  status: RunStatus,
  /** The final answer, or the best there is. */
  text: Schema.String,
  /** Why, for every status but `done`. */
  reason: Schema.optionalKey(Schema.String),
  iterations: Schema.Int,
  /** Tokens of all its model calls, of those that failed too. */
  usage: Usage,
  /** What those cost, in US dollars, as far as prices are known. Absent: none is known. */
  costUsd: Schema.optionalKey(Schema.Finite),
  /** True: some of its calls were to a model whose prices are not known. */
  costIsPartial: Schema.optionalKey(Schema.Boolean),
  flags: Schema.optionalKey(Schema.Array(OutcomeFlag)),
});
export type RunOutcome = typeof RunOutcome.Type;
