import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import { stepperOf } from "../Stepper.ts";
import type { FamilyOptions } from "./machineFamilies.ts";
import { fingerprint, movesOf, settingsOf, walk } from "./walk.ts";

/** Family 4: the snapshot after every step of a walk is cut, sent through JSON, and taken on by the rest of the walk. */
export const resumesAtAnyCut = <M extends AnyStateMachine>(machine: M, options: FamilyOptions<M>): void =>
  options.test("4 resumes at any cut", () => {
    const stepper = stepperOf(machine);
    fc.assert(
      fc.property(options.input, movesOf(options), fc.nat(), (input, moves, where) => {
        const whole = [...walk(machine, input, moves)];
        const cut = where % whole.length;
        const before = whole[cut];
        if (before === undefined) return;
        let snapshot = stepper.decode(JSON.parse(JSON.stringify(stepper.encode(before.step.snapshot))));
        if (fingerprint(machine, snapshot) !== fingerprint(machine, before.step.snapshot))
          throw new Error(`the snapshot changed on its way through JSON at step ${cut}`);
        for (const { event, step } of whole.slice(cut + 1)) {
          if (event === undefined) continue;
          const resumed = stepper.step(snapshot, event);
          snapshot = resumed.snapshot;
          if (
            fingerprint(machine, snapshot) !== fingerprint(machine, step.snapshot) ||
            JSON.stringify(resumed.intents) !== JSON.stringify(step.intents) ||
            JSON.stringify(resumed.timers) !== JSON.stringify(step.timers)
          )
            throw new Error(`cut at step ${cut}, then ${JSON.stringify(event)}: not what the whole run did`);
        }
      }),
      settingsOf(options),
    );
  });
