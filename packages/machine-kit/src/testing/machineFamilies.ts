import type * as fc from "fast-check";
import type { AnyStateMachine } from "xstate";
import type { EventOf, InputOf, IntentOf, SnapshotOf } from "../Stepper.ts";
import { agreesWith, type Alphabet } from "./agreesWith.ts";
import { always } from "./always.ts";
import { isDeterministicAndTotal } from "./isDeterministicAndTotal.ts";
import { type ReachOptions, reachesEverything } from "./reachesEverything.ts";
import { type History, replays } from "./replays.ts";
import { resumesAtAnyCut } from "./resumesAtAnyCut.ts";

/** How a family is told of a machine. */
export interface FamilyOptions<M extends AnyStateMachine> {
  readonly input: fc.Arbitrary<InputOf<M>>;
  /** Any event, wrong ones in wrong states included. Delays are added by the families themselves. */
  readonly events: fc.Arbitrary<EventOf<M>>;
  /** The test runner's `it` or `test`. */
  readonly test: (name: string, run: () => void) => void;
  /** Default 200; soak runs raise it. */
  readonly numRuns?: number;
  /** Default 1: a failure is found again. Soak runs vary it. */
  readonly seed?: number;
}

/** A few lines that say what the machine must do: `phase` is what callers can tell apart. */
export interface ReferenceModel<M extends AnyStateMachine, State> {
  readonly start: (input: InputOf<M>) => { readonly state: State; readonly intents: ReadonlyArray<string> };
  readonly next: (
    state: State,
    event: EventOf<M>,
  ) => { readonly state: State; readonly intents: ReadonlyArray<string> };
  readonly phase: (state: State) => string;
}

/** What an invariant may look at: everything so far, after each event. */
export interface Observed<M extends AnyStateMachine> {
  readonly input: InputOf<M>;
  readonly snapshot: SnapshotOf<M>;
  readonly events: ReadonlyArray<EventOf<M>>;
  readonly intents: ReadonlyArray<IntentOf<M>>;
  /** The intents of the last step only. */
  readonly lastIntents: ReadonlyArray<IntentOf<M>>;
}

export interface MachineFamilies<M extends AnyStateMachine> {
  /** 1: the machine and a small model agree on phase and intents after every event; with an alphabet, exhaustively. */
  readonly agreesWith: <State>(model: ReferenceModel<M, State>, exhaustive?: Alphabet<M>) => void;
  /** 2: `holds` is true after every event of any list. */
  readonly always: (name: string, holds: (observed: Observed<M>) => boolean) => void;
  /** 3: a finite alphabet reaches every state and takes every transition; `except` names what it cannot, with reasons. */
  readonly reachesEverything: (options: ReachOptions<M>) => void;
  /** 4: run, encode to JSON at any point, decode, run on: the same as without the cut. */
  readonly resumesAtAnyCut: () => void;
  /** 5: the same twice gives the same; no event throws; an unknown event changes nothing. */
  readonly isDeterministicAndTotal: () => void;
  /** 6: recorded histories give their recorded intents. */
  readonly replays: (histories: ReadonlyArray<History<M>>) => void;
}

/**
 * The six property families for a machine, as tests of your test runner. All are pure: no actor runs, no time passes.
 *
 * @example
 * ```ts
 * const families = machineFamilies(lampMachine, { input: lampInputs, events: lampEvents, test: it })
 * families.agreesWith(lampModel)
 * families.always("never burns while broken", ({ snapshot }) => !(snapshot.context.broken && snapshot.matches("on")))
 * families.reachesEverything({ inputs: [undefined], alphabet: lampAlphabet })
 * families.resumesAtAnyCut()
 * families.isDeterministicAndTotal()
 * families.replays([recorded])
 * ```
 */
export const machineFamilies = <M extends AnyStateMachine>(
  machine: M,
  options: FamilyOptions<M>,
): MachineFamilies<M> => ({
  agreesWith: (model, exhaustive) => agreesWith(machine, options, model, exhaustive),
  always: (name, holds) => always(machine, options, name, holds),
  reachesEverything: (reach) => reachesEverything(machine, options, reach),
  resumesAtAnyCut: () => resumesAtAnyCut(machine, options),
  isDeterministicAndTotal: () => isDeterministicAndTotal(machine, options),
  replays: (histories) => replays(machine, options, histories),
});
