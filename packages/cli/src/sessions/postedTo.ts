import { Inbox, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Option from "effect/Option";

/** How many messages wait for a session. */
export const postedTo = (id: string): Effect.Effect<number, JournalFailed, Inbox> =>
  Effect.flatMap(Inbox, (inbox) =>
    // It answers at once where there is something, and waits where there is nothing.
    Effect.map(
      Effect.timeoutOption(inbox.next(id, new Set()), 1),
      Option.match({
        onNone: () => 0,
        onSome: (tickets) => tickets.filter(({ item }) => item.type === "message").length,
      }),
    ),
  );
