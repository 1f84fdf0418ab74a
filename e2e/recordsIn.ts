import { layerSqlite } from "@kumiko/journal/sqlite";
import { Journal, type JournalRecord } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

/** Everything that a session of a folder has written down. */
export const recordsIn = (directory: string, session = "main"): Promise<ReadonlyArray<JournalRecord>> =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Journal, (journal) => journal.read(session)),
      layerSqlite({ directory }),
    ),
  );
