import { Inbox, inboxCapacity, InboxItem, InboxRefused, type InboxTicket } from "@kumiko/runtime-api";
import * as Clock from "effect/Clock";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { journalFailure, type SessionFolder } from "./SessionFolder.node.ts";
import { versionOf, waitForChange } from "./waitForChange.node.ts";

const decodeItem = Schema.decodeUnknownOption(Schema.fromJsonString(InboxItem));

/** Inboxes that lie in their session's file. */
export const makeInbox = (folder: SessionFolder): Inbox["Service"] => {
  // Within a process the session hears of a post at once.
  const waiting = new Map<string, () => void>();

  const post = Effect.fnUntraced(function* (sessionKey: string, item: InboxItem) {
    const now = yield* Clock.currentTimeMillis;
    const lane = item.type === "message" ? "message" : "control";
    const posted = yield* Effect.try({
      try: () =>
        folder.using(sessionKey, "write", (file) => ({
          ticket: file.post(lane, JSON.stringify(item), now, inboxCapacity),
        })),
      catch: (error) =>
        new InboxRefused({
          reason: "unavailable",
          sessionKey,
          detail: journalFailure(error, sessionKey, folder.pathOf(sessionKey)).detail,
        }),
    });
    if (posted === undefined)
      return yield* new InboxRefused({
        reason: "unknown-session",
        sessionKey,
        detail: `there is no session ${sessionKey}`,
      });
    if (posted.ticket === undefined)
      return yield* new InboxRefused({
        reason: "full",
        sessionKey,
        detail: `${inboxCapacity} ${lane === "message" ? "messages" : "commands"} wait for session ${sessionKey} already; wait until it has taken some`,
      });
    waiting.get(sessionKey)?.();
    return posted.ticket;
  });

  const unseen = (sessionKey: string, seen: ReadonlySet<number>): ReadonlyArray<InboxTicket> =>
    (folder.using(sessionKey, "read", (file) => file.waiting()) ?? []).flatMap(({ item, ticket, time }) => {
      const decoded = seen.has(ticket) ? undefined : decodeItem(item);
      // An item of a later version stays in line for whoever understands it.
      return decoded?._tag === "Some" ? [{ ticket, time, item: decoded.value }] : [];
    });

  const next = Effect.fnUntraced(function* (sessionKey: string, seen: ReadonlySet<number>) {
    for (;;) {
      const since = versionOf(folder, sessionKey);
      const tickets = yield* Effect.try({
        try: () => unseen(sessionKey, seen),
        catch: (error) => journalFailure(error, sessionKey, folder.pathOf(sessionKey)),
      });
      if (tickets.length > 0) return tickets;
      const told = Effect.callback<void>((resume) => {
        waiting.set(sessionKey, () => resume(Effect.void));
        return Effect.sync(() => waiting.delete(sessionKey));
      });
      yield* Effect.raceFirst(told, waitForChange(folder, sessionKey, since, false));
    }
  });

  return Inbox.of({
    post,
    next,
    waiting: (sessionKey) =>
      Effect.try({
        try: () => unseen(sessionKey, new Set()),
        catch: (error) => journalFailure(error, sessionKey, folder.pathOf(sessionKey)),
      }),
  });
};
