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

/** What is told of a call that shows no sign of life. */
export interface SilentCall {
  /** Once for each silence that lasts. */
  readonly onSilence: (silentMillis: number) => void;
  /** It has lasted too long: the call is to be ended. */
  readonly onTooLong: (silentMillis: number) => void;
}

/**
 * Watches one model call at a time for signs of life, for as long as a run lasts. It looks every sixth of the shorter
 * time, so what it tells comes up to that much late; a call costs it two assignments, a sign of life one.
 */
export class SilenceWatch {
  readonly #silence: Silence;
  #call: SilentCall | undefined;
  #hasSpoken = false;
  #silentMillis = 0;
  #isTold = false;

  constructor(silence: Silence) {
    this.#silence = silence;
  }

  begin(call: SilentCall): void {
    this.#call = call;
    this.#hasSpoken = true;
  }

  spoke(): void {
    this.#hasSpoken = true;
  }

  end(): void {
    this.#call = undefined;
  }

  /** To be run beside the run. */
  get watch(): Effect.Effect<never> {
    const { cutMillis, noticeMillis } = this.#silence;
    const lookMillis = Math.min(noticeMillis, cutMillis) / 6;
    return Effect.forever(
      Effect.delay(
        Effect.sync(() => this.#look(lookMillis)),
        lookMillis,
      ),
    );
  }

  #look(passedMillis: number): void {
    const call = this.#call;
    if (call === undefined) return;
    if (this.#hasSpoken) {
      this.#hasSpoken = false;
      this.#isTold = false;
      this.#silentMillis = 0;
      return;
    }
    this.#silentMillis += passedMillis;
    if (this.#silentMillis >= this.#silence.cutMillis) {
      this.end();
      call.onTooLong(this.#silentMillis);
    } else if (this.#silentMillis >= this.#silence.noticeMillis && !this.#isTold) {
      this.#isTold = true;
      call.onSilence(this.#silentMillis);
    }
  }
}
