import { lstat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { errorCode } from "./fileFailure.ts";
import { type GitIgnore, isPlainGitIgnore, parseGitIgnore } from "./GitIgnore.ts";
import { readContent } from "./TextFile.node.ts";

/** The rules of one folder, and where they count from. */
interface Level {
  /** Segments of the folder below the top. */
  readonly depth: number;
  readonly says: GitIgnore;
  /** Whether every program reads it alike. */
  readonly isPlain: boolean;
}

/** The ignore rules in force in one folder: its own and those of the folders above it. */
export interface IgnoreRules {
  /** Segments of the folder these rules are for, below the topmost folder that has any. */
  readonly segments: ReadonlyArray<string>;
  readonly levels: ReadonlyArray<Level>;
  /** Whether the topmost folder is that of a repository. */
  readonly isRepository?: boolean;
}

/** A longer file is no list of patterns. */
const maxFileBytes = 1024 * 1024;

/** Whether an entry of the folder that `rules` are for is ignored: the nearest rule that speaks decides. */
export const isIgnored = ({ segments, levels }: IgnoreRules, name: string, isFolder: boolean): boolean => {
  if (levels.length === 0) return false;
  const path = [...segments, name];
  for (let index = levels.length - 1; index >= 0; index--) {
    const level = levels[index];
    const verdict = level?.says(level.depth === 0 ? path : path.slice(level.depth), isFolder);
    if (verdict !== undefined) return verdict === "ignored";
  }
  return false;
};

/** The rules inside a subfolder, before its own `.gitignore` is added. */
export const rulesInside = (rules: IgnoreRules, name: string): IgnoreRules => ({
  ...rules,
  segments: [...rules.segments, name],
});

/** Whether every program reads all of the rules alike. */
export const arePlain = ({ levels }: IgnoreRules): boolean => levels.every(({ isPlain }) => isPlain);

/** Adds the `.gitignore` that the folder itself holds. */
export const withOwnRules = async (rules: IgnoreRules, folder: string, file = ".gitignore"): Promise<IgnoreRules> => {
  const content = await readContent(join(folder, file), maxFileBytes);
  if (typeof content === "string") return rules;
  const text = content.bytes.toString("utf8");
  const level = { depth: rules.segments.length, says: parseGitIgnore(text), isPlain: isPlainGitIgnore(text) };
  return { ...rules, levels: [...rules.levels, level] };
};

/**
 * The rules in force in `folder`: of the repository it is in (its `.git/info/exclude` and each `.gitignore` on the way
 * down), else of the folders between `base` and it. A folder that is itself ignored has none: who names it means it.
 */
export const rulesFor = async (folder: string, base: string): Promise<IgnoreRules> => {
  const repository = await repositoryOf(folder);
  const top = repository ?? (isBelow(folder, base) ? base : folder);
  const steps = relative(top, folder)
    .split(sep)
    .filter((step) => step !== "");
  let rules: IgnoreRules = { segments: [], levels: [], isRepository: repository !== undefined };
  if (repository !== undefined) rules = await withOwnRules(rules, repository, join(".git", "info", "exclude"));
  rules = await withOwnRules(rules, top);
  let path = top;
  for (const step of steps) {
    if (isIgnored(rules, step, true)) return withOwnRules({ segments: [], levels: [] }, folder);
    path = join(path, step);
    rules = await withOwnRules(rulesInside(rules, step), path);
  }
  return rules;
};

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

const repositoryOf = async (folder: string): Promise<string | undefined> => {
  for (let path = folder; ; path = dirname(path)) {
    try {
      await lstat(join(path, ".git"));
      return path;
    } catch (error) {
      if (!["ENOENT", "ENOTDIR", "EACCES", "ELOOP"].includes(errorCode(error))) throw error;
      if (path === dirname(path)) return undefined;
    }
  }
};
