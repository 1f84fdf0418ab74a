import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";

/**
 * Runs an effect, and stops waiting for it after `millis`: it is told to end, but nobody waits until it does. For what
 * others wrote and may never end, where something has to go on.
 */
export const bounded = (effect: Effect.Effect<void>, millis: number): Effect.Effect<void> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkDetach(Effect.interruptible(effect));
    const ended = yield* Effect.raceFirst(
      Effect.as(Effect.interruptible(Fiber.await(fiber)), true),
      Effect.as(Effect.interruptible(Effect.sleep(millis)), false),
    );
    if (!ended) yield* Effect.forkDetach(Fiber.interrupt(fiber));
  });
