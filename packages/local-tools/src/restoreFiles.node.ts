import { hash } from "node:crypto";
import { chmod, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { type FileState, ToolFailed } from "@kumiko/plugin-api";
import { errorCode, fileFailure } from "./fileFailure.ts";
import { snapshotOf } from "./internal/fileSnapshot.node.ts";
import { realTarget } from "./internal/realTarget.node.ts";
import { isSameFile, replaceFile, statsOf, syncFolder } from "./internal/replaceFile.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { type FileRestoration, restoreStep, type RestoreStep } from "./RestorePlan.ts";

/** What became of one file. */
export interface RestoredFile {
  readonly path: string;
  /** `conflict`: somebody else changed it, so it was left alone; `failed`: it cannot be restored. */
  readonly outcome: "restored" | "unchanged" | "conflict" | "failed";
  /** Why it was not restored: a sentence. */
  readonly detail?: string;
}

interface Options {
  /** Undoes also what somebody else did to the files since. Default false. */
  readonly force?: boolean;
}

/**
 * Puts files back to what they were: content and permission bits, each in one step; files that were not there are
 * removed, missing folders are made, folders that a session made stay. What somebody else changed since is left alone.
 * Never fails: the outcome of each file is in the result, in the order given.
 *
 * @example
 * ```ts
 * const outcomes = await restoreFiles([{ path: "/tmp/kumiko-not-there", target: null, expectedDigest: null }])
 * outcomes // => [{ path: "/tmp/kumiko-not-there", outcome: "unchanged" }]
 * ```
 */
export const restoreFiles = (
  files: ReadonlyArray<FileRestoration>,
  options: Options = {},
): Promise<ReadonlyArray<RestoredFile>> => eachOf(files, options, carryOut);

/** What {@link restoreFiles} would do now, in its words; changes nothing. */
export const previewRestore = (
  files: ReadonlyArray<FileRestoration>,
  options: Options = {},
): Promise<ReadonlyArray<RestoredFile>> => eachOf(files, options, () => Promise.resolve());

type Act = (path: string, step: RestoreStep, found: Found) => Promise<void>;

const eachOf = async (
  files: ReadonlyArray<FileRestoration>,
  options: Options,
  act: Act,
): Promise<ReadonlyArray<RestoredFile>> => {
  const outcomes: Array<RestoredFile> = [];
  for (const file of files) outcomes.push({ path: file.path, ...(await outcomeOf(file, options, act)) });
  return outcomes;
};

const outcomeOf = async (file: FileRestoration, options: Options, act: Act): Promise<Omit<RestoredFile, "path">> => {
  const { path, target } = file;
  try {
    if (target?.bytes !== undefined && hash("sha256", target.bytes) !== target.digest)
      return { outcome: "failed", detail: "the content that was kept is damaged." };
    const found = await look(path);
    if (typeof found === "string") return { outcome: "conflict", detail: found };
    const step = restoreStep(file, found.state, options);
    if (step.type === "conflict" || step.type === "failed") return { outcome: step.type, detail: step.detail };
    if (step.type === "unchanged") return { outcome: "unchanged" };
    await act(path, step, found);
    return { outcome: "restored" };
  } catch (error) {
    const { detail, kind } = fileFailure(error);
    // It was changed by somebody right now.
    return { outcome: error instanceof ToolFailed && kind === "refused" ? "conflict" : "failed", detail };
  }
};

interface Found {
  readonly stats: Awaited<ReturnType<typeof statsOf>>;
  readonly state: FileState | null;
}

// A sentence: there is no file at this path any more, but something else, which is never replaced.
const look = async (path: string): Promise<Found | string> => {
  try {
    const stats = await statsOf(path);
    if (stats?.isSymbolicLink() === true) return "it is a symbolic link now.";
    if ((await realTarget(path)) !== path) return "a folder of its path is a symbolic link now.";
    if (stats === undefined) return { stats, state: null };
    if (stats.isDirectory()) return "it is a folder now.";
    const snapshot = await snapshotOf(path, shownPath(path), 0);
    return { stats: snapshot.stats, state: snapshot.state };
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return "a folder of its path is a file now.";
    throw error;
  }
};

const carryOut: Act = async (path, step, { stats }) => {
  if (step.type === "write") {
    const replacement = { target: path, shown: shownPath(path), bytes: step.bytes, mode: step.mode, before: stats };
    return replaceFile(replacement, new AbortController().signal);
  }
  if (!isSameFile(await statsOf(path), stats))
    throw new ToolFailed({ kind: "refused", detail: "it changed while it was being restored." });
  if (step.type === "changeMode") return chmod(path, step.mode);
  await unlink(path);
  return syncFolder(dirname(path));
};
