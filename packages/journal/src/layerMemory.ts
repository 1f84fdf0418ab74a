import { Journal, JournalFailed, type JournalRecord, type JournalWriter } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";

interface Stream {
  readonly records: Array<JournalRecord>;
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
    const stream = streams.get(streamId) ?? { records: [], epoch: 0, isLocked: false };
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
      Effect.sync(() => {
        const start = Math.max(fromSeq, 1) - 1;
        return streams.get(streamId)?.records.slice(start, start + limit) ?? [];
      }),
    streams: Effect.sync(() => [...written]),
  });
});

const writerOf = (streamId: string, stream: Stream, written: Set<string>): JournalWriter => {
  const { epoch } = stream;
  return {
    streamId,
    epoch,
    head: Effect.sync(() => stream.records.length),
    append: (entries) =>
      Effect.clockWith((clock) => {
        if (stream.epoch !== epoch || !stream.isLocked)
          return Effect.fail(failed("fenced", streamId, `writer ${epoch} is closed; the stream is at ${stream.epoch}`));
        const time = clock.currentTimeMillisUnsafe();
        if (entries.length > 0) written.add(streamId);
        for (const { actor, kind, body } of entries)
          stream.records.push({ seq: stream.records.length + 1, epoch, time, actor, kind, body });
        return Effect.succeed(stream.records.length);
      }),
  };
};

const failed = (reason: JournalFailed["reason"], streamId: string, detail: string): JournalFailed =>
  new JournalFailed({ reason, streamId, detail });
