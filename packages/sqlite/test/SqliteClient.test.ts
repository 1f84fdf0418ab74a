import { assert, describe, it } from "@effect/vitest";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as SqlClient from "effect/sql/SqlClient";
import * as Stream from "effect/Stream";
import { layerSqliteClient } from "../src/client.ts";
import { freshPath, notebook } from "./support.ts";

const { SqlClient: Sql } = SqlClient;
const layer = layerSqliteClient({ path: ":memory:", kind: notebook });

describe("layerSqliteClient", () => {
  it.effect("writes and reads rows", () =>
    Effect.gen(function* () {
      const sql = yield* Sql;
      yield* sql`INSERT INTO note ${sql.insert([{ text: "a" }, { text: "b" }])}`;
      assert.deepStrictEqual(yield* sql`SELECT text FROM note ORDER BY id`, [{ text: "a" }, { text: "b" }]);
      assert.deepStrictEqual(yield* sql`SELECT id, text FROM note`.values, [
        [1, "a"],
        [2, "b"],
      ]);
      assert.deepStrictEqual(Array.from(yield* Stream.runCollect(sql`SELECT id FROM note`.stream)), [
        { id: 1 },
        { id: 2 },
      ]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("stores what JavaScript has, and says what cannot be stored", () =>
    Effect.gen(function* () {
      const sql = yield* Sql;
      const when = new Date(0);
      const [row] = yield* sql<
        Record<string, unknown>
      >`SELECT ${true} AS yes, ${when} AS at, ${null} AS none, ${new Uint8Array([1])} AS bytes`;
      assert.deepStrictEqual(
        { ...row, bytes: Array.from(row?.["bytes"] as Uint8Array) },
        { yes: 1, at: when.toISOString(), none: null, bytes: [1] },
      );
      const refused = yield* Effect.flip(sql.unsafe("SELECT ?", [{}]));
      assert.include(String(refused.reason.cause), "cannot be stored");
      const [big] = yield* Effect.provideService(
        sql<{ n: bigint }>`SELECT 9007199254740993 AS n`,
        SqlClient.SafeIntegers,
        true,
      );
      assert.strictEqual(big?.n, 9007199254740993n);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("tells a broken rule from other failures", () =>
    Effect.gen(function* () {
      const sql = yield* Sql;
      yield* sql`INSERT INTO note (text) VALUES ('a')`;
      const twice = yield* Effect.flip(sql`INSERT INTO note (text) VALUES ('a')`);
      assert.strictEqual(twice.reason._tag, "UniqueViolation");
      const wrong = yield* Effect.flip(sql`SELECT * FROM nowhere`);
      assert.notStrictEqual(wrong.reason._tag, "UniqueViolation");
    }).pipe(Effect.provide(layer)),
  );

  it.effect("rolls a transaction back when it fails, is interrupted, or a part of it is", () =>
    Effect.gen(function* () {
      const sql = yield* Sql;
      const insert = (text: string) => sql`INSERT INTO note (text) VALUES (${text})`;
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(insert("failed"), Effect.fail("no"))));
      const waiting = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(insert("interrupted"), Effect.never)),
        {
          startImmediately: true,
        },
      );
      yield* Fiber.interrupt(waiting);
      yield* sql.withTransaction(
        Effect.andThen(
          insert("kept"),
          Effect.ignore(sql.withTransaction(Effect.andThen(insert("inner"), Effect.fail("no")))),
        ),
      );
      assert.deepStrictEqual(yield* sql`SELECT text FROM note`, [{ text: "kept" }]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("runs transactions one after another", () =>
    Effect.gen(function* () {
      const sql = yield* Sql;
      yield* sql`INSERT INTO note (id, text) VALUES (1, '0')`;
      const add = sql.withTransaction(
        Effect.gen(function* () {
          const [row] = yield* sql<{ text: string }>`SELECT text FROM note WHERE id = 1`;
          yield* Effect.yieldNow;
          yield* sql`UPDATE note SET text = ${String(Number(row?.text) + 1)} WHERE id = 1`;
        }),
      );
      yield* Effect.all(
        Array.from({ length: 50 }, () => add),
        { concurrency: "unbounded" },
      );
      assert.deepStrictEqual(yield* sql`SELECT text FROM note`, [{ text: "50" }]);
    }).pipe(Effect.provide(layer)),
  );

  it.effect("survives its layer", () =>
    Effect.gen(function* () {
      const path = freshPath();
      const using = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
        Effect.provide(effect, layerSqliteClient({ path, kind: notebook }));
      yield* using(Effect.flatMap(Sql, (sql) => sql`INSERT INTO note (text) VALUES ('a')`));
      assert.deepStrictEqual(yield* using(Effect.flatMap(Sql, (sql) => sql`SELECT text FROM note`)), [{ text: "a" }]);
      const missing = yield* Effect.flip(
        Effect.provide(Sql, layerSqliteClient({ path: freshPath(), kind: notebook, mode: "write" })),
      );
      assert.strictEqual(missing.reason, "missing");
    }),
  );
});
