import { type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";

/** Ends what a tool does after its time, as a failure that says so. */
export const withTimeout = <A>(
  effect: Effect.Effect<A, ToolFailed>,
  { name, timeoutMillis }: Tool,
): Effect.Effect<A, ToolFailed> =>
  Effect.timeoutOrElse(effect, {
    duration: timeoutMillis,
    orElse: () =>
      Effect.fail(
        new ToolFailed({
          kind: "transient",
          detail: `${name} was stopped after ${timeoutMillis} ms.`,
          hint: "It may have done part of its work: check first.",
        }),
      ),
  });
