import { strictest } from "@kumiko/plugin-api";
import { pathsOf, type PreparedCall } from "./decideCall.ts";
import type { PatternLinks } from "./patternLinks.node.ts";
import type { PermissionRules } from "./PermissionRules.ts";

/**
 * A command with what its patterns find by way of symlinks, as if it named that: `rm -rf a*` `/etc` with a link `ab`
 * is `rm -rf ab/etc` as well. Where there were too many files to tell, it is asked about, or denied in `auto`.
 */
export const behindPatterns = (
  prepared: PreparedCall,
  rules: PermissionRules,
  links: ReadonlyMap<string, PatternLinks>,
): PreparedCall => {
  const { call, command } = prepared;
  if (command === undefined || links.size === 0) return prepared;
  const led = prepared.patterns.flatMap(({ kind, mode, path }) =>
    (links.get(path)?.paths ?? []).map((target) => ({ kind, mode, target })),
  );
  const isCut = [...links.values()].some((found) => found.isCut);
  if (led.length === 0 && !isCut) return prepared;
  const found = {
    ...command,
    resources: [...command.resources, ...led.map(({ mode, target }) => ({ key: `file:${certainPath(target)}`, mode }))],
    effects: [...command.effects, ...led.map(({ kind, target }) => ({ kind, target }))],
  };
  const judged = isCut
    ? strictest([
        found,
        {
          ...found,
          verdict: rules.mode === "auto" ? "deny" : "ask",
          layer: "workspace",
          rule: "pattern",
          reason: "its pattern finds too many files to say where their symlinks lead",
        },
      ])
    : found;
  return { ...prepared, command: judged, paths: pathsOf(call, judged, rules) };
};

// Behind the link, what holds the files of another pattern.
const certainPath = (path: string): string => path.replace(/\/[^/]*[*?[].*$/s, "") || "/";
