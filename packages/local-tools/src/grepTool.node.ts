import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type Tool } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { fileFailure } from "./fileFailure.ts";
import type { Glob } from "./Glob.ts";
import { compiledGlob, walkNotes } from "./globTool.node.ts";
import { type GrepOutput, makeGrepOutput } from "./GrepOutput.ts";
import { rulesFor } from "./ignoreRules.node.ts";
import { abortable } from "./internal/abortable.ts";
import { absolutePath, fileResource, fromBase } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { type LineMatcher, lineMatcher, maxLineCharacters } from "./LineMatcher.node.ts";
import { readContent, requireFile } from "./TextFile.node.ts";
import { walk, type WalkReport } from "./walk.node.ts";

const defaultMatches = 200;
const maxMatches = 2000;
const maxContext = 10;
const maxPatternCharacters = 1000;
/** A text file that people or models read is far smaller. */
const maxFileBytes = 5 * 1024 * 1024;
/** Files read at once: enough to keep the disk busy, few enough to bound memory. */
const batchFiles = 16;

const optional = (schema: Schema.Codec<number>, description: string) =>
  Schema.optionalKey(schema.annotate({ description }));

const Input = Schema.Struct({
  pattern: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxPatternCharacters)).annotate({
    description: "Regular expression (JavaScript), looked for in each line.",
  }),
  path: Schema.optionalKey(Schema.String.annotate({ description: "File or folder. Default: the working folder." })),
  include: Schema.optionalKey(Schema.String.annotate({ description: "Only files that fit this glob, such as *.ts." })),
  exclude: Schema.optionalKey(Schema.String.annotate({ description: "No files that fit this glob." })),
  ignore_case: Schema.optionalKey(Schema.Boolean),
  context: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxContext })),
    "Lines shown before and after each match. Default 0.",
  ),
  max_matches: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxMatches })),
    `Default ${defaultMatches}.`,
  ),
});

/** The tool `grep`; relative paths start at the run's folder. */
export const grepTool = (): Tool =>
  defineTool({
    name: "grep",
    description:
      "Searches text files line by line. Prints path:line: text, sorted by path and line; with context, other lines as " +
      "path-line- text. Skips .git, node_modules, binary files, files over 5 MB, symbolic links, and what .gitignore names " +
      "(unless path names it). Notes stand in parentheses at the end. A pattern that backtracks without end is refused.",
    input: Input,
    risk: "read",
    cacheable: true,
    resources: ({ path = "." }, cwd) => [fileResource(cwd, path, "read")],
    execute: (input, { cwd, permits }) =>
      abortable((signal) =>
        grep(input, cwd, signal, (absolute) => Effect.runPromise(permits({ key: `file:${absolute}`, mode: "read" }))),
      ),
  });

interface Search {
  readonly matcher: LineMatcher;
  readonly literal: Buffer | undefined;
  readonly limit: number;
  readonly output: GrepOutput;
  readonly counts: Counts;
  /** Whether what stands in a file may be shown: asked only of files that have a match. */
  readonly permits: (absolute: string) => Promise<boolean>;
}

interface Counts {
  files: number;
  binary: number;
  tooLarge: number;
  unreadable: number;
  longLines: number;
  withheld: number;
}

interface Target {
  readonly absolute: string;
  readonly shown: string;
}

const grep = async (
  input: typeof Input.Type,
  base: string,
  signal: AbortSignal,
  permits: Search["permits"],
): Promise<string> => {
  const {
    pattern,
    path = ".",
    ignore_case: ignoreCase = false,
    context = 0,
    max_matches: limit = defaultMatches,
  } = input;
  const matcher = lineMatcher(pattern, ignoreCase);
  const fits = fileFilter(input.include, input.exclude);
  const search: Search = {
    matcher,
    literal: matcher.literal === undefined ? undefined : Buffer.from(matcher.literal, "utf8"),
    limit,
    output: makeGrepOutput(limit, context),
    counts: { files: 0, binary: 0, tooLarge: 0, unreadable: 0, longLines: 0, withheld: 0 },
    permits,
  };
  const report: WalkReport = { unreadableFolders: 0, isTruncated: false };
  let batch: Array<Target> = [];
  for await (const target of targets(path, base, fits, report, signal)) {
    batch.push(target);
    if (batch.length < batchFiles) continue;
    if (!(await searchBatch(search, batch))) return resultOf(search, report);
    batch = [];
  }
  if (batch.length > 0 && !signal.aborted) await searchBatch(search, batch);
  return resultOf(search, report);
};

const fileFilter = (include: string | undefined, exclude: string | undefined): Glob => {
  const wanted = include === undefined ? undefined : compiledGlob(include, "include");
  const unwanted = exclude === undefined ? undefined : compiledGlob(exclude, "exclude");
  return (path) => (wanted?.(path) ?? true) && !(unwanted?.(path) ?? false);
};

async function* targets(
  path: string,
  base: string,
  fits: Glob,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<Target, void> {
  const top = absolutePath(base, path);
  const stats = await stat(top).catch((error: unknown) => {
    throw fileFailure(error, shownPath(path));
  });
  if (!stats.isDirectory()) {
    requireFile(stats, shownPath(path));
    // A link that was named is meant; those that are met on the way are not.
    yield { absolute: await realpath(top), shown: shownPath(fromBase(base, top)) };
    return;
  }
  for await (const entry of walk(top, await rulesFor(top, base), report, signal)) {
    if (entry.isLink || !fits(entry.path)) continue;
    const absolute = join(top, entry.path);
    yield { absolute, shown: shownPath(fromBase(base, absolute)) };
  }
}

// Files are read together, then searched in order. False: the output is full.
const searchBatch = async (search: Search, batch: ReadonlyArray<Target>): Promise<boolean> => {
  const { matcher, limit, output, counts } = search;
  const contents = await Promise.all(batch.map(({ absolute }) => linesOf(search, absolute)));
  const read = batch.flatMap(({ absolute, shown }, index) => {
    const lines = contents[index];
    return lines === undefined ? [] : [{ absolute, shown, lines }];
  });
  // One match more than is shown tells that there are more.
  const most = limit - output.matchCount() + 1;
  const find = (files: typeof read): ReturnType<LineMatcher["find"]> =>
    matcher.find(
      files.map(({ lines }) => lines),
      files.map(({ shown }) => shown),
      most,
    );
  let found = read;
  let matches: ReturnType<typeof find> = found.length === 0 ? [] : find(found);
  for (;;) {
    const withheld = new Set<string>();
    for (const [index, { absolute }] of found.entries())
      if ((matches[index] ?? []).length > 0 && !(await search.permits(absolute))) withheld.add(absolute);
    if (withheld.size === 0) break;
    // Their matches counted towards the limit, so the others are looked at again.
    counts.withheld += withheld.size;
    found = found.filter(({ absolute }) => !withheld.has(absolute));
    matches = found.length === 0 ? [] : find(found);
  }
  for (const [index, { shown, lines }] of found.entries()) {
    if (matcher.literal === undefined && lines.some(({ length }) => length > maxLineCharacters)) counts.longLines++;
    if (!output.add(shown, lines, matches[index] ?? [])) return false;
  }
  return true;
};

const linesOf = async (search: Search, absolute: string): Promise<ReadonlyArray<string> | undefined> => {
  const content = await readContent(absolute, maxFileBytes);
  const { counts, literal } = search;
  if (content === "binary") counts.binary++;
  else if (content === "too-large") counts.tooLarge++;
  else if (content === "unreadable") counts.unreadable++;
  if (typeof content === "string") return undefined;
  counts.files++;
  if (literal !== undefined && !content.bytes.includes(literal)) return undefined;
  const lines = content.bytes.toString("utf8").split("\n");
  // What follows the last line feed is no line of its own.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
};

const resultOf = ({ output, limit, counts }: Search, report: WalkReport): string => {
  const stoppedBy = output.stoppedBy();
  const notes = [
    ...(output.matchCount() === 0 ? [`(no matches in ${files(counts.files)})`] : []),
    ...(stoppedBy === "matches"
      ? [`(stopped after ${limit} ${limit === 1 ? "match" : "matches"}; narrow the search, or raise max_matches)`]
      : []),
    ...(stoppedBy === "size" ? ["(stopped: the output is full; narrow the search)"] : []),
    ...(counts.files === 0 && counts.binary > 0 ? [`(${files(counts.binary)} not searched: binary)`] : []),
    ...(counts.tooLarge === 0 ? [] : [`(${files(counts.tooLarge)} over 5 MB not searched)`]),
    ...(counts.withheld === 0 ? [] : [`(matches in ${files(counts.withheld)} withheld: reading them is not allowed)`]),
    ...(counts.unreadable === 0 ? [] : [`(${files(counts.unreadable)} could not be read)`]),
    ...(counts.longLines === 0
      ? []
      : [`(lines over ${maxLineCharacters} characters searched only up to there, in ${files(counts.longLines)})`]),
    ...walkNotes(report),
  ];
  return [...output.lines(), ...notes].join("\n");
};

const files = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;
