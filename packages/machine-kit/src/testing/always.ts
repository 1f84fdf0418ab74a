import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import type { EventOf, IntentOf } from "../Stepper.ts";
import type { FamilyOptions, Observed } from "./machineFamilies.ts";
import { movesOf, settingsOf, walk } from "./walk.ts";

/** Family 2. */
export const always = <M extends AnyStateMachine>(
  machine: M,
  options: FamilyOptions<M>,
  name: string,
  holds: (observed: Observed<M>) => boolean,
): void =>
  options.test(`2 always: ${name}`, () => {
    fc.assert(
      fc.property(options.input, movesOf(options), (input, moves) => {
        const events: Array<EventOf<M>> = [];
        const intents: Array<IntentOf<M>> = [];
        for (const { event, step } of walk(machine, input, moves)) {
          if (event !== undefined) events.push(event);
          intents.push(...step.intents);
          if (!holds({ input, snapshot: step.snapshot, events, intents, lastIntents: step.intents }))
            throw new Error(`broken after ${JSON.stringify(events)}; intents: ${JSON.stringify(intents)}`);
        }
      }),
      settingsOf(options),
    );
  });
