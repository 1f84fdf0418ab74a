import { lstat, readlink, realpath } from "node:fs/promises";
import * as Effect from "effect/Effect";
import { baseName, resolvePath } from "./PathKey.ts";

/** Where a path leads in the end. `unresolved`: nobody can tell; `reason` says why. */
export type RealPath =
  | { readonly type: "resolved"; readonly path: string }
  | { readonly type: "unresolved"; readonly reason: string };

/** Links in a row, as in the Linux kernel. */
const mostLinks = 40;

/**
 * Follows the symlinks of an absolute path: of its longest existing part, the rest is appended. A link to nothing is
 * followed too, because writing through it creates its target. Never fails: loops and forbidden folders are
 * `unresolved`. What it says holds at the time of the look-up.
 */
export const realPath = (path: string): Effect.Effect<RealPath> =>
  Effect.promise(() => follow(path, 0).catch((error: unknown) => unresolved(codeOf(error))));

const follow = async (path: string, links: number): Promise<RealPath> => {
  if (path.includes("\0")) return unresolved("it holds a NUL character");
  if (links > mostLinks) return unresolved("too many symbolic links");
  const tail: Array<string> = [];
  let current = path;
  while (true) {
    const found = await attempt(() => realpath(current));
    if (found.ok) return { type: "resolved", path: resolvePath(found.value, tail.join("/")) };
    if (!isMissing(found.code)) return unresolved(found.code);
    const link = await attempt(() => readlink(current));
    if (link.ok) {
      const folder = await follow(parentOf(current), links + 1);
      if (folder.type === "unresolved") return folder;
      const target = link.value.startsWith("/") ? link.value : `${folder.path}/${link.value}`;
      return follow([target, ...tail].join("/"), links + 1);
    }
    const entry = await attempt(() => lstat(current));
    if (!entry.ok && !isMissing(entry.code)) return unresolved(entry.code);
    if (current === "/" || current === "") return unresolved("the file system has no root");
    tail.unshift(baseName(current));
    current = parentOf(current);
  }
};

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

type Attempt<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly code: string };

const attempt = async <A>(run: () => Promise<A>): Promise<Attempt<A>> => {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, code: codeOf(error) };
  }
};

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : String(error);

const isMissing = (code: string): boolean => code === "ENOENT" || code === "ENOTDIR";

const unresolved = (reason: string): RealPath => ({ type: "unresolved", reason });
