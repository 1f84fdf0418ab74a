import { isAbsolute, relative, resolve } from "node:path";
import type { Resource } from "@kumiko/plugin-api";
import { ToolFailed } from "@kumiko/plugin-api";

/** A folder as the workspace: absolute; a relative one counts from where the process was started. */
export const workspaceRoot = (root: string): string => resolve(root);

/** The resource of a file or folder, by its absolute, normalised path. */
export const fileResource = (base: string, path: string, mode: Resource["mode"]): Resource => ({
  key: `file:${resolve(base, path)}`,
  mode,
});

/** The absolute path of what a model named. Fails where no file can have that name. */
export const absolutePath = (base: string, path: string): string => {
  if (path === "" || path.includes("\0"))
    throw new ToolFailed({
      kind: "validation",
      detail: path === "" ? "the path is empty." : "the path holds a NUL character.",
      hint: "Give the path of a file, relative to the working folder.",
    });
  return resolve(base, path);
};

/** A path as results show it: relative where it is below `base`, else absolute. */
export const fromBase = (base: string, path: string): string => {
  const short = relative(base, path);
  return short === ".." || short.startsWith("../") || isAbsolute(short) ? path : short;
};
