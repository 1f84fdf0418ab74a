import { createReadStream } from "node:fs";
import type { Glob } from "./Glob.ts";
import type { GrepOutput } from "./GrepOutput.ts";
import { type Below, filesHolding, findRipgrep } from "./internal/ripgrep.node.ts";
import { type LineMatcher, maxLineCharacters } from "./LineMatcher.node.ts";
import { readContent } from "./TextFile.node.ts";

/** A text file that people or models read is far smaller. */
export const maxFileBytes = 5 * 1024 * 1024;
/** Files read at once: enough to keep the disk busy, few enough to bound memory. */
const batchFiles = 16;
/** Bytes of paths that one ripgrep is given. */
const groupBytes = 400_000;

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
  /** How ripgrep can look through the folder as a whole, where it can; asked once all files are known. */
  readonly below: { readonly rules: Below; readonly isSure: () => boolean } | undefined;
  /** Whether what stands in a file may be shown: asked only of files that have a match. */
  readonly permits: (absolute: string) => Promise<boolean>;
}

/** What a search says about itself. */
interface SearchCounts {
  /** Files looked at. */
  files: number;
  binary: number;
  tooLarge: number;
  unreadable: number;
  longLines: number;
  withheld: number;
}

// What is known of a file before it is read.
type Doubt = Target & { readonly isOut?: boolean };

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
  let waiting: Array<Target> = [];
  let taken = 0;
  let whole: Promise<ReadonlySet<string> | undefined> | undefined;
  try {
    for await (const batch of batches)
      for (const target of batch) {
        waiting.push(target);
        if (program !== undefined && taken >= search.ripgrepFrom) {
          // All files are needed before it can be told whether the answer counts.
          if (search.below !== undefined)
            whole ??= holding(search, program, search.below.rules, AbortSignal.any([signal, stop.signal]));
          continue;
        }
        if (waiting.length < batchFiles) continue;
        taken += waiting.length;
        if (!(await searchInOrder(search, waiting, signal))) return;
        waiting = [];
      }
    if (signal.aborted) return;
    const held = search.below?.isSure() === true ? await whole : undefined;
    // An answer that does not count need not be waited for.
    stop.abort();
    if (held === undefined) await searchInGroups(search, waiting, program, signal);
    else await searchInOrder(search, among(waiting, held), signal);
  } finally {
    stop.abort();
  }
};

const searchInGroups = async (
  search: Search,
  targets: ReadonlyArray<Target>,
  program: string | undefined,
  signal: AbortSignal,
): Promise<void> => {
  for (const group of groupsOf(targets)) {
    const isWorthIt = group.length > batchFiles || search.ripgrepFrom === 0;
    const paths = group.map(({ path }) => path);
    const held = isWorthIt && paths.length > 0 ? await holding(search, program, paths, signal) : undefined;
    if (!(await searchInOrder(search, held === undefined ? group : among(group, held), signal))) return;
  }
};

const among = (targets: ReadonlyArray<Target>, held: ReadonlySet<string>): ReadonlyArray<Doubt> =>
  targets.map((target) => (held.has(target.path) ? target : { ...target, isOut: true }));

const holding = async (
  { folder, matcher }: Search,
  program: string | undefined,
  where: ReadonlyArray<string> | Below,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> =>
  program === undefined || matcher.required === undefined
    ? undefined
    : filesHolding({ program, ...matcher.required, folder, where }, signal);

// Systems limit how long arguments are.
const groupsOf = (targets: ReadonlyArray<Target>): ReadonlyArray<ReadonlyArray<Target>> => {
  const groups: Array<Array<Target>> = [];
  let group: Array<Target> = [];
  let bytes = 0;
  for (const target of targets) {
    group.push(target);
    bytes += target.path.length * 3 + 16;
    if (bytes < groupBytes) continue;
    groups.push(group);
    group = [];
    bytes = 0;
  }
  return [...groups, group];
};

// False: the output is full.
const searchInOrder = async (search: Search, doubts: ReadonlyArray<Doubt>, signal: AbortSignal): Promise<boolean> => {
  let batch: Array<Doubt> = [];
  let reading = 0;
  for (const doubt of doubts) {
    batch.push(doubt);
    if (doubt.isOut !== true) reading++;
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
  const doubtful = batch.filter(({ isOut }) => isOut !== true);
  const read = await Promise.all(doubtful.map((target) => linesOf(search, target)));
  const contents = new Map(doubtful.map((target, index) => [target, read[index]]));
  let found: ReadonlyArray<Read> = doubtful.flatMap((target) => {
    const lines = contents.get(target);
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
  for (const target of batch) {
    const content = contents.get(target);
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
  { absolute }: Target,
): Promise<ReadonlyArray<string> | "no-match" | "binary" | "too-large" | "unreadable" | "gone"> => {
  const content = await readContent(absolute, maxFileBytes);
  // What is too large counts where it holds what is looked for, as far as can be told.
  if (content === "too-large" && matcher.required !== undefined)
    return (await holdsText(absolute, matcher.required)) ? content : "no-match";
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

// In pieces that overlap, so that none of the texts is cut.
const holdsText = async (
  path: string,
  { ignoreCase, texts }: NonNullable<LineMatcher["required"]>,
): Promise<boolean> => {
  const folded = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = texts.map((text) => folded(Buffer.from(text, "utf8").toString("latin1")));
  const overlap = Math.max(...wanted.map(({ length }) => length)) - 1;
  let kept = "";
  try {
    for await (const piece of createReadStream(path, { encoding: "latin1", highWaterMark: 1024 * 1024 })) {
      const text = kept + folded(String(piece));
      if (wanted.some((one) => text.includes(one))) return true;
      kept = text.slice(-overlap);
    }
    return false;
  } catch {
    // It is gone, or cannot be read to its end: whether it holds the text is not known.
    return true;
  }
};
