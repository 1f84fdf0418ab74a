import { lstat, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode } from "../fileFailure.ts";
import { shownPath } from "./shownPath.ts";

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * The path that a file really has, or would have once it is made: links are followed in folders and at the end, whether
 * what they point to exists or not. By this path a session knows a file, whatever way it was named.
 */
export const realTarget = (absolute: string): Promise<string> => follow(absolute, maxLinks, absolute);

const follow = async (path: string, linksLeft: number, asked: string): Promise<string> => {
  const existing = await ifThere(realpath(path));
  if (existing !== undefined) return existing;
  if (dirname(path) === path) return path;
  // The folder first: where a link points to counts from where it really is.
  const folder = await follow(dirname(path), linksLeft, asked);
  const here = join(folder, basename(path));
  const stats = await ifThere(lstat(here));
  if (stats?.isSymbolicLink() !== true) return here;
  if (linksLeft === 0)
    throw new ToolFailed({
      kind: "validation",
      detail: `${shownPath(asked)}: its symbolic links never end (ELOOP).`,
      hint: "Use the real path.",
    });
  return follow(resolve(folder, await readlink(here)), linksLeft - 1, asked);
};

const ifThere = async <A>(looking: Promise<A>): Promise<A | undefined> => {
  try {
    return await looking;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};
