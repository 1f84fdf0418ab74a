import * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import { type EventOf, type InputOf, type Step, stepperOf } from "../Stepper.ts";
import { phaseOf } from "./phaseOf.ts";
import type { FamilyOptions, ReferenceModel } from "./machineFamilies.ts";
import { fingerprint, movesOf, settingsOf, walk } from "./walk.ts";

/** What a machine and its model can be led through exhaustively. */
export interface Alphabet<M extends AnyStateMachine> {
  readonly inputs: ReadonlyArray<InputOf<M>>;
  readonly alphabet: ReadonlyArray<EventOf<M>>;
}

/**
 * Family 1: random walks, and with an alphabet also every event in every pair of states that machine and model reach
 * together: random walks alone may never try the one event that a deep state forgot.
 */
export const agreesWith = <M extends AnyStateMachine, State>(
  machine: M,
  options: FamilyOptions<M>,
  model: ReferenceModel<M, State>,
  exhaustive?: Alphabet<M>,
): void =>
  options.test("1 agrees with its reference model", () => {
    fc.assert(
      fc.property(options.input, movesOf(options), (input, moves) => {
        let said = model.start(input);
        const events: Array<EventOf<M>> = [];
        for (const { event, step } of walk(machine, input, moves)) {
          if (event !== undefined) {
            said = model.next(said.state, event);
            events.push(event);
          }
          compare(model, said, step, events);
        }
      }),
      settingsOf(options),
    );
    if (exhaustive !== undefined) compareEverywhere(machine, model, exhaustive);
  });

const compare = <M extends AnyStateMachine, State>(
  model: ReferenceModel<M, State>,
  said: ReturnType<ReferenceModel<M, State>["start"]>,
  step: Step<M>,
  events: ReadonlyArray<EventOf<M>>,
): void => {
  const machineSays = JSON.stringify([phaseOf(step.snapshot), ...step.intents.map(({ type }) => type)]);
  const modelSays = JSON.stringify([model.phase(said.state), ...said.intents]);
  if (machineSays !== modelSays)
    throw new Error(`after ${JSON.stringify(events)}\n  machine: ${machineSays}\n  model:   ${modelSays}`);
};

const maxPairs = 20_000;

const compareEverywhere = <M extends AnyStateMachine, State>(
  machine: M,
  model: ReferenceModel<M, State>,
  { alphabet, inputs }: Alphabet<M>,
): void => {
  interface Pair {
    readonly step: Step<M>;
    readonly state: State;
    readonly timers: ReadonlyArray<EventOf<M>>;
    readonly events: ReadonlyArray<EventOf<M>>;
  }
  const stepper = stepperOf(machine);
  const seen = new Set<string>();
  const pairs: Array<Pair> = [];
  const visit = (pair: Pair): void => {
    const key = `${fingerprint(machine, pair.step.snapshot)} ${JSON.stringify([pair.state, pair.timers])}`;
    if (seen.has(key) || seen.size >= maxPairs) return;
    seen.add(key);
    pairs.push(pair);
  };
  for (const input of inputs) {
    const step = stepper.initial(input);
    const said = model.start(input);
    compare(model, said, step, []);
    visit({ step, state: said.state, timers: step.timers.map((timer) => timer.event), events: [] });
  }
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const { events, state, timers } = pair;
    for (const event of [...alphabet, ...timers]) {
      const step = stepper.step(pair.step.snapshot, event);
      const said = model.next(state, event);
      const path = [...events, event];
      compare(model, said, step, path);
      const left = timers.filter(({ type }) => !step.cancelled.includes(type));
      visit({ step, state: said.state, timers: [...left, ...step.timers.map((timer) => timer.event)], events: path });
    }
  }
};
