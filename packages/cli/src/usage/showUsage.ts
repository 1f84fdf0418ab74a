import { describeSession, describeUsage } from "@kumiko/core-loop";
import { Journal, type JournalFailed } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { jsonLine, oneLine } from "../printable.ts";
import { findSession, type SessionProblem, withSessions } from "../sessions/findSession.ts";
import { listSessions, summaryOf } from "../sessions/SessionIndex.ts";
import type { SessionSummary } from "../sessions/SessionSummary.ts";
import { sessionsFolder } from "../stateFolder.ts";
import { dim, widthOf } from "../terminal.ts";
import { costIn, type Tally } from "./Tally.ts";
import { type By, dayOf, runRows, totalOf, type UsageRow, usageRows } from "./usageRows.ts";
import { usageTable } from "./usageTable.ts";

export interface UsageLine {
  readonly days: number | undefined;
  readonly since: string | undefined;
  readonly by: By | undefined;
  readonly session: string | undefined;
  readonly json: boolean;
}

/** `kumiko usage`. */
export const showUsage = Effect.fnUntraced(function* (line: UsageLine): Effect.fn.Return<void, SessionProblem> {
  if (line.by === "run" && line.session === undefined)
    return yield* bad("--by run tells the runs of one session; say of which: --session <id>");
  const by = line.by ?? (line.session === undefined ? "day" : "run");
  const since = yield* beginning(line);
  const { id, rows, unreadable } = yield* withSessions(
    line.session === undefined ? ofAll(by, since) : ofOne(line.session, by, since),
  );
  for (const name of unreadable)
    process.stderr.write(`kumiko: session ${oneLine(name, 60)} cannot be read, and is not counted\n`);
  if (line.json) {
    const shown = rows.map(({ key, prompt, tally }) => ({
      key,
      ...(prompt === undefined ? {} : { prompt }),
      ...figuresOf(tally),
    }));
    return print(
      jsonLine({
        schemaVersion: 1,
        type: "usage",
        by,
        since: since === 0 ? null : dayOf(since),
        sessionKey: id ?? null,
        rows: shown,
        total: figuresOf(totalOf(rows)),
        unreadable,
      }),
    );
  }
  if (rows.length === 0)
    return void process.stderr.write(
      since === 0 ? "No model was asked yet.\n" : `No model was asked since ${dayOf(since)}.\n`,
    );
  const [heading = "", ...table] = usageTable(by, rows, widthOf(process.stdout));
  print(dim(heading, process.stdout));
  for (const text of table) print(text);
});

interface Found {
  readonly id?: string;
  readonly rows: ReadonlyArray<UsageRow>;
  readonly unreadable: ReadonlyArray<string>;
}

const ofAll = Effect.fnUntraced(function* (by: By, since: number): Effect.fn.Return<Found, JournalFailed, Journal> {
  const sessions: ReadonlyArray<SessionSummary> = yield* listSessions(sessionsFolder());
  const unreadable = sessions.filter(({ status }) => status === "unreadable").map(({ id }) => id);
  return { rows: by === "run" ? [] : usageRows(sessions, by, since), unreadable };
});

const ofOne = Effect.fnUntraced(function* (
  given: string,
  by: By,
  since: number,
): Effect.fn.Return<Found, SessionProblem | JournalFailed, Journal> {
  const id = yield* findSession(given);
  if (by !== "run") {
    const summary = yield* summaryOf(sessionsFolder(), id);
    return { id, rows: usageRows(summary === undefined ? [] : [summary], by, since), unreadable: [] };
  }
  const journal = yield* Journal;
  const records = yield* journal.read(id);
  return { id, rows: runRows(describeUsage(records), describeSession(records).runs, since), unreadable: [] };
});

/** What programs read. A cost that is not known is `null`, never 0. */
const figuresOf = (tally: Tally) => {
  const { costIsPartial = false, costUsd = null } = costIn(tally);
  const { calls, failedCalls, usage } = tally;
  return { calls, failedCalls, usage, costUsd, costIsPartial };
};

// Days are those of whoever asks: the first begins at midnight where they are.
const beginning = ({ days, since }: UsageLine): Effect.Effect<number, BadInput> => {
  if (days !== undefined && since !== undefined) return bad("--days and --since exclude one another; give one of them");
  if (days !== undefined) {
    if (days < 1) return bad(`--days is ${days}; it must be 1 (today) or more`);
    const now = new Date();
    return Effect.succeed(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1).getTime());
  }
  if (since === undefined) return Effect.succeed(0);
  const [year = 0, month = 0, day = 0] = since.split("-").map(Number);
  const date = new Date(year, month - 1, day);
  return /^\d{4}-\d\d-\d\d$/.test(since) && dayOf(date.getTime()) === since
    ? Effect.succeed(date.getTime())
    : bad(`--since is ${JSON.stringify(oneLine(since, 40))}; write a day: 2026-11-30`);
};

const bad = (detail: string): Effect.Effect<never, BadInput> => Effect.fail(new BadInput({ detail }));

const print = (text: string): void => void process.stdout.write(`${text}\n`);
