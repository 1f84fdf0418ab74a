import type { AnyStateMachine } from "xstate";
import { replay } from "../replay.ts";
import type { EventOf, InputOf, IntentOf } from "../Stepper.ts";
import type { FamilyOptions } from "./machineFamilies.ts";

/** What an actor was given and what it answered, as recorded by a shipped version. */
export interface History<M extends AnyStateMachine> {
  /** What the recording shows, and since which version. */
  readonly name: string;
  readonly input: InputOf<M>;
  readonly events: ReadonlyArray<EventOf<M>>;
  readonly intents: ReadonlyArray<IntentOf<M>>;
}

/** Family 6. */
export const replays = <M extends AnyStateMachine>(
  machine: M,
  options: FamilyOptions<M>,
  histories: ReadonlyArray<History<M>>,
): void => {
  for (const history of histories)
    options.test(`6 replays: ${history.name}`, () => {
      const { intents } = replay(machine, history.input, history.events);
      const got = JSON.stringify(intents, undefined, 1);
      const recorded = JSON.stringify(history.intents, undefined, 1);
      if (got !== recorded) throw new Error(`the recorded intents were\n${recorded}\nbut now they are\n${got}`);
    });
};
