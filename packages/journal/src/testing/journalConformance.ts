import { Journal, type JournalEntry } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { equal } from "../internal/equal.ts";

/** How the suite is told of an implementation. */
export interface JournalConformanceOptions<E> {
  /** A new, empty journal for each test. */
  readonly layer: () => Layer.Layer<Journal, E>;
  /** The test runner's `it` or `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
}

const entry = (n: number): JournalEntry => ({ actor: "session", kind: "event", body: { type: "counted", n } });

/**
 * What every {@link Journal} must do, as tests of your test runner.
 *
 * @example
 * ```ts
 * describe("layerMemory", () => journalConformance({ layer: () => layerMemory, test: it }))
 * ```
 */
export const journalConformance = <E>({ layer, test }: JournalConformanceOptions<E>): void => {
  const check = (name: string, effect: Effect.Effect<void, unknown, Journal | Scope.Scope>): void =>
    test(name, () => Effect.runPromise(Effect.scoped(Effect.provide(effect, layer()))));

  check(
    "numbers records 1, 2, 3 without gaps, in the order given",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      const last = [yield* writer.append([entry(1), entry(2)]), yield* writer.append([entry(3)])];
      equal("append answers with the last number", last, [2, 3]);
      equal("head", yield* writer.head, 3);
      const records = yield* journal.read("s");
      equal(
        "records",
        records.map(({ seq, actor, kind, body }) => ({ seq, actor, kind, body })),
        [
          { seq: 1, ...entry(1) },
          { seq: 2, ...entry(2) },
          { seq: 3, ...entry(3) },
        ],
      );
      equal("epochs", new Set(records.map(({ epoch }) => epoch)), new Set([writer.epoch]));
    }),
  );

  check(
    "appends nothing for no entries",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      equal("last", yield* writer.append([]), 0);
      equal("records", yield* journal.read("s"), []);
      equal("streams", yield* journal.streams, []);
    }),
  );

  check(
    "reads from any number on, at most as many as asked",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      yield* writer.append([1, 2, 3, 4, 5].map(entry));
      const seqs = (records: ReadonlyArray<{ readonly seq: number }>): ReadonlyArray<number> =>
        records.map(({ seq }) => seq);
      equal("from 4", seqs(yield* journal.read("s", { fromSeq: 4 })), [4, 5]);
      equal("from 2, two", seqs(yield* journal.read("s", { fromSeq: 2, limit: 2 })), [2, 3]);
      equal("past the end", seqs(yield* journal.read("s", { fromSeq: 9 })), []);
      equal("from 0 is from the start", seqs(yield* journal.read("s", { fromSeq: 0, limit: 1 })), [1]);
      equal("an unknown stream", yield* journal.read("nobody"), []);
    }),
  );

  check(
    "gives back bodies as they were handed over",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      const body = { text: "a\u0000\u2028\u{1F4A9}ü\n", deep: [{ n: -0.5, yes: true, no: null }], empty: {} };
      yield* writer.append([{ actor: "a", kind: "intent", body }]);
      equal("body", (yield* journal.read("s"))[0]?.body, body);
    }),
  );

  check(
    "has one writer a stream at a time",
    Effect.gen(function* () {
      const journal = yield* Journal;
      yield* journal.open("s");
      const second = yield* Effect.flip(journal.open("s"));
      equal("the second is refused", second.reason, "locked");
      yield* journal.open("t");
    }),
  );

  check(
    "gives the next writer a higher epoch and fences the one before",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const scope = yield* Scope.make();
      const old = yield* Scope.provide(journal.open("s"), scope);
      yield* old.append([entry(1)]);
      yield* Scope.close(scope, Exit.void);
      const late = yield* Effect.flip(old.append([entry(2)]));
      equal("after its scope", late.reason, "fenced");
      const next = yield* journal.open("s");
      equal("epoch", next.epoch > old.epoch, true);
      equal("after the next opened", (yield* Effect.flip(old.append([entry(2)]))).reason, "fenced");
      yield* next.append([entry(3)]);
      equal(
        "bodies",
        (yield* journal.read("s")).map(({ body }) => body),
        [entry(1).body, entry(3).body],
      );
    }),
  );

  check(
    "keeps streams apart and lists them in the order they were first written",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const a = yield* journal.open("a");
      const b = yield* journal.open("b");
      yield* b.append([entry(1)]);
      yield* a.append([entry(2), entry(3)]);
      yield* b.append([entry(4)]);
      equal("streams", yield* journal.streams, ["b", "a"]);
      equal(
        "b",
        (yield* journal.read("b")).map(({ seq, body }) => [seq, body]),
        [
          [1, entry(1).body],
          [2, entry(4).body],
        ],
      );
    }),
  );

  check(
    "keeps contents under their digests, flushed or not",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      const bytes = new TextEncoder().encode("content");
      // SHA-256 of "content".
      const digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";
      equal("no entries", yield* writer.append([], { blobs: [{ digest, bytes }] }), 0);
      equal("twice", yield* writer.append([entry(1)], { flush: true, blobs: [{ digest, bytes }] }), 1);
      equal("kept", Array.from((yield* journal.blob("s", digest)) ?? []), Array.from(bytes));
      equal("unknown digest", yield* journal.blob("s", "00"), undefined);
      equal("unknown stream", yield* journal.blob("nobody", digest), undefined);
    }),
  );

  check(
    "keeps whole appends whole when many come at once",
    Effect.gen(function* () {
      const journal = yield* Journal;
      const writer = yield* journal.open("s");
      const batches = Array.from({ length: 20 }, (_, n) => [entry(n), entry(n), entry(n)]);
      yield* Effect.forEach(batches, (entries) => writer.append(entries), { concurrency: "unbounded" });
      const bodies = (yield* journal.read("s")).map(({ body }) => JSON.stringify(body));
      equal("count", bodies.length, 60);
      for (let at = 0; at < 60; at += 3) equal(`batch at ${at}`, new Set(bodies.slice(at, at + 3)).size, 1);
    }),
  );
};
