import type { Json } from "@kumiko/plugin-api";
import type { JournalEntry, JournalFailed, JournalWriter } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

/**
 * What a session's actors write down, in the order it happened, until the next boundary commits it. One log a session:
 * runs and calls share it.
 */
export class SessionLog {
  readonly #writer: JournalWriter;
  #buffer: Array<JournalEntry> = [];

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
    const entries = this.#buffer;
    this.#buffer = [];
    return Effect.asVoid(this.#writer.append(entries));
  });
}
