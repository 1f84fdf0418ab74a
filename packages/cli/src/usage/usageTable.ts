import { oneLine } from "../printable.ts";
import { costIn, type Tally } from "./Tally.ts";
import { totalOf, type UsageRow } from "./usageRows.ts";
import { costWords, count } from "./usageWords.ts";

interface Column {
  readonly title: string;
  readonly text: (tally: Tally) => string;
  /** Narrow terminals do without those of the highest number first. */
  readonly rank: number;
}

const columns: ReadonlyArray<Column> = [
  { title: "calls", text: ({ calls }) => count(calls), rank: 2 },
  { title: "failed", text: ({ failedCalls }) => count(failedCalls), rank: 3 },
  { title: "in", text: ({ usage }) => count(usage.inputTokens), rank: 0 },
  { title: "cached", text: ({ usage }) => count(usage.cacheReadTokens ?? 0), rank: 4 },
  { title: "out", text: ({ usage }) => count(usage.outputTokens), rank: 1 },
  { title: "cost", text: (tally) => costWords(costIn(tally)) ?? "?", rank: 0 },
];

/** A key is cut before a figure is, but not to less than this. */
const shortestKey = 10;
const longestPrompt = 60;

/** Rows as an aligned table with a sum below, in `width` columns. The first line is the heading. */
export const usageTable = (title: string, rows: ReadonlyArray<UsageRow>, width: number): ReadonlyArray<string> => {
  const tallies = rows.map(({ tally }) => tally);
  const all = rows.length > 1 ? [...tallies, totalOf(rows)] : tallies;
  const keys = [title, ...rows.map(({ key }) => oneLine(key, 1_000)), ...(rows.length > 1 ? ["total"] : [])];
  const longestKey = Math.max(...keys.map(({ length }) => length));
  const shown = fitting(all, Math.min(longestKey, shortestKey), width);
  const figures = [shown.map((column) => column.title), ...all.map((tally) => shown.map(({ text }) => text(tally)))];
  const widths = shown.map((_, index) => Math.max(...figures.map((cells) => cells[index]?.length ?? 0)));
  const keyWidth = Math.max(Math.min(longestKey, width - spaceOf(widths)), Math.min(longestKey, shortestKey));
  return keys.map((key, index) => {
    const cells = (figures[index] ?? []).map((cell, column) => cell.padStart(widths[column] ?? 0));
    const line = [shortKey(key, keyWidth).padEnd(keyWidth), ...cells].join("  ");
    const room = Math.min(longestPrompt, width - line.length - 2);
    const prompt = rows[index - 1]?.prompt ?? "";
    return prompt === "" || room < shortestKey ? line : `${line}  ${oneLine(prompt, room)}`;
  });
};

const spaceOf = (widths: ReadonlyArray<number>): number => widths.reduce((sum, width) => sum + width + 2, 0);

// The end of a folder or model says more than its beginning.
const shortKey = (key: string, width: number): string =>
  key.length <= width ? key : `…${key.slice(key.length - width + 1)}`;

const fitting = (tallies: ReadonlyArray<Tally>, keyWidth: number, width: number): ReadonlyArray<Column> => {
  const isNeeded = ({ text, title }: Column): boolean =>
    title !== "failed" || tallies.some((tally) => text(tally) !== "0");
  const needed = columns.filter(isNeeded);
  const space = (some: ReadonlyArray<Column>): number =>
    keyWidth +
    spaceOf(some.map(({ text, title }) => Math.max(title.length, ...tallies.map((tally) => text(tally).length))));
  let shown = needed;
  for (let rank = 4; rank > 0 && space(shown) > width; rank--) shown = shown.filter((column) => column.rank < rank);
  return shown;
};
