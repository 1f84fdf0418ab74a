import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Inbox, InboxTicket, JournalFailed, RunRefused, RunRequest } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import type { LiveRun } from "./LiveRun.ts";
import type { SessionEvent } from "./session.machine.ts";
import type { SessionLog } from "./SessionLog.ts";

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
  readonly running: () => { readonly runId: string; readonly acceptedAt: number } | undefined;
  /** Notes that there is nothing to do about a ticket. */
  readonly take: (ticket: number) => Effect.Effect<void, JournalFailed>;
}

// Unlike that of any other session's, so that what is asked for it cannot be taken for another's.
const runIdOf = (sessionKey: string, ticket: number): string =>
  `m${ticket}-${bytesToHex(sha256(utf8ToBytes(sessionKey))).slice(0, 8)}`;

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
  // The journal may be busy for a while; where it is gone for good, the session's actor ends it, and this with it.
  return Effect.forever(
    Effect.matchEffect(next, { onSuccess: () => Effect.void, onFailure: () => Effect.sleep(retryMillis) }),
  );
};

const take = (
  { accept, command, running, sessionKey, take: drop }: InboxReader,
  seen: Set<number>,
  { item, ticket, time }: InboxTicket,
): Effect.Effect<void, JournalFailed> => {
  switch (item.type) {
    case "message":
      if (item.text.trim() === "") return drop(ticket);
      return Effect.matchEffect(
        // A ticket is delivered once, so its number names the run for good.
        accept(runIdOf(sessionKey, ticket), { sessionKey, input: item.text, observed: false }, item.delivery, ticket),
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
      const run = running();
      // It was meant for what was under way when it was said, not for what came later.
      return run !== undefined &&
        run.acceptedAt <= time &&
        command({ type: "run.cancelled", runId: run.runId, reason: item.reason }, ticket)
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

/**
 * Why what is unfinished was to end, where somebody said so while nobody had the session open. Read before anything goes
 * on; the ticket is taken with the end.
 */
export const abortPosted = Effect.fnUntraced(function* (
  inbox: Inbox["Service"] | undefined,
  sessionKey: string,
  log: SessionLog,
): Effect.fn.Return<string | undefined, JournalFailed> {
  const waiting = inbox === undefined ? [] : yield* inbox.waiting(sessionKey);
  for (const { item, ticket } of waiting)
    if (item.type === "abort") {
      log.take(ticket);
      return item.reason;
    }
  return undefined;
});
