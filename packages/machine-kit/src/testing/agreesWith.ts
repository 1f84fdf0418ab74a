import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import { phaseOf } from "./phaseOf.ts";
import type { FamilyOptions, ReferenceModel } from "./machineFamilies.ts";
import { movesOf, settingsOf, walk } from "./walk.ts";

/** Family 1. */
export const agreesWith = <M extends AnyStateMachine, State>(
  machine: M,
  options: FamilyOptions<M>,
  model: ReferenceModel<M, State>,
): void =>
  options.test("1 agrees with its reference model", () => {
    fc.assert(
      fc.property(options.input, movesOf(options), (input, moves) => {
        let { state, intents } = model.start(input);
        const said: Array<string> = [];
        for (const { event, step } of walk(machine, input, moves)) {
          if (event !== undefined) ({ state, intents } = model.next(state, event));
          said.push(event === undefined ? "(start)" : JSON.stringify(event));
          const machineSays = { phase: phaseOf(step.snapshot), intents: step.intents.map(({ type }) => type) };
          const modelSays = { phase: model.phase(state), intents: [...intents] };
          if (JSON.stringify(machineSays) !== JSON.stringify(modelSays))
            throw new Error(
              `after ${said.join(", ")}\n  machine: ${JSON.stringify(machineSays)}\n  model:   ${JSON.stringify(modelSays)}`,
            );
        }
      }),
      settingsOf(options),
    );
  });
