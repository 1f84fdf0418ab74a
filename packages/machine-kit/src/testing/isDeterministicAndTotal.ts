import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import { type EventOf, stepperOf } from "../Stepper.ts";
import type { FamilyOptions } from "./machineFamilies.ts";
import { fingerprint, movesOf, settingsOf, walk } from "./walk.ts";

/** Family 5. */
export const isDeterministicAndTotal = <M extends AnyStateMachine>(machine: M, options: FamilyOptions<M>): void =>
  options.test("5 is deterministic and total", () => {
    const stepper = stepperOf(machine);
    const unknown = { type: "no.suchEvent" } as EventOf<M>;
    const transcript = (input: Parameters<typeof stepper.initial>[0], moves: Parameters<typeof walk<M>>[2]): string =>
      [...walk(machine, input, moves)]
        .map(({ step }) => `${fingerprint(machine, step.snapshot)} ${JSON.stringify([step.intents, step.timers])}`)
        .join("\n");
    fc.assert(
      fc.property(options.input, movesOf(options), (input, moves) => {
        if (transcript(input, moves) !== transcript(input, moves)) throw new Error("two runs differ");
        for (const { step } of walk(machine, input, moves)) {
          const after = stepper.step(step.snapshot, unknown);
          if (fingerprint(machine, after.snapshot) !== fingerprint(machine, step.snapshot) || after.intents.length > 0)
            throw new Error(`an unknown event changed ${fingerprint(machine, step.snapshot)}`);
        }
      }),
      settingsOf(options),
    );
  });
