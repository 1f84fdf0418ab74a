import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import { type EventOf, type InputOf, isActive, type Step, stepperOf } from "../Stepper.ts";
import type { FamilyOptions } from "./machineFamilies.ts";

/** One move of a random walk: an event, or the n-th of the delays that are running. */
export type Move<M extends AnyStateMachine> =
  | { readonly kind: "event"; readonly event: EventOf<M> }
  | { readonly kind: "firstHeeded"; readonly events: ReadonlyArray<EventOf<M>> }
  | { readonly kind: "delay"; readonly index: number };

/** Moves for a machine: mostly events, sometimes a delay running out. */
export const movesOf = <M extends AnyStateMachine>(options: FamilyOptions<M>): fc.Arbitrary<ReadonlyArray<Move<M>>> =>
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: options.events.map((event): Move<M> => ({ kind: "event", event })) },
      {
        weight: 6,
        arbitrary: fc
          .array(options.events, { minLength: 8, maxLength: 24 })
          .map((events): Move<M> => ({ kind: "firstHeeded", events })),
      },
      { weight: 1, arbitrary: fc.nat({ max: 3 }).map((index): Move<M> => ({ kind: "delay", index })) },
    ),
    { maxLength: 60 },
  );

export interface Walked<M extends AnyStateMachine> {
  readonly event: EventOf<M> | undefined;
  readonly step: Step<M>;
}

/** Steps a machine through moves, keeping count of running delays. A delay that is not running is skipped. */
export function* walk<M extends AnyStateMachine>(
  machine: M,
  input: InputOf<M>,
  moves: ReadonlyArray<Move<M>>,
): Generator<Walked<M>> {
  const stepper = stepperOf(machine);
  const running = new Map<string, EventOf<M>>();
  const note = (step: Step<M>): Step<M> => {
    for (const id of step.cancelled) running.delete(id);
    for (const timer of step.timers) running.set(timer.id, timer.event);
    if (!isActive(step.snapshot)) running.clear();
    return step;
  };
  let step = note(stepper.initial(input));
  yield { event: undefined, step };
  for (const move of moves) {
    const event = choose(machine, step.snapshot, move, [...running.values()]);
    if (event === undefined) continue;
    step = note(stepper.step(step.snapshot, event));
    yield { event, step };
  }
}

const choose = <M extends AnyStateMachine>(
  machine: M,
  snapshot: Step<M>["snapshot"],
  move: Move<M>,
  running: ReadonlyArray<EventOf<M>>,
): EventOf<M> | undefined => {
  if (move.kind === "event") return move.event;
  if (move.kind === "delay") return running[move.index];
  const { events } = move;
  if (!isActive(snapshot)) return events[0];
  return events.find((event) => machine.getTransitionData(snapshot, event).length > 0) ?? events[0];
};

/** fast-check settings of a family. */
export const settingsOf = <M extends AnyStateMachine>(
  options: FamilyOptions<M>,
): { readonly numRuns: number; readonly seed: number } => ({
  numRuns: options.numRuns ?? 200,
  seed: options.seed ?? 1,
});

/** A snapshot as plain text: equal text, equal state. */
export const fingerprint = <M extends AnyStateMachine>(machine: M, snapshot: Step<M>["snapshot"]): string =>
  JSON.stringify(stepperOf(machine).encode(snapshot));
