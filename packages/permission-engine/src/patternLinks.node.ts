import { lstat, readdir } from "node:fs/promises";
import * as Effect from "effect/Effect";
import { compileGlob } from "./Glob.ts";

/** More files are not looked through: where a pattern leads then counts as not known. */
const mostFiles = 4_096;

/** Where a pattern leads by way of symlinks. */
export interface PatternLinks {
  /** Paths that it stands for, up to the first link on the way; what comes behind the link stays as written. */
  readonly paths: ReadonlyArray<string>;
  /** There were more files than were looked through. */
  readonly isCut: boolean;
}

/** Whether Bash would look for files of that path. */
const isPattern = (path: string): boolean => /[*?[]/.test(path);

/**
 * The symlinks that a pathname pattern (absolute, as Bash expands it) leads through, now: `/p/a*` is `/p/alink` where
 * that is a link. Files and folders that are none are not listed. Never fails: what cannot be listed holds nothing.
 */
export const patternLinks = (pattern: string): Effect.Effect<PatternLinks> =>
  Effect.promise(() => search(pattern.split("/").slice(1)));

const search = async (segments: ReadonlyArray<string>): Promise<PatternLinks> => {
  const paths: Array<string> = [];
  let folders: ReadonlyArray<string> = [""];
  let count = 0;
  for (const [at, segment] of segments.entries()) {
    const rest = segments
      .slice(at + 1)
      .map((name) => `/${name}`)
      .join("");
    const next: Array<string> = [];
    for (const folder of folders)
      for (const name of isPattern(segment) ? await namesIn(folder, segment) : [segment]) {
        if (++count > mostFiles) return { paths, isCut: true };
        const path = `${folder}/${name}`;
        const kind = await kindOf(path);
        if (kind === "link") paths.push(`${path}${rest}`);
        else if (kind === "folder") next.push(path);
      }
    folders = next;
  }
  return { paths, isCut: false };
};

const namesIn = async (folder: string, pattern: string): Promise<ReadonlyArray<string>> => {
  try {
    // Sets of letters count as any letter: more is found than Bash would, never less.
    const glob = compileGlob(pattern.replaceAll(/\[[^\]]*\]/g, "?"));
    const isHidden = /^[.[]/.test(pattern);
    return (await readdir(folder === "" ? "/" : folder)).filter(
      (name) => (isHidden || !name.startsWith(".")) && glob.matches(name),
    );
  } catch {
    return [];
  }
};

const kindOf = async (path: string): Promise<"link" | "folder" | "other"> => {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "other";
  } catch {
    return "other";
  }
};
