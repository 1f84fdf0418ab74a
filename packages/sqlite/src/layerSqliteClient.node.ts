import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Reactivity from "effect/reactivity/Reactivity";
import * as Semaphore from "effect/Semaphore";
import * as Client from "effect/sql/SqlClient";
import type { Connection } from "effect/sql/SqlConnection";
import { classifySqliteError, SqlError } from "effect/sql/SqlError";
import * as Statement from "effect/sql/Statement";
import * as Stream from "effect/Stream";
import type { DatabaseFailed } from "./DatabaseFailed.ts";
import { databaseFailure } from "./databaseFailure.node.ts";
import { type DatabaseKind, type OpenOptions, openDatabase } from "./DatabaseFile.node.ts";

export interface ClientOptions extends Partial<OpenOptions> {
  /** `:memory:` for one that dies with the layer. */
  readonly path: string;
  readonly kind: DatabaseKind;
}

/** Prepared statements that are kept: more than a program has; one that builds its SQL anew each time is bounded. */
const maxStatements = 200;

/**
 * Effect's `SqlClient` on a database file of `node:sqlite`, opened (and brought up to date) with the layer and closed
 * with it. One connection: `withTransaction` serialises what is done through it, and calls block the thread, so no
 * transaction may wait for a network or a person.
 *
 * Booleans are stored as 0 and 1, dates as ISO text, `undefined` as NULL. Integers beyond 2^53 need `SafeIntegers`.
 *
 * @example
 * ```ts
 * const kind = { applicationId: 0x6e6f7465, name: "notebook", migrations: ["CREATE TABLE note (text TEXT NOT NULL)"] }
 * const notes = Effect.gen(function* () {
 *   const sql = yield* SqlClient
 *   yield* sql`INSERT INTO note VALUES (${"buy milk"})`
 *   return yield* sql`SELECT text FROM note`
 * })
 * const rows = await Effect.runPromise(Effect.provide(notes, layerSqliteClient({ path: ":memory:", kind })))
 * rows // => [{ text: "buy milk" }]
 * ```
 */
export const layerSqliteClient = ({
  kind,
  mode = "create",
  path,
  ...options
}: ClientOptions): Layer.Layer<Client.SqlClient, DatabaseFailed> =>
  Layer.effect(
    Client.SqlClient,
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.try({
          try: () => openDatabase(path, kind, { mode, ...options }),
          catch: (error) => databaseFailure(error, path),
        }),
        (opened) => Effect.sync(() => opened.close()),
      );
      const connection = connectionOf(database);
      const acquirers = Client.makeSqliteAcquirers({
        connection: Effect.succeed(connection),
        semaphore: yield* Semaphore.make(1),
        isTransaction: () => database.isTransaction,
      });
      return yield* Client.make({
        ...acquirers,
        driver: "sqlite-node",
        compiler: Statement.makeCompilerSqlite(),
        beginTransaction: "BEGIN IMMEDIATE",
        prepareTransactionControls: true,
        spanAttributes: [["db.system.name", "sqlite"]],
      });
    }),
  ).pipe(Layer.provide(Reactivity.layer));

type Rows = ReadonlyArray<Record<string, unknown>>;

const connectionOf = (database: DatabaseSync): Connection => {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  };

  const running = <A>(
    operation: string,
    sql: string,
    statementOf: (sql: string) => StatementSync,
    use: (statement: StatementSync) => A,
  ): Effect.Effect<A, SqlError> =>
    Effect.withFiber((fiber) =>
      Effect.try({
        try: () => {
          const statement = statementOf(sql);
          statement.setReadBigInts(Context.get(fiber.context, Client.SafeIntegers));
          statement.setReturnArrays(false);
          return use(statement);
        },
        catch: (cause) =>
          new SqlError({ reason: classifySqliteError(withErrno(cause), { operation, message: messageOf(cause) }) }),
      }),
    );

  const all =
    (statementOf: (sql: string) => StatementSync) =>
    (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<Rows, SqlError> =>
      // Rows come without a prototype, which surprises whoever compares or prints them.
      running("execute", sql, statementOf, (statement) =>
        statement.all(...params.map(inputOf)).map((row) => ({ ...row })),
      );
  const values =
    (statementOf: (sql: string) => StatementSync) =>
    (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError> =>
      running("executeValues", sql, statementOf, (statement) => {
        statement.setReturnArrays(true);
        const rows: ReadonlyArray<unknown> = statement.all(...params.map(inputOf));
        return rows.map((row) => (Array.isArray(row) ? row : []));
      });
  const unprepared = (sql: string): StatementSync => database.prepare(sql);

  return {
    execute: (sql, params, transform) => transformed(all(prepared)(sql, params), transform),
    executeUnprepared: (sql, params, transform) => transformed(all(unprepared)(sql, params), transform),
    executeRaw: (sql, params) =>
      running("executeRaw", sql, prepared, (statement) => statement.run(...params.map(inputOf))),
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(transformed(all(prepared)(sql, params), transform)),
    executeValues: values(prepared),
    executeValuesUnprepared: values(unprepared),
  };
};

const transformed = (
  rows: Effect.Effect<Rows, SqlError>,
  transform: (<A extends object>(row: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined,
): Effect.Effect<Rows, SqlError> => (transform === undefined ? rows : Effect.map(rows, transform));

const inputOf = (value: unknown): SQLInputValue => {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a value of type ${typeof value} cannot be stored; make it text, a number or bytes`);
};

// Effect tells the kinds of failure apart by `errno`, which node:sqlite calls `errcode`.
const withErrno = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "errcode" in cause
    ? { cause, errno: cause.errcode, message: messageOf(cause) }
    : cause;

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
