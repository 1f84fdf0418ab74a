import type { Inbox, InboxTicket, JournalFailed, RunRefused, RunRequest } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { LiveRun } from "./LiveRun.ts";
import type { SessionEvent } from "./session.machine.ts";

/** What a session does with what is posted to it. */
export interface InboxReader {
  readonly inbox: Inbox["Service"];
  readonly sessionKey: string;
  readonly accept: (
    runId: string,
    request: RunRequest,
    delivery: "steer" | "follow-up",
    ticket: number,
  ) => Effect.Effect<LiveRun, RunRefused>;
  readonly command: (event: SessionEvent, ticket: number) => boolean;
  readonly running: () => string | null;
  /** Notes that there is nothing to do about a ticket. */
  readonly take: (ticket: number) => Effect.Effect<void, JournalFailed>;
}

/** Before a message that found no room is tried again. */
const retryMillis = 1_000;

/** Takes what is posted, in order, for as long as the session is open. Ends when the journal does. */
export const readInbox = (reader: InboxReader): Effect.Effect<void> => {
  const seen = new Set<number>();
  const next = Effect.flatMap(
    Effect.suspend(() => reader.inbox.next(reader.sessionKey, seen)),
    Effect.forEach(
      (ticket) => {
        seen.add(ticket.ticket);
        return take(reader, seen, ticket);
      },
      { discard: true },
    ),
  );
  // The journal's failure is the session's own, and told by its actor.
  return Effect.ignore(Effect.forever(next));
};

const take = (
  { accept, command, running, sessionKey, take: drop }: InboxReader,
  seen: Set<number>,
  { item, ticket }: InboxTicket,
): Effect.Effect<void, JournalFailed> => {
  switch (item.type) {
    case "message":
      if (item.text.trim() === "") return drop(ticket);
      return Effect.matchEffect(
        // A ticket is delivered once, so its number names the run for good.
        accept(`m${ticket}`, { sessionKey, input: item.text, observed: false }, item.delivery, ticket),
        {
          onSuccess: () => Effect.void,
          onFailure: () =>
            Effect.andThen(
              Effect.sleep(retryMillis),
              Effect.sync(() => void seen.delete(ticket)),
            ),
        },
      );
    case "abort": {
      const runId = running();
      return runId !== null && command({ type: "run.cancelled", runId, reason: item.reason }, ticket)
        ? Effect.void
        : drop(ticket);
    }
    case "pause":
    case "unpause":
      command({ type: item.type === "pause" ? "session.paused" : "session.unpaused" }, ticket);
      // Whether the session heeds it or not, it is done with, once the session has looked at it.
      return Effect.andThen(Effect.sleep(1), drop(ticket));
  }
};
