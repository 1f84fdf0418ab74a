import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, it } from "@effect/vitest";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { Journal, Runs } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { TestClock } from "effect/testing";
import { buildKernel } from "../src/buildKernel.ts";
import { layerRuns } from "../src/layerRuns.ts";
import { gate, scripted } from "./support.ts";

it.effect("a session that is idle for 30 s is closed, and the next run opens it again", () =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "kumiko-idle-"))),
    (directory) => {
      const { model, requests } = scripted("one", "two", "three");
      // Another process, as far as the lock is concerned: it has its own folder of sessions.
      const isFree = Effect.scoped(
        Effect.flatMap(Journal, (journal) => Effect.isSuccess(Effect.asVoid(journal.open("s")))),
      ).pipe(Effect.provide(Layer.fresh(layerSqlite({ directory }))));
      const program = Effect.gen(function* () {
        const kernel = yield* buildKernel({
          models: [model],
          plugins: [gate()],
          tools: [],
          systemPrompt: "base",
          cwd: "/",
          iterationCap: { standard: 50, gui: 50 },
          maxParallelCalls: 8,
          maxWaitingRuns: 5,
          isDurable: true,
        });
        return yield* Effect.gen(function* () {
          const runs = yield* Runs;
          const say = (input: string) =>
            Effect.flatMap(runs.start({ sessionKey: "s", input, observed: false }), ({ wait }) => wait);
          assert.strictEqual((yield* say("a")).text, "one");
          yield* TestClock.adjust("25 seconds");
          assert.isFalse(yield* isFree);
          // A run in between starts the 30 s anew.
          assert.strictEqual((yield* say("b")).text, "two");
          yield* TestClock.adjust("25 seconds");
          assert.isFalse(yield* isFree);
          yield* TestClock.adjust("15 seconds");
          assert.isTrue(yield* isFree);
          assert.strictEqual((yield* say("c")).text, "three");
          assert.lengthOf(requests.at(-1)?.messages ?? [], 5);
        }).pipe(Effect.provide(layerRuns(kernel)));
      });
      return Effect.scoped(Effect.provide(program, layerSqlite({ directory })));
    },
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
  ),
);
