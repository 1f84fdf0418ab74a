import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "./fileFailure.ts";
import { isIgnored, type IgnoreRules, rulesInside, withOwnRules } from "./ignoreRules.node.ts";

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
}

/** Entries a walk looks at: a large monorepo without its dependencies has a tenth of it. */
const maxEntries = 500_000;

/** Longest stretch without a pause. */
const maxBusyMillis = 10;

/** What a write that was killed half-way leaves behind; see `fileWrite.node.ts`. */
const isLeftover = (name: string): boolean => /^\.kumiko-[0-9a-f]{16}\.tmp$/.test(name);

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
 * The files below a folder, sorted by path (code units). Skips `.git`, `node_modules` and what git ignores; never enters
 * a symbolic link, so no loop can hold it. Folders that vanish are passed over, unreadable ones counted. Ends early when
 * `signal` is raised.
 */
export async function* walk(
  folder: string,
  rules: IgnoreRules,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<WalkEntry, void> {
  let seen = 0;
  let lastPause = performance.now();
  const open: Array<Folder> = [];
  // The rules given are those of the first folder, its own included.
  const enter = async (absolute: string, prefix: string, above: IgnoreRules): Promise<void> => {
    const entries = await entriesOf(absolute, report);
    const hasOwn = prefix !== "" && entries.some(({ name }) => name === ".gitignore");
    open.push({ absolute, prefix, entries, rules: hasOwn ? await withOwnRules(above, absolute) : above, next: 0 });
  };
  await enter(folder, "", rules);
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    if (signal.aborted) return;
    const entry = current.entries[current.next++];
    if (entry === undefined) {
      open.pop();
      continue;
    }
    if (++seen > maxEntries) {
      report.isTruncated = true;
      return;
    }
    const { name } = entry;
    const isFolder = entry.isDirectory();
    // A folder of ignored entries gives nothing to wait for: signals and timers must get their turn all the same.
    if (performance.now() - lastPause > maxBusyMillis) {
      await new Promise((resolve) => setImmediate(resolve));
      lastPause = performance.now();
    }
    if (skipped.has(name) || isLeftover(name) || isIgnored(current.rules, name, isFolder)) continue;
    const path = current.prefix + name;
    if (isFolder) await enter(join(current.absolute, name), `${path}/`, rulesInside(current.rules, name));
    else if (entry.isFile() || entry.isSymbolicLink()) yield { path, isLink: entry.isSymbolicLink() };
  }
}

const entriesOf = async (absolute: string, report: WalkReport): Promise<ReadonlyArray<Dirent>> => {
  try {
    const entries = await readdir(absolute, { withFileTypes: true });
    // Folders are ordered as their contents will be: `a-b` before `a/b`.
    return entries
      .map((entry) => ({ entry, key: entry.isDirectory() ? `${entry.name}/` : entry.name }))
      .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ entry }) => entry);
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR"].includes(errorCode(error));
    if (!isGone) report.unreadableFolders++;
    return [];
  }
};
