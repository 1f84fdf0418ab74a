import { Journal, type JournalEntry, JournalFailed, type JournalRecord, type JournalWriter } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

/** One append. Records are made of it when it is read: most never are. */
interface Batch {
  readonly firstSeq: number;
  readonly epoch: number;
  readonly time: number;
  readonly entries: ReadonlyArray<JournalEntry>;
}

interface Stream {
  readonly batches: Array<Batch>;
  readonly blobs: Map<string, Uint8Array>;
  head: number;
  epoch: number;
  isLocked: boolean;
}

/**
 * A journal in memory: nothing survives the process. Streams live as long as the layer and are never cut; a program
 * that keeps sessions for days uses a durable journal. Bodies are kept by reference, which their contract allows.
 */
export const layerMemory: Layer.Layer<Journal> = Layer.sync(Journal, () => {
  const streams = new Map<string, Stream>();
  const written = new Set<string>();

  const open = Effect.fnUntraced(function* (streamId: string) {
    const stream = streams.get(streamId) ?? { batches: [], blobs: new Map(), head: 0, epoch: 0, isLocked: false };
    streams.set(streamId, stream);
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        if (stream.isLocked) return Effect.fail(failed("locked", streamId, "another writer has this stream open"));
        stream.isLocked = true;
        stream.epoch++;
        return Effect.void;
      }),
      () =>
        Effect.sync(() => {
          stream.isLocked = false;
        }),
    );
    return writerOf(streamId, stream, written);
  });

  return Journal.of({
    open,
    read: (streamId, { fromSeq = 1, limit = Number.POSITIVE_INFINITY } = {}) =>
      Effect.sync(() => recordsOf(streams.get(streamId)?.batches ?? [], fromSeq, limit)),
    blob: (streamId, digest) => Effect.sync(() => streams.get(streamId)?.blobs.get(digest)),
    streams: Effect.sync(() => [...written]),
  });
});

const writerOf = (streamId: string, stream: Stream, written: Set<string>): JournalWriter => {
  const { epoch } = stream;
  return {
    streamId,
    epoch,
    head: Effect.sync(() => stream.head),
    // Questions and inbox lie elsewhere, in memory too: there is nothing to make safe together with the entries.
    append: (entries, options) =>
      Effect.clockWith((clock) => {
        if (stream.epoch !== epoch || !stream.isLocked)
          return Effect.fail(failed("fenced", streamId, `writer ${epoch} is closed; the stream is at ${stream.epoch}`));
        for (const { bytes, digest } of options?.blobs ?? []) stream.blobs.set(digest, bytes);
        if (entries.length === 0) return Effect.succeed(stream.head);
        written.add(streamId);
        stream.batches.push({ firstSeq: stream.head + 1, epoch, time: clock.currentTimeMillisUnsafe(), entries });
        stream.head += entries.length;
        return Effect.succeed(stream.head);
      }),
  };
};

const recordsOf = (batches: ReadonlyArray<Batch>, fromSeq: number, limit: number): ReadonlyArray<JournalRecord> => {
  const records: Array<JournalRecord> = [];
  for (let at = batchWith(batches, fromSeq); at < batches.length && records.length < limit; at++) {
    const batch = batches[at];
    if (batch === undefined) break;
    const { entries, epoch, firstSeq, time } = batch;
    for (const [index, { actor, body, kind }] of entries.entries()) {
      const seq = firstSeq + index;
      if (seq >= fromSeq && records.length < limit) records.push({ seq, epoch, time, actor, kind, body });
    }
  }
  return records;
};

/** The first batch that may hold `seq` or a later one, by halving. */
const batchWith = (batches: ReadonlyArray<Batch>, seq: number): number => {
  let low = 0;
  let high = batches.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const batch = batches[middle];
    if (batch !== undefined && batch.firstSeq + batch.entries.length <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
};

const failed = (reason: JournalFailed["reason"], streamId: string, detail: string): JournalFailed =>
  new JournalFailed({ reason, streamId, detail });
