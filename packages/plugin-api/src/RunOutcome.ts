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

/** The result of a run. */
export const RunOutcome = Schema.Struct({
  status: RunStatus,
  /** The final answer, or the best there is. */
  text: Schema.String,
  /** Why, for every status but `done`. */
  reason: Schema.optionalKey(Schema.String),
  iterations: Schema.Int,
  usage: Usage,
});
export type RunOutcome = typeof RunOutcome.Type;
