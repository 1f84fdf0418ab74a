import type * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";

/** A bounded queue with one reader. Full: `offer` is refused; the actor's own results (`offerAlways`) never are. */
export class Mailbox<A> {
  readonly #capacity: number;
  #items: Array<A> = [];
  #next = 0;
  #isOpen = true;
  #failure: Cause.Cause<never> | undefined;
  #wake: (() => void) | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  offer(item: A): boolean {
    if (!this.#isOpen || this.#items.length - this.#next >= this.#capacity) return false;
    this.offerAlways(item);
    return true;
  }

  offerAlways(item: A): void {
    if (!this.#isOpen) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** Makes the reader's next `take` fail with this cause, before whatever waits. */
  fail(cause: Cause.Cause<never>): void {
    this.#failure ??= cause;
    this.#wake?.();
  }

  close(): void {
    this.#isOpen = false;
    this.#items = [];
    this.#next = 0;
  }

  /** The next item, if one is there. */
  poll(): A | undefined {
    if (this.#failure !== undefined || this.#next >= this.#items.length) return undefined;
    const item = this.#items[this.#next++];
    if (this.#next === this.#items.length) {
      this.#items = [];
      this.#next = 0;
    }
    return item;
  }

  /** Waits for the next item. */
  readonly take: Effect.Effect<A> = Effect.suspend(() => {
    if (this.#failure !== undefined) return Effect.failCause(this.#failure);
    const item = this.poll();
    return item === undefined ? Effect.andThen(this.#wait, this.take) : Effect.succeed(item);
  });

  readonly #wait: Effect.Effect<void> = Effect.callback((resume) => {
    this.#wake = () => {
      this.#wake = undefined;
      resume(Effect.void);
    };
    return Effect.sync(() => {
      this.#wake = undefined;
    });
  });
}
