import type { Json } from "@kumiko/plugin-api";
import type { JournalEntry, JournalFailed, JournalWriter } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

/**
 * What a session's actors write down, in the order it happened, until the next boundary commits it. One log a session:
 * runs and calls share it.
 */
export class SessionLog {
  readonly #writer: JournalWriter;
  readonly #buffer: Array<JournalEntry> = [];

  constructor(writer: JournalWriter) {
    this.#writer = writer;
  }

  event(actor: string, body: Json): void {
    this.#buffer.push({ actor, kind: "event", body });
  }

  /** Cancelling intents say nothing that the events do not, and are left out. */
  intent(actor: string, body: Json & { readonly type: string }): void {
    if (body.type !== "intent.cancel") this.#buffer.push({ actor, kind: "intent", body });
  }

  /** Appends what is buffered, all of it or none. Nothing buffered: does nothing. */
  readonly commit: Effect.Effect<void, JournalFailed> = Effect.suspend(() => {
    if (this.#buffer.length === 0) return Effect.void;
    // A copy of just the right size: a journal in memory keeps it, and what `push` reserves would be a third of it.
    const entries = this.#buffer.slice();
    this.#buffer.length = 0;
    return Effect.asVoid(this.#writer.append(entries));
  });
}
