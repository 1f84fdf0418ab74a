import type { Decision } from "@kumiko/plugin-api";
import { pathKey } from "./PathKey.ts";
import { type CallScope, filePath, type RealPaths } from "./resourceDecision.ts";
import { rootness } from "./TargetPath.ts";

/** The folder of a path. */
export const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));

/**
 * What a command does to a root that a symlink leads to: `rm -rf link/usr`, where `link` is `/`. To take away the link
 * itself takes away nothing else, so it is only asked about.
 */
export const behindLinks = ({ real, rules }: CallScope, command: Decision): Decision | undefined => {
  const deleted = new Set(command.effects.flatMap(({ kind, target }) => (kind === "delete" ? [target] : [])));
  for (const { key, mode } of command.resources) {
    const path = filePath(key);
    if (path === undefined || mode === "read") continue;
    const within = ledFrom(real, folderOf(path), path.slice(path.lastIndexOf("/")));
    if (deleted.has(path) && within !== undefined && isRoot(within, rules.home))
      return {
        ...command,
        verdict: "hard-block",
        layer: "hard-block",
        rule: "recursive-delete-of-root",
        part: `${path} -> ${within}`,
        reason: `it takes away ${within}, where a symlink leads`,
      };
    const led = real.get(path);
    if (led === undefined || led === path || !isRoot(led, rules.home)) continue;
    return {
      ...command,
      verdict: rules.mode === "auto" ? "deny" : "ask",
      layer: "workspace",
      rule: "symlink-to-root",
      part: `${path} -> ${led}`,
      reason: `it changes what is in ${led}, where a symlink leads`,
    };
  }
  return undefined;
};

const ledFrom = (real: RealPaths, folder: string, name: string): string | undefined => {
  const led = real.get(folder);
  return led === undefined || led === folder ? undefined : `${led === "/" ? "" : led}${name}`;
};

const isRoot = (path: string, home: string): boolean => rootness(pathKey(path), home) === "root";
