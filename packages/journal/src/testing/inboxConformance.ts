import { Inbox, inboxCapacity, type InboxItem, Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import { equal } from "../internal/equal.ts";

/** How the suite is told of an implementation. */
export interface InboxConformanceOptions<E> {
  /** New, empty inboxes and the journal they belong to, for each test. */
  readonly layer: () => Layer.Layer<Journal | Inbox, E>;
  /** The test runner's `it` or `test`. */
  readonly test: (name: string, run: () => Promise<void>) => void;
}

const message = (text: string): InboxItem => ({ type: "message", text, delivery: "steer" });
const none: ReadonlySet<number> = new Set();

/**
 * What every {@link Inbox} must do, as tests of your test runner.
 *
 * @example
 * ```ts
 * const layer = () => layerSqlite({ directory: freshFolder() })
 * describe("layerSqlite", () => inboxConformance({ layer, test: it }))
 * ```
 */
export const inboxConformance = <E>({ layer, test }: InboxConformanceOptions<E>): void => {
  const check = (name: string, effect: Effect.Effect<void, unknown, Journal | Inbox | Scope.Scope>): void =>
    test(name, () => Effect.runPromise(Effect.scoped(Effect.provide(effect, layer()))));

  const session = Effect.gen(function* () {
    const writer = yield* (yield* Journal).open("s");
    yield* writer.append([{ actor: "session", kind: "event", body: { type: "session.opened" } }]);
    return { inbox: yield* Inbox, writer };
  });

  check(
    "gives messages in the order they were posted, commands first",
    Effect.gen(function* () {
      const { inbox } = yield* session;
      yield* inbox.post("s", message("a"));
      yield* inbox.post("s", message("b"));
      yield* inbox.post("s", { type: "abort", reason: "enough" });
      const items = (yield* inbox.next("s", none)).map(({ item }) => (item.type === "message" ? item.text : item.type));
      equal("items", items, ["abort", "a", "b"]);
    }),
  );

  check(
    "delivers what was not taken again, and what was taken never",
    Effect.gen(function* () {
      const { inbox, writer } = yield* session;
      const first = yield* inbox.post("s", message("a"));
      const second = yield* inbox.post("s", message("b"));
      equal("tickets count up", second > first, true);
      yield* writer.append([], { taken: [first] });
      equal(
        "left",
        (yield* inbox.next("s", none)).map(({ ticket }) => ticket),
        [second],
      );
    }),
  );

  check(
    "waits for what was not seen yet",
    Effect.gen(function* () {
      const { inbox } = yield* session;
      const seen = yield* inbox.post("s", message("a"));
      const waiting = yield* Effect.forkChild(inbox.next("s", new Set([seen])), { startImmediately: true });
      yield* inbox.post("s", message("b"));
      equal(
        "items",
        (yield* Fiber.join(waiting)).map(({ item }) => item),
        [message("b")],
      );
    }),
  );

  check(
    "refuses more than it may hold, lane by lane, and sessions it does not know",
    Effect.gen(function* () {
      const { inbox, writer } = yield* session;
      const tickets = yield* Effect.forEach(Array.from({ length: inboxCapacity }), (_, n) =>
        inbox.post("s", message(String(n))),
      );
      equal("full", (yield* Effect.flip(inbox.post("s", message("one more")))).reason, "full");
      yield* inbox.post("s", { type: "abort", reason: "commands have a lane of their own" });
      yield* writer.append([], { taken: tickets.slice(0, 1) });
      yield* inbox.post("s", message("there is room again"));
      equal("unknown", (yield* Effect.flip(inbox.post("nobody", message("a")))).reason, "unknown-session");
    }),
  );
};
