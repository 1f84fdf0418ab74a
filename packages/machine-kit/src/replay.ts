import type { AnyStateMachine } from "xstate";
import { type EventOf, type InputOf, type IntentOf, type SnapshotOf, stepperOf } from "./Stepper.ts";

/**
 * Replays recorded events through a machine: the states and intents of the recording, with nothing run. The intents
 * come in the order they were given, those of the first state included.
 *
 * @example
 * ```ts
 * replay(lampMachine, undefined, [{ type: "switch.pressed" }]).intents // => [{ type: "intent.light" }]
 * ```
 */
export const replay = <M extends AnyStateMachine>(
  machine: M,
  input: InputOf<M>,
  events: Iterable<EventOf<M>>,
): { readonly snapshot: SnapshotOf<M>; readonly intents: ReadonlyArray<IntentOf<M>> } => {
  const stepper = stepperOf(machine);
  const first = stepper.initial(input);
  let snapshot = first.snapshot;
  const intents = [...first.intents];
  for (const event of events) {
    const step = stepper.step(snapshot, event);
    snapshot = step.snapshot;
    intents.push(...step.intents);
  }
  return { snapshot, intents };
};
