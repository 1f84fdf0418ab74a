import { lstatSync } from "node:fs";
import type { Glob } from "./Glob.ts";
import type { GrepOutput } from "./GrepOutput.ts";
import { filesHolding, findRipgrep } from "./internal/ripgrep.node.ts";
import { type LineMatcher, maxLineCharacters } from "./LineMatcher.node.ts";
import { readContent } from "./TextFile.node.ts";

/** A text file that people or models read is far smaller. */
export const maxFileBytes = 5 * 1024 * 1024;
/** Files read at once: enough to keep the disk busy, few enough to bound memory. */
const batchFiles = 16;
/** Bytes of paths that one ripgrep is given: systems limit how long arguments are. */
const groupBytes = 200_000;
/** Ripgreps at once, each on threads of its own. */
const maxGroups = 2;
const maxBusyMillis = 10;

/** A file to search. */
export interface Target {
  /** Relative to the search's folder. */
  readonly path: string;
  readonly absolute: string;
  readonly shown: string;
}

/** What a search looks for, and what it found so far. */
export interface Search {
  readonly matcher: LineMatcher;
  readonly folder: string;
  /** At most so many matches are wanted of one file. */
  readonly mostOf: (output: GrepOutput) => number;
  readonly output: GrepOutput;
  readonly counts: SearchCounts;
  /** So many files are searched before ripgrep is asked: most searches are over by then. */
  readonly ripgrepFrom: number;
  /** Whether what stands in a file may be shown: asked only of files that have a match. */
  readonly permits: (absolute: string) => Promise<boolean>;
}

/** What a search says about itself. */
export interface SearchCounts {
  /** Files looked at. */
  files: number;
  binary: number;
  tooLarge: number;
  unreadable: number;
  longLines: number;
  withheld: number;
}

// What is known of a file before it is read.
type Doubt = Target & { readonly isOut?: "no-match" | "too-large" };

/**
 * Searches files in their order until the output is full. Where a match has to hold a certain text, ripgrep says which
 * files hold it, and only those are read; the result is the same without it.
 */
export const searchFiles = async (
  search: Search,
  batches: AsyncIterable<ReadonlyArray<Target>>,
  signal: AbortSignal,
): Promise<void> => {
  const program = search.matcher.required === undefined ? undefined : await findRipgrep();
  const stop = new AbortController();
  const ends = AbortSignal.any([signal, stop.signal]);
  const running: Array<Promise<ReadonlyArray<Doubt>>> = [];
  let group: Array<Target> = [];
  let bytes = 0;
  let taken = 0;
  // False: the output is full.
  const settle = async (most: number): Promise<boolean> => {
    while (running.length > most) {
      const doubts = await running.shift();
      if (doubts !== undefined && !(await searchInOrder(search, doubts, signal))) return false;
    }
    return true;
  };
  const flush = async (): Promise<boolean> => {
    if (group.length === 0) return true;
    running.push(narrowed(search, group, taken < search.ripgrepFrom ? undefined : program, ends));
    taken += group.length;
    group = [];
    bytes = 0;
    return settle(taken <= search.ripgrepFrom ? 0 : maxGroups - 1);
  };
  try {
    for await (const batch of batches)
      for (const target of batch) {
        group.push(target);
        bytes += target.path.length * 3 + 16;
        const isSmall = program === undefined || taken < search.ripgrepFrom;
        const isFull = isSmall ? group.length >= batchFiles : bytes > groupBytes;
        if (isFull && !(await flush())) return;
      }
    if (!signal.aborted && (await flush())) await settle(0);
  } finally {
    stop.abort();
  }
};

const narrowed = async (
  { folder, matcher }: Search,
  group: ReadonlyArray<Target>,
  program: string | undefined,
  signal: AbortSignal,
): Promise<ReadonlyArray<Doubt>> => {
  if (program === undefined || matcher.required === undefined) return group;
  const { ignoreCase, texts } = matcher.required;
  const paths = group.map(({ path }) => path);
  const asked = filesHolding({ program, texts, ignoreCase, folder, paths }, signal);
  const large = await largeFiles(group, signal);
  const holding = await asked;
  if (holding === undefined) return group;
  return group.map((target) => {
    const isOut = large.has(target.path) ? "too-large" : holding.has(target.path) ? undefined : "no-match";
    return isOut === undefined ? target : { ...target, isOut };
  });
};

// Looked at while ripgrep works.
const largeFiles = async (group: ReadonlyArray<Target>, signal: AbortSignal): Promise<ReadonlySet<string>> => {
  const large = new Set<string>();
  let lastPause = performance.now();
  for (const { absolute, path } of group) {
    if (performance.now() - lastPause > maxBusyMillis) {
      await new Promise((resolve) => setImmediate(resolve));
      lastPause = performance.now();
      if (signal.aborted) break;
    }
    try {
      if ((lstatSync(absolute, { throwIfNoEntry: false })?.size ?? 0) > maxFileBytes) large.add(path);
    } catch {
      // Ripgrep cannot read it either, and says so.
    }
  }
  return large;
};

// False: the output is full.
const searchInOrder = async (search: Search, doubts: ReadonlyArray<Doubt>, signal: AbortSignal): Promise<boolean> => {
  let batch: Array<Doubt> = [];
  let reading = 0;
  for (const doubt of doubts) {
    batch.push(doubt);
    if (doubt.isOut === undefined) reading++;
    if (reading < batchFiles) continue;
    if (signal.aborted || !(await searchBatch(search, batch))) return false;
    batch = [];
    reading = 0;
  }
  return !signal.aborted && searchBatch(search, batch);
};

interface Read {
  readonly target: Doubt;
  readonly lines: ReadonlyArray<string>;
}

// Files are read together, then searched in order. False: the output is full.
const searchBatch = async (search: Search, batch: ReadonlyArray<Doubt>): Promise<boolean> => {
  const { output, counts } = search;
  const contents = await Promise.all(batch.map((target) => linesOf(search, target)));
  let found: ReadonlyArray<Read> = batch.flatMap((target, index) => {
    const lines = contents[index];
    return typeof lines === "object" ? [{ target, lines }] : [];
  });
  let matches = matchesIn(search, found);
  const withheld = new Set<Doubt>();
  for (;;) {
    const before = withheld.size;
    for (const [index, { target }] of found.entries())
      if ((matches.of[index] ?? []).length > 0 && !(await search.permits(target.absolute))) withheld.add(target);
    if (withheld.size === before) break;
    // Their matches counted towards the limit, so the others are looked at again.
    found = found.filter(({ target }) => !withheld.has(target));
    matches = matchesIn(search, found);
  }
  const indexes = new Map(found.map(({ target }, index) => [target, index]));
  for (const [at, target] of batch.entries()) {
    const content = contents[at];
    if (content === "too-large") counts.tooLarge++;
    else if (content === "unreadable") counts.unreadable++;
    else if (content !== "gone") counts.files++;
    if (content === "binary") counts.binary++;
    if (withheld.has(target)) counts.withheld++;
    const index = indexes.get(target);
    const lines = index === undefined ? undefined : found[index]?.lines;
    if (index === undefined || lines === undefined) continue;
    if (matches.isCut && lines.some(({ length }) => length > maxLineCharacters)) counts.longLines++;
    if (!output.add(target.shown, lines, matches.of[index] ?? [])) return false;
  }
  return true;
};

const matchesIn = ({ matcher, mostOf, output }: Search, files: ReadonlyArray<Read>): ReturnType<LineMatcher["find"]> =>
  files.length === 0
    ? { of: [], isCut: false }
    : matcher.find(
        files.map(({ lines }) => lines),
        files.map(({ target }) => target.shown),
        mostOf(output),
      );

const linesOf = async (
  { matcher }: Search,
  { absolute, isOut }: Doubt,
): Promise<ReadonlyArray<string> | "no-match" | "binary" | "too-large" | "unreadable" | "gone"> => {
  if (isOut !== undefined) return isOut;
  const content = await readContent(absolute, maxFileBytes);
  if (typeof content === "string") return content;
  if (matcher.literal !== undefined && !content.bytes.includes(matcher.literal)) return "no-match";
  const lines = content.bytes.toString("utf8").split("\n");
  // What follows the last line feed is no line of its own.
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
};

/** Whether files fit what is to be searched, and not what is to be left out. */
export const fileFilter =
  (wanted: Glob | undefined, unwanted: Glob | undefined): Glob =>
  (path) =>
    (wanted?.(path) ?? true) && !(unwanted?.(path) ?? false);
