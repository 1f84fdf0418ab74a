import type { DescribedModelCall } from "@kumiko/core-loop";
import type { SessionSummary } from "../sessions/SessionSummary.ts";
import { addTally, sumOf, type Tally, tallyOf } from "./Tally.ts";

export type By = "day" | "model" | "session" | "folder" | "run";

/** What one day, model, session, folder or run has used. */
export interface UsageRow {
  readonly key: string;
  /** What was said first, of a session or run. */
  readonly prompt?: string;
  /** When the last of it was used, about. */
  readonly time: number;
  readonly tally: Tally;
}

type Part = UsageRow;

/** Adds up the sessions' usage since a time, by what is wanted. Costly ones come first, days and sessions by time. */
export const usageRows = (
  sessions: ReadonlyArray<SessionSummary>,
  by: Exclude<By, "run">,
  since: number,
): ReadonlyArray<UsageRow> =>
  summedUp(
    sessions.flatMap((session) =>
      session.usage
        .filter(({ time }) => time >= since)
        .map(({ model, tally, time }): Part => {
          if (by === "session") return { key: session.id, prompt: session.prompt, time, tally };
          const key = by === "day" ? dayOf(time) : by === "model" ? (model ?? "?") : (session.cwd ?? "?");
          return { key, time, tally };
        }),
    ),
    by,
  );

/** The same of one session's runs; those that were taken back are told as such. */
export const runRows = (
  calls: ReadonlyArray<DescribedModelCall>,
  runs: ReadonlyArray<{ readonly runId: string; readonly prompt: string }>,
  since: number,
): ReadonlyArray<UsageRow> =>
  summedUp(
    calls
      .filter(({ time }) => time >= since)
      .map((call): Part => {
        const index = runs.findIndex(({ runId }) => runId === call.runId);
        const prompt = runs[index]?.prompt;
        const { time } = call;
        return prompt === undefined
          ? { key: "taken back", time, tally: tallyOf(call) }
          : { key: String(index + 1), prompt, time, tally: tallyOf(call) };
      }),
    "run",
  );

const summedUp = (parts: ReadonlyArray<Part>, by: By): ReadonlyArray<UsageRow> => {
  const rows = new Map<string, UsageRow>();
  for (const part of parts) {
    const row = rows.get(part.key);
    rows.set(
      part.key,
      row === undefined
        ? part
        : { ...row, time: Math.max(row.time, part.time), tally: addTally(row.tally, part.tally) },
    );
  }
  const found = [...rows.values()];
  if (by === "run") return found;
  return found.toSorted(by === "day" || by === "session" ? (a, b) => b.time - a.time : byCost);
};

const byCost = (a: UsageRow, b: UsageRow): number =>
  b.tally.costUsd - a.tally.costUsd || b.tally.usage.inputTokens - a.tally.usage.inputTokens;

export const totalOf = (rows: ReadonlyArray<UsageRow>): Tally => sumOf(rows.map(({ tally }) => tally));

/** `2026-11-30`, where the user is. */
export const dayOf = (time: number): string => {
  const date = new Date(time);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
