import { hash } from "node:crypto";
import { Inbox, Journal, JournalFailed, type JournalWriter, Questions } from "@kumiko/runtime-api";
import { DatabaseFailed } from "@kumiko/sqlite";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schedule from "effect/Schedule";
import { makeInbox } from "./inbox.node.ts";
import type { OpenSession } from "./OpenSession.node.ts";
import { makeQuestions } from "./questions.node.ts";
import { LaterWriter } from "./SessionFile.node.ts";
import { journalFailure, SessionFolder } from "./SessionFolder.node.ts";

export interface SqliteOptions {
  /** Absolute path of the folder of the session files; made, for its owner only, when the first session is written. */
  readonly directory: string;
}

/**
 * Sessions in files: journal, questions and inbox, one SQLite file a session.
 *
 * What an append has answered for survives `kill -9`; with `flush`, a loss of power. One process writes a session: it
 * holds a lock that the operating system frees at its death. Every process reads, answers questions and posts to the
 * inbox meanwhile; the writer hears of it within a tenth of a second. A damaged file is mended when it is opened for
 * writing (the damaged one is kept, `repair` says what is lost) or refused with an explanation.
 *
 * @example
 * ```ts
 * const sessions = layerSqlite({ directory: "/tmp/example-sessions" })
 * const program = Effect.flatMap(Journal, (journal) => journal.read("nobody"))
 * await Effect.runPromise(Effect.provide(program, sessions)) // => []
 * ```
 */
export const layerSqlite = ({ directory }: SqliteOptions): Layer.Layer<Journal | Questions | Inbox> =>
  Layer.effectContext(
    Effect.sync(() => {
      const folder = new SessionFolder(directory);
      return Context.make(Journal, makeJournal(folder)).pipe(
        Context.add(Questions, makeQuestions(folder)),
        Context.add(Inbox, makeInbox(folder)),
      );
    }),
  );

/** Some 30 s in all, on top of what SQLite itself waits. */
const busyPauseMillis = 100;
const busyRetries = 100;

const makeJournal = (folder: SessionFolder): Journal["Service"] => {
  const trying = <A>(streamId: string, work: () => A): Effect.Effect<A, JournalFailed> =>
    Effect.try({ try: work, catch: (error) => journalFailure(error, streamId, folder.pathOf(streamId)) });

  return Journal.of({
    open: (streamId) =>
      Effect.clockWith((clock) =>
        Effect.map(
          Effect.acquireRelease(
            trying(streamId, () => folder.open(streamId, clock.currentTimeMillisUnsafe())),
            (session) => Effect.sync(() => folder.close(streamId, session)),
          ),
          (session) => writerOf(folder, streamId, session),
        ),
      ),
    read: (streamId, { fromSeq = 1, limit = Number.POSITIVE_INFINITY } = {}) =>
      trying(streamId, () => folder.using(streamId, "read", (file) => file.read(fromSeq, limit)) ?? []),
    blob: (streamId, digest) =>
      trying(streamId, () => {
        const bytes = folder.using(streamId, "read", (file) => file.blob(digest));
        if (bytes !== undefined && hash("sha256", bytes) !== digest)
          throw new DatabaseFailed({
            reason: "corrupt",
            path: folder.pathOf(streamId),
            detail: `the kept content ${digest} is damaged`,
          });
        return bytes;
      }),
    streams: trying("", () => folder.streams()),
  });
};

const writerOf = (folder: SessionFolder, streamId: string, session: OpenSession): JournalWriter => ({
  streamId,
  epoch: session.epoch,
  ...(session.repair === undefined ? {} : { repair: session.repair }),
  head: Effect.sync(() => session.head),
  append: (entries, options = {}) =>
    Effect.clockWith((clock) => {
      if (session.isClosed)
        return Effect.fail(
          new JournalFailed({ reason: "fenced", streamId, detail: `writer ${session.epoch} is closed` }),
        );
      const isEmpty = entries.length === 0 && options.asks === undefined && options.taken === undefined;
      if (isEmpty && options.endsQuestionsOf === undefined && options.blobs === undefined)
        return Effect.succeed(session.head);
      const appending = Effect.try({
        try: () => session.append(entries, options, clock.currentTimeMillisUnsafe()),
        catch: (error) =>
          error instanceof LaterWriter
            ? new JournalFailed({ reason: "fenced", streamId, detail: error.message })
            : journalFailure(error, streamId, folder.pathOf(streamId)),
      });
      // Others write only for a moment, to answer or to post; one that was stopped in the middle may take longer.
      return Effect.retry(appending, {
        while: ({ reason }) => reason === "locked",
        schedule: Schedule.spaced(busyPauseMillis),
        times: busyRetries,
      });
    }),
});
