import type { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { Conversation } from "./Conversation.ts";
import { textOfBytes } from "./internal/utf8.ts";

/** Finds the whole of results that were shortened for the context, in the journals of the sessions that are open. */
export class KeptResults {
  readonly #open = new Map<string, Conversation>();
  #journal: Journal["Service"] | undefined;

  /** Where the contents are. */
  keepIn(journal: Journal["Service"]): void {
    this.#journal = journal;
  }

  opened(sessionKey: string, conversation: Conversation): void {
    this.#open.set(sessionKey, conversation);
  }

  closed(sessionKey: string): void {
    this.#open.delete(sessionKey);
  }

  /** Undefined: there is none under that reference, or it cannot be read. */
  find(sessionKey: string, reference: string): Effect.Effect<string | undefined> {
    const digest = this.#open.get(sessionKey)?.keptDigest(reference);
    if (digest === undefined || this.#journal === undefined) return Effect.succeed(undefined);
    return this.#journal.blob(sessionKey, digest).pipe(
      Effect.map((bytes) => (bytes === undefined ? undefined : textOfBytes(bytes))),
      Effect.orElseSucceed(() => undefined),
    );
  }
}
