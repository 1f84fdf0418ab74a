import type { FilePreview } from "@kumiko/local-tools";
import { structuredPatch } from "diff";
import { cutTo, shownText } from "./columns.ts";
import type { Style } from "./style.ts";

/** More differing lines than this are not compared: the work would grow with their square. */
const mostDifferences = 1_000;

/**
 * The difference that a call would make, as lines of a unified diff, harmless for a terminal. All of it; whoever shows it
 * cuts. Contents that differ too much are shown as they would be.
 */
export const diffLines = (
  { after, before, path }: FilePreview,
  style: Style,
  columns: number,
): ReadonlyArray<string> => {
  const cut = (line: string): string => cutTo(shownText(line), Math.max(columns - 1, 8));
  if (before === undefined) {
    const lines = linesOf(after);
    return [
      style.bold(cut(`${path} (new, ${counted(lines.length)})`)),
      ...lines.map((line) => style.green(cut(`+${line}`))),
    ];
  }
  const patch = structuredPatch(path, path, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostDifferences,
  });
  if (patch === undefined) {
    const lines = linesOf(after);
    return [
      style.bold(cut(`${path} (replaced: ${counted(linesOf(before).length)} by ${counted(lines.length)})`)),
      ...lines.map((line) => style.green(cut(`+${line}`))),
    ];
  }
  const changed = patch.hunks.flatMap(({ lines, newStart, oldStart }) => [
    style.dim(`@@ line ${oldStart}${newStart === oldStart ? "" : ` → ${newStart}`} @@`),
    ...lines.map((line) => colour(line, cut(line), style)),
  ]);
  const all = patch.hunks.flatMap(({ lines }) => lines);
  const [added, removed] = ["+", "-"].map((sign) => all.filter((line) => line.startsWith(sign)).length);
  return [
    style.bold(cut(`${path} (+${added} −${removed})`)),
    ...(changed.length === 0 ? ["(no line changes)"] : changed),
  ];
};

const colour = (line: string, shown: string, { dim, green, red }: Style): string =>
  line.startsWith("+") ? green(shown) : line.startsWith("-") ? red(shown) : line.startsWith("\\") ? dim(shown) : shown;

const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const counted = (lines: number): string => `${lines} line${lines === 1 ? "" : "s"}`;
