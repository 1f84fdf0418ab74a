import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import type { CommandLine } from "../command.ts";
import { durationMillis } from "../duration.ts";
import { oneLine } from "../printable.ts";
import type { ConfigLayer } from "./Config.ts";

type Flags = Pick<
  CommandLine,
  | "allow"
  | "auditLog"
  | "deny"
  | "maxTurns"
  | "mode"
  | "model"
  | "plain"
  | "questionTimeout"
  | "rehearsal"
  | "unattended"
>;

/** What the command line sets. */
export const flagLayer = Effect.fnUntraced(function* (line: Flags): Effect.fn.Return<ConfigLayer, BadInput> {
  const { allow, auditLog, deny, maxTurns, mode, plain, questionTimeout, rehearsal, unattended } = line;
  // A rehearsal plays prepared parts, whatever model is set.
  const model = rehearsal === undefined ? line.model : "rehearsal";
  if (maxTurns !== undefined && maxTurns < 1)
    return yield* new BadInput({ detail: `--max-turns is ${maxTurns}; it must be 1 or more` });
  if (questionTimeout !== undefined && durationMillis(questionTimeout) === undefined)
    return yield* new BadInput({
      detail: `--question-timeout is ${JSON.stringify(oneLine(questionTimeout, 40))}; write a number and a unit: 90s, 15m, 2h, 1d`,
    });
  return {
    source: { layer: "flag" },
    values: {
      allow,
      deny,
      ...(model === undefined ? {} : { model }),
      ...(mode === undefined ? {} : { mode }),
      ...(maxTurns === undefined ? {} : { maxTurns }),
      ...(unattended === undefined ? {} : { unattended }),
      ...(questionTimeout === undefined ? {} : { questionTimeout }),
      ...(plain ? { plain } : {}),
      ...(auditLog === undefined ? {} : { auditLog }),
    },
  };
});
