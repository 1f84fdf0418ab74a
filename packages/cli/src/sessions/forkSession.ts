import { forkMark } from "@kumiko/core-loop";
import { Journal, type JournalEntry, type JournalFailed, type JournalRecord } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { type SessionProblem, withSessions } from "./findSession.ts";
import { eventOf, field } from "./recordFields.ts";

/** Records that are appended at once: a long past makes a bounded number of writes, and of bytes in each. */
const batchSize = 1_000;

/**
 * Makes a session with the past of another: its records up to the end of its last complete run, as they are. Messages
 * whose runs are not complete are left out, and so are pauses. The other session stays as it is. Answers with how many
 * records the new one has.
 */
const forkSession = Effect.fnUntraced(function* (
  from: string,
  to: string,
): Effect.fn.Return<number, JournalFailed, Journal> {
  const journal = yield* Journal;
  // What the past has used is the other session's: it counts once.
  const entries = [...completePast(yield* journal.read(from)), forkMark(from)];
  yield* Effect.scoped(
    Effect.gen(function* () {
      const writer = yield* journal.open(to);
      for (let at = 0; at < entries.length; at += batchSize) {
        const batch = entries.slice(at, at + batchSize);
        const blobs = yield* blobsOf(journal, from, batch);
        yield* writer.append(batch, { blobs });
      }
    }),
  );
  return entries.length;
});

/** As {@link forkSession}, on the sessions of a folder. */
export const fork = (from: string, to: string, directory: string): Effect.Effect<number, SessionProblem> =>
  withSessions(forkSession(from, to), directory);

const ends: ReadonlySet<unknown> = new Set(["run.ended", "conversation.rewound"]);

/** What a fork is given of a session's records. */
const completePast = (records: ReadonlyArray<JournalRecord>): ReadonlyArray<JournalEntry> => {
  const end = records.findLastIndex((record) => ends.has(eventOf(record)));
  const past = records.slice(0, end + 1);
  const complete = new Set<unknown>();
  for (const record of past) {
    const { body } = record;
    const event = eventOf(record);
    if (event === "run.ended") complete.add(field(body, "runId"));
    const injected = event === "steering.injected" ? field(body, "messageIds") : undefined;
    if (Array.isArray(injected)) for (const id of injected) complete.add(id);
  }
  return past.flatMap((record) => {
    const { actor, body, kind } = record;
    const event = eventOf(record);
    const isOpen = event === "message.accepted" && !complete.has(field(body, "runId"));
    const isPause = event === "session.paused" || event === "session.unpaused";
    return isOpen || isPause ? [] : [{ actor, body, kind }];
  });
};

// The contents of files as they were before a change, which a rewind of the fork needs.
const blobsOf = Effect.fnUntraced(function* (
  journal: Journal["Service"],
  from: string,
  entries: ReadonlyArray<JournalEntry>,
): Effect.fn.Return<ReadonlyArray<{ readonly digest: string; readonly bytes: Uint8Array }>, JournalFailed> {
  const blobs: Array<{ readonly digest: string; readonly bytes: Uint8Array }> = [];
  for (const { body } of entries) {
    const changes = field(body, "changes");
    for (const change of Array.isArray(changes) ? changes : []) {
      const digest = field(field(change, "before"), "digest");
      if (field(change, "isKept") !== true || typeof digest !== "string") continue;
      const bytes = yield* journal.blob(from, digest);
      if (bytes !== undefined) blobs.push({ digest, bytes });
    }
  }
  return blobs;
});
