import { ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { fileFailure } from "../fileFailure.ts";

/**
 * Runs work that stops when its signal says so. Interruption raises the signal; with `waits` it also lasts until the
 * work is over, so that nothing is left behind. What the work throws becomes a {@link ToolFailed}.
 */
export const abortable = <A>(
  work: (signal: AbortSignal) => Promise<A>,
  { waits = false }: { readonly waits?: boolean } = {},
): Effect.Effect<A, ToolFailed> =>
  Effect.callback((resume) => {
    const controller = new AbortController();
    const over = work(controller.signal).then(
      (value) => resume(Effect.succeed(value)),
      (error: unknown) => resume(Effect.fail(error instanceof ToolFailed ? error : fileFailure(error))),
    );
    return Effect.suspend(() => {
      controller.abort();
      return waits ? Effect.promise(() => over) : Effect.void;
    });
  });
