import * as Command from "effect/cli/Command";
import * as Flag from "effect/cli/Flag";
import * as Effect from "effect/Effect";

const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false));

export const doctorCommand = Command.make("doctor", { json }, (line) =>
  Effect.flatMap(
    Effect.promise(() => import("./doctor/runDoctor.ts")),
    ({ runDoctor }) => runDoctor(line),
  ),
).pipe(
  Command.withDescription(
    "Checks what runs need here, and says how to mend what is missing. No key is shown and nothing beyond this machine is asked. Exit code 1: a run would not get far",
  ),
);
