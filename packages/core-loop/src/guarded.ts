import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import type { RunContext } from "./RunContext.ts";

/**
 * Runs a contribution so that its failure is an event and a value, never the end of the run. Interruption is passed on:
 * it is the run's own.
 */
export const guarded = <A, B>(
  run: RunContext,
  point: string,
  contribution: () => Effect.Effect<A>,
  otherwise: (detail: string) => B,
): Effect.Effect<A | B> =>
  Effect.catchCause(Effect.suspend(contribution), (cause) => {
    if (Cause.hasInterrupts(cause)) return Effect.interrupt;
    const detail = messageOf(Cause.squash(cause));
    run.hub.publish({ type: "plugin.failed", point, detail });
    return Effect.succeed(otherwise(detail));
  });

/** What an unknown error says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
