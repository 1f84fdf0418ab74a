import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import type { RunContext } from "./RunContext.ts";

/**
 * Runs a contribution so that its failure is an event and a value, never the end of the run. What returns no Effect (a
 * promise, nothing) has failed too: types may have been cast away. Interruption from outside is passed on: it is the
 * run's own.
 */
export const guarded = <A, B>(
  run: RunContext,
  point: string,
  contribution: () => Effect.Effect<A>,
  otherwise: (detail: string) => B,
): Effect.Effect<A | B> =>
  Effect.map(Effect.exit(effectOf(point, contribution)), (exit) => {
    if (exit._tag === "Success") return exit.value;
    const detail = messageOf(Cause.squash(exit.cause));
    run.hub.publish({ type: "plugin.failed", point, detail });
    return otherwise(detail);
  });

/** What a contribution returned, if it is an Effect; else a defect that says what is expected. */
export const effectOf = <A, E>(point: string, contribution: () => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const returned = contribution();
    return Effect.isEffect(returned)
      ? returned
      : Effect.die(new TypeError(`a contribution to ${point} returned ${kindOf(returned)}; it must return an Effect`));
  });

const kindOf = (value: unknown): string =>
  value instanceof Promise ? "a promise" : value === undefined ? "nothing" : typeof value;

/** What an unknown error says. */
export const messageOf = (error: unknown): string => {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "something that has no text";
  }
};
