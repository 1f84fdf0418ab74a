import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate";
import { type EventOf, type SnapshotOf, stepperOf } from "../Stepper.ts";
import type { Alphabet } from "./agreesWith.ts";
import type { FamilyOptions } from "./machineFamilies.ts";
import { fingerprint } from "./walk.ts";

export interface ReachOptions<M extends AnyStateMachine> extends Alphabet<M> {
  /** What cannot be reached, by the name the failure gives it, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
  /** Snapshots looked at, at most. Default 5 000. */
  readonly maxSnapshots?: number;
}

/** Family 3: breadth-first over snapshots, so what is reached is reached by a shortest path. */
export const reachesEverything = <M extends AnyStateMachine>(
  machine: M,
  options: FamilyOptions<M>,
  { inputs, alphabet, except = {}, maxSnapshots = 5_000 }: ReachOptions<M>,
): void =>
  options.test("3 reaches every state and takes every transition", () => {
    const wanted = everythingIn(machine);
    const reached = new Set<string>();
    const stepper = stepperOf(machine);
    const seen = new Set<string>();
    let frontier: Array<{ readonly snapshot: SnapshotOf<M>; readonly timers: ReadonlyArray<EventOf<M>> }> = [];
    const visit = (snapshot: SnapshotOf<M>, timers: ReadonlyArray<EventOf<M>>): void => {
      for (const node of nodesOf(snapshot)) reached.add(`state ${node}`);
      const key = fingerprint(machine, snapshot) + JSON.stringify(timers);
      if (seen.has(key) || seen.size >= maxSnapshots) return;
      seen.add(key);
      frontier.push({ snapshot, timers });
    };
    for (const input of inputs) {
      const { snapshot, timers } = stepper.initial(input);
      visit(
        snapshot,
        timers.map(({ event }) => event),
      );
    }
    while (frontier.length > 0) {
      const level = frontier;
      frontier = [];
      for (const { snapshot, timers } of level)
        for (const event of [...alphabet, ...timers]) {
          for (const taken of machine.getTransitionData(snapshot, event)) reached.add(nameOf(taken));
          const step = stepper.step(snapshot, event);
          const left = timers.filter(({ type }) => !step.cancelled.includes(type));
          visit(step.snapshot, [...left, ...step.timers.map((timer) => timer.event)]);
        }
    }
    const missed = [...wanted].filter((name) => !reached.has(name) && !(name in except));
    const stale = Object.keys(except).filter((name) => !wanted.has(name) || reached.has(name));
    if (missed.length > 0) throw new Error(`never reached: ${missed.join("; ")}`);
    if (stale.length > 0) throw new Error(`excepted for nothing: ${stale.join("; ")}`);
  });

const nodesOf = (snapshot: unknown): ReadonlyArray<string> =>
  (snapshot as { readonly _nodes: ReadonlyArray<{ readonly id: string }> })._nodes.map(({ id }) => id);

// A state may list several guarded transitions for one event: the n-th is told apart by its place.
const nameOf = (transition: AnyTransitionDefinition): string => {
  const all = transition.source.transitions.get(transition.eventType) ?? [];
  return `transition ${transition.source.id} on ${transition.eventType} #${all.indexOf(transition)}`;
};

const allNodes = (node: AnyStateNode): ReadonlyArray<AnyStateNode> => [
  node,
  ...Object.values(node.states).flatMap(allNodes),
];

const everythingIn = (machine: AnyStateMachine): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of allNodes(machine.root)) {
    names.add(`state ${node.id}`);
    if ((node.always ?? []).length > 0)
      throw new Error(`${node.id} has eventless transitions: guard the events instead, so that each can be counted`);
    for (const transitions of node.transitions.values())
      for (const transition of transitions) names.add(nameOf(transition));
  }
  return names;
};
