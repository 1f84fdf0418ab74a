import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SessionFiles, sessionFiles } from "@kumiko/journal/sqlite";
import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { SessionSummary, summarise } from "./SessionSummary.ts";

const indexVersion = 2;
const Index = Schema.fromJsonString(
  Schema.Struct({
    version: Schema.Literal(indexVersion),
    /** By id: the file as it was when it was summarised. */
    sessions: Schema.Record(Schema.String, Schema.Struct({ stamp: Schema.String, summary: SessionSummary })),
  }),
);
type Entries = (typeof Index.Type)["sessions"];

/** A session in a list. */
export interface ListedSession extends SessionSummary {
  readonly isInUse: boolean;
}

/**
 * The sessions of a folder, the one that changed last first. Only those that changed since they were last looked at are
 * read: the rest is in an index beside them, which counts for nothing: without it, or with a damaged one, all are read.
 */
export const listSessions = (directory: string): Effect.Effect<ReadonlyArray<ListedSession>, JournalFailed, Journal> =>
  Effect.flatMap(Journal, (journal) =>
    Effect.flatMap(journal.streams, (ids) => Effect.map(lookUp(directory, ids), byChange)),
  );

/** One session, as {@link listSessions} has it. */
export const summaryOf = (directory: string, id: string): Effect.Effect<ListedSession | undefined, never, Journal> =>
  Effect.map(lookUp(directory, [id]), (found) => found[0]);

const byChange = (sessions: ReadonlyArray<ListedSession>): ReadonlyArray<ListedSession> =>
  sessions.toSorted((a, b) => b.changedAt - a.changedAt || (a.id < b.id ? 1 : -1));

const lookUp = Effect.fnUntraced(function* (
  directory: string,
  ids: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<ListedSession>, never, Journal> {
  const files = sessionFiles({ directory });
  const known = readIndex(directory);
  const entries = new Map(Object.entries(known));
  const found: Array<ListedSession> = [];
  const now = Date.now();
  let isChanged = false;
  for (const id of ids) {
    const stamp = files.stamp(id);
    if (stamp === undefined) continue;
    let entry = entries.get(id);
    if (entry?.stamp !== stamp || !isFresh(entry.summary, now)) {
      entry = yield* readOne(files, id, stamp);
      entries.set(id, entry);
      isChanged = true;
    }
    const isInUse = yield* Effect.orElseSucceed(files.isInUse(id), () => false);
    found.push({ ...entry.summary, isInUse });
  }
  if (isChanged) {
    for (const id of entries.keys()) if (files.stamp(id) === undefined) entries.delete(id);
    writeIndex(directory, Object.fromEntries(entries));
  }
  return found;
});

// A question that has expired meanwhile is none; what could not be read may be readable now.
const isFresh = ({ questionsExpireAt, status }: SessionSummary, now: number): boolean =>
  status !== "unreadable" && (questionsExpireAt === null || questionsExpireAt >= now);

// Reading may tidy the file up, and somebody may write meanwhile: only what held still is kept.
const readOne = Effect.fnUntraced(function* (
  files: SessionFiles,
  id: string,
  before: string,
): Effect.fn.Return<Entries[string], never, Journal> {
  let stamp = before;
  for (let attempt = 1; ; attempt++) {
    const summary = yield* summarise(files, id);
    const after = files.stamp(id) ?? "";
    if (after === stamp || attempt === 3) return { stamp: after === stamp ? stamp : "", summary };
    stamp = after;
  }
});

const pathIn = (directory: string): string => join(directory, "index.json");

const readIndex = (directory: string): Entries => {
  try {
    return Schema.decodeUnknownSync(Index)(readFileSync(pathIn(directory), "utf8")).sessions;
  } catch {
    return {}; // there is none, or none that can be used: all sessions are read anew
  }
};

const writeIndex = (directory: string, sessions: Entries): void => {
  const path = pathIn(directory);
  const draft = `${path}.${process.pid}`;
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
    writeFileSync(draft, Schema.encodeSync(Index)({ version: indexVersion, sessions }), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true }); // it is a help, not a need
  }
};
