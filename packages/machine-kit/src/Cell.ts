import type { AnyStateMachine } from "xstate";
import { type EventOf, type InputOf, type IntentOf, type SnapshotOf, stepperOf } from "./Stepper.ts";

/**
 * A machine held in place: no mailbox, no fibers. For machines that wait only for what their owner was just asked to
 * do, so that the owner can step them inline. Such machines have no delays: one throws a `TypeError`.
 */
export interface Cell<M extends AnyStateMachine> {
  readonly snapshot: SnapshotOf<M>;
  /** Steps, and answers with what the machine wants done. After the end: nothing. */
  readonly send: (event: EventOf<M>) => ReadonlyArray<IntentOf<M>>;
}

/** Starts a machine in place, with the intents of its first state. */
export const startCell = <M extends AnyStateMachine>(
  machine: M,
  input: InputOf<M>,
): { readonly cell: Cell<M>; readonly intents: ReadonlyArray<IntentOf<M>> } => {
  const stepper = stepperOf(machine);
  const first = stepper.initial(input);
  let snapshot = first.snapshot;
  const cell: Cell<M> = {
    get snapshot() {
      return snapshot;
    },
    send: (event) => {
      const step = stepper.step(snapshot, event);
      if (step.timers.length > 0) throw new TypeError("a machine held in place may not have delays");
      snapshot = step.snapshot;
      return step.intents;
    },
  };
  return { cell, intents: first.intents };
};
