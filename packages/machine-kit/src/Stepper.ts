import type {
  AnyMachineSnapshot,
  AnyStateMachine,
  EmittedFrom,
  EventFromLogic,
  InputFrom,
  Snapshot,
  SnapshotFrom,
} from "xstate";
import { inertScope } from "./internal/inertScope.ts";
import { StepMemory } from "./internal/StepMemory.ts";

export type EventOf<M extends AnyStateMachine> = EventFromLogic<M>;
export type IntentOf<M extends AnyStateMachine> = EmittedFrom<M>;
export type SnapshotOf<M extends AnyStateMachine> = SnapshotFrom<M>;
export type InputOf<M extends AnyStateMachine> = InputFrom<M>;

/** A delay the machine asked for: `event` is due after `delayMillis`, unless `id` is cancelled first. */
export interface Timer<M extends AnyStateMachine> {
  readonly id: string;
  readonly delayMillis: number;
  readonly event: EventOf<M>;
}

/** What one event led to. Follow-on events of the machine's own are already worked in. */
export interface Step<M extends AnyStateMachine> {
  readonly snapshot: SnapshotOf<M>;
  readonly intents: ReadonlyArray<IntentOf<M>>;
  /** In order: cancel first what a step both cancels and starts. */
  readonly cancelled: ReadonlyArray<string>;
  readonly timers: ReadonlyArray<Timer<M>>;
}

/** A machine as the pure function it is. */
export interface Stepper<M extends AnyStateMachine> {
  readonly machine: M;
  readonly initial: (input: InputOf<M>) => Step<M>;
  /** The next step. A snapshot that is over stays as it is, with no intents. */
  readonly step: (snapshot: SnapshotOf<M>, event: EventOf<M>) => Step<M>;
  /** A snapshot as JSON, and back. */
  readonly encode: (snapshot: SnapshotOf<M>) => unknown;
  readonly decode: (encoded: unknown) => SnapshotOf<M>;
}

/** Whether a machine's snapshot can still move. */
export const isActive = (snapshot: unknown): boolean => (snapshot as AnyMachineSnapshot).status === "active";

const steppers = new WeakMap<AnyStateMachine, unknown>();

/**
 * The pure face of a machine: `(snapshot, event) → (snapshot, intents)`. One scope per machine is built once and used
 * for every step, so a step costs microseconds; steps by events without payload are remembered, so that machines which
 * mostly take those cost next to nothing. Snapshots and steps may be shared: never change one. Synchronous, and nothing is run: an intent is what the machine emits, a
 * delay is data.
 *
 * Machines may use `assign`, `emit`, `raise` and delays. Anything that would act by itself (a plain function as action,
 * `invoke`, `spawn`, `sendTo`) throws a `TypeError` at the step.
 *
 * @example
 * ```ts
 * const stepper = stepperOf(lampMachine)
 * const off = stepper.initial(undefined)
 * const on = stepper.step(off.snapshot, { type: "switch.pressed" })
 * on.snapshot.value // => "on"
 * on.intents        // => [{ type: "intent.light" }]
 * ```
 */
export const stepperOf = <M extends AnyStateMachine>(machine: M): Stepper<M> => {
  const known = steppers.get(machine);
  if (known !== undefined) return known as Stepper<M>;
  const made = makeStepper(machine);
  steppers.set(machine, made);
  return made;
};

const makeStepper = <M extends AnyStateMachine>(machine: M): Stepper<M> => {
  const scope = inertScope(machine);
  const memory = new StepMemory<Step<M>>();
  const take = (snapshot: SnapshotOf<M>): Step<M> => ({ snapshot, ...collect<M>(scope.takeActions()) });
  return {
    machine,
    initial: (input) => {
      const known = input === undefined ? memory.initial : undefined;
      if (known !== undefined) return known;
      scope.takeActions();
      const step = take(machine.getInitialSnapshot(scope.scope, input) as SnapshotOf<M>);
      if (input === undefined) memory.initial = step;
      return step;
    },
    step: (snapshot, event) => {
      if (!isActive(snapshot)) return { snapshot, intents: none, cancelled: none, timers: none };
      const known = memory.get(snapshot, event);
      if (known !== undefined) return known;
      scope.takeActions();
      const step = take(machine.transition(snapshot, event, scope.scope) as SnapshotOf<M>);
      memory.add(snapshot, event, step);
      return step;
    },
    encode: (snapshot) => machine.getPersistedSnapshot(snapshot),
    decode: (encoded) => machine.restoreSnapshot(encoded as Snapshot<unknown>, scope.scope) as SnapshotOf<M>,
  };
};

interface Collected<M extends AnyStateMachine> {
  readonly intents: ReadonlyArray<IntentOf<M>>;
  readonly cancelled: ReadonlyArray<string>;
  readonly timers: ReadonlyArray<Timer<M>>;
}

const none: ReadonlyArray<never> = [];

const collect = <M extends AnyStateMachine>(
  actions: ReadonlyArray<{ readonly type: string; readonly params: unknown }>,
): Collected<M> => {
  if (actions.length === 0) return { intents: none, cancelled: none, timers: none };
  const intents: Array<IntentOf<M>> = [];
  const cancelled: Array<string> = [];
  const timers = new Map<string, Timer<M>>();
  for (const { type, params } of actions) {
    if (type === "xstate.emit") intents.push((params as { event: IntentOf<M> }).event);
    else if (type === "xstate.raise") {
      const { event, id, delay } = params as { event: EventOf<M>; id?: string; delay?: number };
      const timerId = id ?? event.type;
      if (delay !== undefined) timers.set(timerId, { id: timerId, delayMillis: delay, event });
    } else if (type === "xstate.cancel") {
      const { sendId } = params as { sendId: string };
      timers.delete(sendId);
      cancelled.push(sendId);
    } else throw new TypeError(`a machine may not act: action ${type} is not assign, emit, raise or a delay`);
  }
  return { intents, cancelled, timers: [...timers.values()] };
};
