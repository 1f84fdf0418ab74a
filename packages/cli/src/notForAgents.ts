import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";

/** Marks every process that a command of an agent starts (`bash` of local-tools sets it). */
const callVariable = "KUMIKO_CALL";

/**
 * Refuses what only a person may do, where the process is one of an agent's own commands. The gate refuses such a
 * command already; this holds where it comes in a script that the gate has not seen.
 */
export const notForAgents = (what: string): Effect.Effect<void, BadInput> =>
  Effect.suspend(() =>
    process.env[callVariable] === undefined
      ? Effect.void
      : Effect.fail(new BadInput({ detail: `${what} is a person's to do, and this is a command of an agent` })),
  );
