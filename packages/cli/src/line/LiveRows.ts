import type { RunView } from "@kumiko/client";
import { addUsage, noUsage, type Usage } from "@kumiko/plugin-api";
import { costWords, count, durationWords } from "../usage/usageWords.ts";
import { oneLine } from "../printable.ts";
import { waitWords } from "../waitWords.ts";
import { inputWords } from "./callWords.ts";
import { columnsOf, cutTo, proseRows, shownText } from "./columns.ts";
import type { Editor } from "./Editor.ts";
import { editorRows } from "./editorRows.ts";
import type { Frame } from "./Frame.ts";
import type { Style } from "./style.ts";

/** What the redrawn part of the screen shows. */
export interface Live {
  readonly editor: Editor;
  /** Under way; undefined: the prompt waits. */
  readonly run: RunView | undefined;
  readonly isRunning: boolean;
  /** The line of the answer that is being written. */
  readonly tail: ReadonlyArray<string>;
  /** What waits in line, in words. */
  readonly queue: ReadonlyArray<string>;
  /** The keys that answer the open question, and the reason that is being written. */
  readonly hint: string | undefined;
  readonly mark: string;
  /** The model and the mode. */
  readonly about: string;
  /** Of the runs before. */
  readonly spent: Spent;
  readonly notice: string | undefined;
}

/** What has been used. */
export interface Spent {
  readonly usage: Usage;
  readonly costUsd: number | undefined;
  readonly costIsPartial: boolean;
}
export const nothingSpent: Spent = { usage: noUsage, costUsd: undefined, costIsPartial: false };

export const addSpent = (a: Spent, b: Pick<RunView, "costIsPartial" | "costUsd" | "usage">): Spent => ({
  usage: addUsage(a.usage, b.usage),
  costUsd: a.costUsd === undefined && b.costUsd === undefined ? undefined : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  costIsPartial: a.costIsPartial || b.costIsPartial,
});

/** What takes less long is not worth a word. */
const patienceMillis = 1_000;
const mostCalls = 6;
const mostCompletions = 6;

/** The rows of the redrawn part for a terminal of so many columns and rows: never more than fit on it. */
export const liveFrame = (
  live: Live,
  size: { readonly columns: number; readonly rows: number },
  now: number,
  style: Style,
): Frame => {
  const { columns } = size;
  const room = Math.max(size.rows - 1, 3);
  const status = statusRow(live, columns, now, style);
  const { completion, search } = live.editor;
  const offered = completion === undefined ? [] : completionRows(completion, columns, style);
  const mark = search === undefined ? live.mark : `(search ${cutTo(search.query, 20)}) `;
  const below = [...offered, status];
  const written = editorRows(live.editor, { columns, mark, most: Math.max(Math.min(room - below.length - 1, 10), 1) });
  const fixed = below.length + written.rows.length;
  const middle = [
    ...(live.run === undefined || !live.isRunning ? [] : activityRows(live.run, columns, now, style)),
    ...live.queue.map((line) => style.dim(cutTo(line, columns))),
    ...(live.hint === undefined ? [] : hintRows(live.hint, columns).map((row) => style.bold(row))),
  ];
  const middleRows = middle.slice(-Math.max(room - fixed, 0));
  const tailRoom = Math.max(room - fixed - middleRows.length, 0);
  const above = [...(tailRoom === 0 ? [] : live.tail.slice(-tailRoom)), ...middleRows];
  return {
    columns,
    rows: [...above, ...written.rows, ...below],
    cursor: { row: above.length + written.cursor.row, column: written.cursor.column },
  };
};

// Keys and what they do, which two blanks part: none is broken where it fits on a row.
const hintRows = (hint: string, columns: number): ReadonlyArray<string> => {
  const rows: Array<string> = [];
  for (const item of hint.split("  ")) {
    const last = rows.at(-1);
    const joined = last === undefined ? item : `${last}  ${item}`;
    if (columnsOf(joined) <= columns) rows.splice(-1, 1, joined);
    else rows.push(...proseRows(item, columns));
  }
  return rows;
};

const activityRows = (run: RunView, columns: number, now: number, style: Style): ReadonlyArray<string> => {
  const rows: Array<string> = [];
  const since = (time: number): string => (now - time < patienceMillis ? "" : ` · ${wholeSeconds(now - time)}`);
  if (run.runningCalls > 0) {
    const calls = run.items.slice(-100).filter((item) => item.type === "call" && item.status === "running");
    for (const call of calls.slice(-mostCalls)) {
      if (call.type !== "call") continue;
      const took = since(call.startedAt ?? now);
      const what = cutTo(inputWords(call), Math.max(columns - call.tool.length - took.length - 4, 4));
      rows.push(`${style.dim("•")} ${style.bold(call.tool)} ${what}${style.dim(took)}`);
      const last = call.progress.trimEnd().split("\n").at(-1) ?? "";
      if (last !== "") rows.push(style.dim(`  ${cutTo(shownText(last), columns - 2)}`));
    }
    return rows;
  }
  const wait = run.failure === undefined ? undefined : waitWords({ ...blank, ...run.failure }, now);
  if (wait !== undefined) return [style.yellow(cutTo(oneLine(wait, 300), columns))];
  if (run.activity === "asking") return [];
  const reasoning = run.draft.reasoning.trimEnd().split("\n").at(-1) ?? "";
  const took = since(run.activeSince);
  if (run.activity === "thinking") {
    if (reasoning !== "") rows.push(style.dim(cutTo(shownText(`… ${reasoning}`), columns)));
    rows.push(style.dim(cutTo(`• thinking${took}`, columns)));
  }
  return rows;
};

// A failure as the words about it want it.
const blank = { schemaVersion: 1, runId: "", sessionKey: "", seq: 0, time: 0, type: "model.failed" } as const;

const wholeSeconds = (millis: number): string =>
  durationWords(Math.max(Math.round(millis / 1000), 1) * 1000).replace(".0 s", " s");

const statusRow = (
  { about, isRunning, notice, run, spent }: Live,
  columns: number,
  now: number,
  style: Style,
): string => {
  if (notice !== undefined) return style.yellow(cutTo(notice, columns));
  const { costIsPartial, costUsd, usage } =
    isRunning && run !== undefined && run.outcome === undefined ? addSpent(spent, run) : spent;
  const cost = costWords({ costUsd, costIsPartial });
  const elapsed = isRunning && run !== undefined ? now - run.startedAt : 0;
  const isUsed = usage.inputTokens + usage.outputTokens > 0;
  const parts = [
    ...(elapsed >= patienceMillis ? [wholeSeconds(elapsed)] : []),
    ...(isUsed ? [`${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out`] : []),
    ...(cost === undefined || costUsd === 0 ? [] : [cost]),
    about,
  ];
  return style.dim(cutTo(parts.join(" · "), columns));
};

const completionRows = (
  { items, selected }: NonNullable<Editor["completion"]>,
  columns: number,
  style: Style,
): ReadonlyArray<string> => {
  const from = Math.max(Math.min(selected - mostCompletions + 1, items.length - mostCompletions), 0);
  const rows = items.slice(from, from + mostCompletions).map((item, index) => {
    const row = cutTo(`  ${shownText(item.trimEnd())}`, columns);
    return from + index === selected ? style.bold(row) : style.dim(row);
  });
  const hidden = items.length - rows.length;
  return hidden > 0 ? [...rows, style.dim(`  … ${hidden} more`)] : rows;
};
