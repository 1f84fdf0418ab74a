import * as Effect from "effect/Effect";

/** How long a model may say nothing: until people are told, and until the call is ended. */
export interface Silence {
  readonly noticeMillis: number;
  readonly cutMillis: number;
}

/**
 * The default. A large prompt takes a provider some ten seconds, a local model minutes; a model that thinks without
 * telling has been seen to take five. Symptom of too short a cut: calls that fail with `timeout` although the model works.
 */
export const defaultSilence: Silence = { noticeMillis: 90_000, cutMillis: 540_000 };

/**
 * Ends an effect that shows no sign of life for too long. `hasSpoken` says whether there was one since it was last asked.
 * `onSilence` is called once for each silence that lasts; after `cutMillis` the effect is interrupted and fails with what
 * `onTooLong` gives. Signs of life are looked for every sixth of the shorter time, so both come up to that much late.
 */
export const watchSilence = <A, E>(
  effect: Effect.Effect<A, E>,
  {
    cutMillis,
    hasSpoken,
    noticeMillis,
    onSilence,
    onTooLong,
  }: Silence & {
    readonly hasSpoken: () => boolean;
    readonly onSilence: (silentMillis: number) => void;
    readonly onTooLong: (silentMillis: number) => E;
  },
): Effect.Effect<A, E> => {
  const lookMillis = Math.min(noticeMillis, cutMillis) / 6;
  const watch = Effect.gen(function* () {
    let silentMillis = 0;
    let isTold = false;
    while (silentMillis < cutMillis) {
      yield* Effect.sleep(lookMillis);
      silentMillis = hasSpoken() ? 0 : silentMillis + lookMillis;
      if (silentMillis === 0) isTold = false;
      else if (silentMillis >= noticeMillis && !isTold) {
        isTold = true;
        onSilence(silentMillis);
      }
    }
    return yield* Effect.fail(onTooLong(silentMillis));
  });
  return Effect.raceFirst(effect, watch);
};
