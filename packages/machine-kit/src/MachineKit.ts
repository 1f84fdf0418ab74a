import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import type { AnyStateMachine } from "xstate";
import { isCancelIntent, keyOf } from "./Intent.ts";
import { Mailbox } from "./internal/Mailbox.ts";
import {
  type EventOf,
  type InputOf,
  type IntentOf,
  isActive,
  type SnapshotOf,
  type Step,
  stepperOf,
} from "./Stepper.ts";

/** Where an actor writes down its events and intents. */
export interface ActorLog<M extends AnyStateMachine, E = never> {
  /** Buffers; synchronous. */
  readonly event: (event: EventOf<M>) => void;
  readonly intent: (intent: IntentOf<M>) => void;
  /** Whether what is buffered must be safe before this intent is performed. */
  readonly commitsBefore: (intent: IntentOf<M>) => boolean;
  /** Makes the buffer safe, before this intent or, without one, at the end. Empty buffer: does nothing. */
  readonly commit: (intent?: IntentOf<M>) => Effect.Effect<void, E>;
  /** Default true. False: whoever waits for the end commits it with what else belongs to it. */
  readonly commitsAtEnd?: boolean;
}

export interface ActorOptions<M extends AnyStateMachine, E, R> {
  readonly input: InputOf<M>;
  /**
   * Does what an intent asks for, on a fiber of its own; the event it gives, if any, goes back to the machine. Must
   * not fail: what can go wrong is an event. A defect ends the actor. Leaving the state (an `intent.cancel` with the
   * intent's key) or the end of the actor interrupts it; after that its event is dropped.
   */
  readonly perform: (intent: IntentOf<M>) => Effect.Effect<EventOf<M> | void, never, R>;
  readonly log?: ActorLog<M, E>;
  /**
   * Go on from here instead of from the start: a snapshot that replayed events led to, and the intents that are still
   * to be performed (they are not written down again).
   */
  readonly from?: { readonly snapshot: SnapshotOf<M>; readonly intents: ReadonlyArray<IntentOf<M>> };
  /** Events that may wait. More are refused. Default 10 000: more than any run has in flight. */
  readonly mailboxCapacity?: number;
}

/** A running machine. */
export interface MachineActor<M extends AnyStateMachine, E> {
  /** Puts an event into the mailbox. False: the mailbox is full, or the actor is over. Synchronous. */
  readonly send: (event: EventOf<M>) => boolean;
  readonly snapshot: () => SnapshotOf<M>;
  /** The last snapshot, once the machine reached a final state (and what it wrote is safe, unless its log says otherwise). */
  readonly done: Effect.Effect<SnapshotOf<M>, E>;
}

/**
 * Runs a machine as an actor in the current scope: one mailbox, one event at a time, in order. Each step is computed
 * purely; then its event and intents are written down; then the intents are performed. Delays run on Effect's Clock.
 * The end of the scope, or a final state, interrupts whatever the actor started.
 */
const run = <M extends AnyStateMachine, E = never, R = never>(
  machine: M,
  options: ActorOptions<M, E, R>,
): Effect.Effect<MachineActor<M, E>, never, R | Scope.Scope> =>
  Effect.gen(function* () {
    const stepper = stepperOf(machine);
    const mailbox = new Mailbox<EventOf<M>>(options.mailboxCapacity ?? 10_000);
    const done = yield* Deferred.make<SnapshotOf<M>, E>();
    const parent = yield* Effect.scope;
    const scope = yield* Scope.fork(parent);
    const { log } = options;

    const { from } = options;
    const first: Step<M> = from === undefined ? stepper.initial(options.input) : { ...from, cancelled: [], timers: [] };
    let snapshot = first.snapshot;
    const performing = new Map<string, Fiber.Fiber<void>>();

    const start = (key: string, effect: Effect.Effect<EventOf<M> | void, never, R>): Effect.Effect<void, never, R> =>
      Effect.suspend(() => {
        // Most work ends before the fork returns; what does not is known by its fiber, so that it can be stopped.
        let isOver = false;
        let fiber: Fiber.Fiber<void> | undefined;
        const work = Effect.onExit(effect, (exit) =>
          Effect.sync(() => {
            isOver = true;
            if (fiber !== undefined) {
              if (performing.get(key) !== fiber) return;
              performing.delete(key);
            }
            if (Exit.isFailure(exit)) mailbox.fail(exit.cause);
            else if (isEvent<M>(exit.value)) mailbox.offerAlways(exit.value);
          }),
        );
        return Effect.map(Effect.forkIn(Effect.asVoid(work), scope, { startImmediately: true }), (forked) => {
          fiber = forked;
          if (!isOver) performing.set(key, forked);
        });
      });
    const stop = (key: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const fiber = performing.get(key);
        if (fiber === undefined) return Effect.void;
        performing.delete(key);
        return Fiber.interrupt(fiber);
      });

    const act = Effect.fnUntraced(function* (step: Step<M>) {
      for (const id of step.cancelled) yield* stop(id);
      const isKnown = step === first && from !== undefined;
      for (const intent of step.intents) {
        if (!isKnown) log?.intent(intent);
        if (isCancelIntent(intent)) yield* stop(intent.key);
        else {
          if (log?.commitsBefore(intent) === true) yield* log.commit(intent);
          yield* start(keyOf(intent), options.perform(intent));
        }
      }
      for (const timer of step.timers)
        yield* start(timer.id, Effect.delay(Effect.succeed(timer.event), timer.delayMillis));
    });

    const loop = Effect.gen(function* () {
      yield* act(first);
      while (isActive(snapshot)) {
        const event = mailbox.poll() ?? (yield* mailbox.take);
        const step = stepper.step(snapshot, event);
        if (step.snapshot !== snapshot || step.intents.length > 0) log?.event(event);
        snapshot = step.snapshot;
        yield* act(step);
      }
      if (log !== undefined && log.commitsAtEnd !== false) yield* log.commit();
      return snapshot;
    });
    yield* Effect.forkIn(
      Effect.onExit(loop, (exit) =>
        Effect.suspend(() => {
          mailbox.close();
          return Effect.andThen(Deferred.done(done, exit), Scope.close(scope, Exit.void));
        }),
      ),
      parent,
    );
    return { send: (event) => mailbox.offer(event), snapshot: () => snapshot, done: Deferred.await(done) };
  });

// An effect typed as void may well give a value, `true` say; only what looks like an event is one.
const isEvent = <M extends AnyStateMachine>(value: EventOf<M> | void): value is EventOf<M> =>
  typeof value === "object" && value !== null && "type" in value;

export const MachineKit = { run };
