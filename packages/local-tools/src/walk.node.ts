import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "./fileFailure.ts";
import { arePlain, isIgnored, type IgnoreRules, rulesInside, withOwnRules } from "./ignoreRules.node.ts";

/** A file that {@link walk} found: regular files and symbolic links (not followed). */
export interface WalkEntry {
  /** Relative to the walk's folder, `/` between segments. */
  readonly path: string;
  readonly isLink: boolean;
}

/** What a walk left out, filled while it goes. */
export interface WalkReport {
  unreadableFolders: number;
  /** The walk ended because there was too much. */
  isTruncated: boolean;
  /** Whether ripgrep would leave out the same: no rules that could be read in two ways, no repository within another. */
  isPlain: boolean;
}

/** Entries a walk looks at: a large monorepo without its dependencies has a tenth of it. */
const maxEntries = 500_000;

/** Longest stretch without a pause. */
const maxBusyMillis = 10;
/** Entries looked at before that is asked. */
const maxStretch = 500;

/** What a write that was killed half-way leaves behind; see `fileWrite.node.ts`. */
const isLeftover = (name: string): boolean => name.startsWith(".kumiko-") && /^\.kumiko-[0-9a-f]{16}\.tmp$/.test(name);

/** Folders that no search is about, ignored or not. */
const skipped: ReadonlySet<string> = new Set([".git", "node_modules"]);

interface Folder {
  readonly absolute: string;
  /** Empty, or ends in `/`. */
  readonly prefix: string;
  readonly entries: ReadonlyArray<Dirent>;
  readonly rules: IgnoreRules;
  next: number;
}

/**
 * The files below a folder, sorted by path (code units), in batches as they are found. Skips `.git`, `node_modules` and
 * what git ignores; never enters a symbolic link, so no loop can hold it. Folders that vanish are passed over, unreadable
 * ones counted. Ends early when `signal` is raised. Other work gets its turn every few milliseconds.
 */
export async function* walk(
  folder: string,
  rules: IgnoreRules,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<ReadonlyArray<WalkEntry>, void> {
  let seen = 0;
  let lastPause = performance.now();
  let batch: Array<WalkEntry> = [];
  const open: Array<Folder> = [];
  // The rules given are those of the first folder, its own included.
  const enter = async (absolute: string, prefix: string, above: IgnoreRules): Promise<void> => {
    const entries = entriesOf(absolute, report);
    const hasOwn = prefix !== "" && entries.some(({ name }) => name === ".gitignore");
    const inForce = hasOwn ? await withOwnRules(above, absolute) : above;
    if (hasOwn) report.isPlain &&= arePlain(inForce);
    open.push({ absolute, prefix, entries, rules: inForce, next: 0 });
  };
  report.isPlain &&= arePlain(rules);
  await enter(folder, "", rules);
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    if (performance.now() - lastPause > maxBusyMillis) {
      if (batch.length > 0) yield batch;
      batch = [];
      await new Promise((resolve) => setImmediate(resolve));
      lastPause = performance.now();
    }
    if (signal.aborted) return;
    const { absolute, entries, prefix, rules: inForce } = current;
    // One stretch of files; a folder among them comes first, as its turn is now.
    let inner: string | undefined;
    const until = Math.min(entries.length, current.next + maxStretch);
    while (inner === undefined && current.next < until) {
      const entry = entries[current.next++];
      if (entry === undefined) break;
      if (++seen > maxEntries) {
        report.isTruncated = true;
        yield batch;
        return;
      }
      const { name } = entry;
      const isFolder = entry.isDirectory();
      if (name === ".git" && prefix !== "") report.isPlain = false;
      if (skipped.has(name) || isLeftover(name) || isIgnored(inForce, name, isFolder)) continue;
      if (isFolder) inner = name;
      else if (entry.isFile()) batch.push({ path: prefix + name, isLink: false });
      else if (entry.isSymbolicLink()) batch.push({ path: prefix + name, isLink: true });
    }
    if (inner !== undefined) await enter(join(absolute, inner), `${prefix}${inner}/`, rulesInside(inForce, inner));
    else if (current.next >= entries.length) open.pop();
  }
  if (batch.length > 0) yield batch;
}

// At once, not by way of other threads: that would take longer than the listing itself.
const entriesOf = (absolute: string, report: WalkReport): ReadonlyArray<Dirent> => {
  try {
    // Folders are ordered as their contents will be: `a-b` before `a/b`.
    return readdirSync(absolute, { withFileTypes: true }).toSorted(byPath);
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR"].includes(errorCode(error));
    if (!isGone) report.unreadableFolders++;
    return [];
  }
};

const byPath = (a: Dirent, b: Dirent): number => {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : left > right ? 1 : 0;
};

const keyOf = (entry: Dirent): string => (entry.isDirectory() ? `${entry.name}/` : entry.name);
