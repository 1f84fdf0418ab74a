import type { CallView } from "@kumiko/client";
import { oneLine } from "../printable.ts";
import { durationWords } from "../usage/usageWords.ts";
import { cutTo, proseRows, shownText } from "./columns.ts";
import type { Style } from "./style.ts";

/** What a call was given, short: its command, its path, or the texts and numbers of its input. */
export const inputWords = ({ input }: Pick<CallView, "input">, most = 200): string => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const named = ["command", "path", "pattern", "url"]
    .map((key) => Reflect.get(input, key))
    .find((value) => typeof value === "string");
  if (typeof named === "string") return oneLine(named, most);
  return oneLine(
    Object.values(input)
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map((value) => oneLine(String(value), 40))
      .join(" "),
    most,
  );
};

const marks = { ok: "✓", error: "✗", denied: "✗", cancelled: "–", unknown: "?", running: "•" } as const;
const words = {
  ok: "done",
  error: "failed",
  denied: "refused",
  cancelled: "cancelled",
  unknown: "outcome unknown",
  running: "running",
} as const;

/** Lines of a result that are shown before it is folded. */
const shownLines = 4;

export interface CallFormat {
  readonly style: Style;
  readonly columns: number;
  readonly isPlain: boolean;
  /** The lines of the result that are shown. Default: a few. */
  readonly most?: number;
}

/** One line of a finished call, and as much of what it gave as helps; the rest is folded. */
export const callLines = (call: CallView, format: CallFormat): ReadonlyArray<string> => {
  const { columns, isPlain, style } = format;
  const { status, tool } = call;
  const millis = call.startedAt === undefined || call.endedAt === undefined ? 0 : call.endedAt - call.startedAt;
  const lines = resultLines(call);
  // A command that fails has a result all the same; to people it has failed.
  const exit = status === "ok" ? /^\(exit code ([1-9]\d*)/.exec(lines.at(-1) ?? "")?.[1] : undefined;
  const about = [
    ...(status === "ok" || isPlain ? [] : [words[status]]),
    ...(exit === undefined ? [] : [`exit code ${exit}`]),
    ...(call.reused === true ? ["as before"] : []),
    ...(millis >= 100 ? [durationWords(millis)] : []),
    ...(status === "ok" && lines.length > 1 ? [`${lines.length} lines`] : []),
  ].join(isPlain ? ", " : " · ");
  const head = isPlain ? `${words[status]}: ${tool}` : `${marks[status]} ${tool}`;
  const room = columns - head.length - (about === "" ? 0 : about.length + 3) - 1;
  const what = room < 4 ? "" : cutTo(inputWords(call), room);
  const shown = exit === undefined ? marks[status] : marks.error;
  const colour =
    exit !== undefined ? style.red : status === "ok" ? style.green : status === "cancelled" ? style.dim : style.red;
  const mark = isPlain ? head : `${colour(shown)} ${style.bold(tool)}`;
  const line = `${mark}${what === "" ? "" : ` ${what}`}${about === "" ? "" : style.dim(isPlain ? `, ${about}` : ` · ${about}`)}`;
  return [line, ...folded(call, lines, format)];
};

const resultLines = ({ result, status }: CallView): ReadonlyArray<string> => {
  const text = status === "denied" ? forPeople(result?.text ?? "") : (result?.text ?? "").replace(/\n+$/, "");
  return text === "" ? [] : text.split("\n");
};

// What a model is told of a refusal holds advice for it.
const forPeople = (text: string): string =>
  /^This call was refused and did not run \((?:[^"()]|"(?:[^"\\]|\\.)*")*\): ([^]*)\. Do not try to get around it: [^.]*\.\s*$/.exec(
    text,
  )?.[1] ?? text.replace(/\n+$/, "");

// Of a success that looked at something, the line says enough; commands and failures are read.
const folded = (
  { status, tool }: CallView,
  lines: ReadonlyArray<string>,
  { columns, isPlain, most, style }: CallFormat,
): ReadonlyArray<string> => {
  // Why something did not work is read in full, as far as that goes.
  const said =
    status === "ok" || isPlain ? lines : lines.flatMap((line) => proseRows(shownText(line), Math.max(columns - 3, 8)));
  const count = most ?? (status !== "ok" || tool === "bash" ? shownLines : lines.length === 1 ? 1 : 0);
  if (count === 0 || lines.length === 0) return [];
  // What a command says last matters most, of a failure what it says first.
  const isTail = status === "ok" && most === undefined;
  const hidden = said.length - count;
  const shown = hidden <= 1 ? said : isTail ? said.slice(-count) : said.slice(0, count);
  const rows = shown.map((line) => style.dim(`  ${cutTo(shownText(line), Math.max(columns - 3, 8))}`));
  if (hidden <= 1) return rows;
  const note = style.dim(`  … ${hidden} more lines (${isPlain ? "/expand" : "Ctrl-O"})`);
  return isTail ? [note, ...rows] : [...rows, note];
};

/** More of a call than this is looked at with a pager. */
const mostExpanded = 2_000;

/** A call in full: what it was given and what it gave. */
export const wholeCall = (call: CallView): ReadonlyArray<string> => {
  const input = JSON.stringify(call.input ?? null, null, 2).split("\n");
  const lines = [
    `${call.tool}:`,
    ...input.map((line) => `  ${line.replaceAll("\\n", "\n    ")}`),
    "gave:",
    ...resultLines(call).map((line) => `  ${line}`),
  ];
  const all = lines.flatMap((line) => shownText(line).split("\n"));
  return all.length <= mostExpanded
    ? all
    : [...all.slice(0, mostExpanded), `… ${all.length - mostExpanded} more lines: kumiko sessions show has them`];
};
