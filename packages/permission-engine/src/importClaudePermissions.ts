import type { PermissionMode } from "./CommandPolicy.ts";
import { translateClaudeRule } from "./claudeRule.ts";
import type { RuleList } from "./ruleExamples.ts";
import { ruleProblem } from "./ToolRule.ts";

/** Something that could not be taken over as it is. */
export interface ImportWarning {
  /** The field it stands in: `allow`, `deny`, `ask`, `additionalDirectories`, `defaultMode`. */
  readonly field: string;
  /** As it stands there, cut. */
  readonly entry: string;
  /** What became of it: left out, or taken over more strictly than it was. */
  readonly outcome: "left-out" | "stricter";
  readonly reason: string;
}

/** Settings for the engine, made from those of Claude Code. */
export interface ImportedPermissions {
  readonly allow: ReadonlyArray<string>;
  readonly deny: ReadonlyArray<string>;
  readonly ask: ReadonlyArray<string>;
  readonly workspaceRoots: ReadonlyArray<string>;
  readonly mode?: PermissionMode;
  /** A denial that was left out has to be written by hand: until then less is denied than there. */
  readonly warnings: ReadonlyArray<ImportWarning>;
}

/** More entries of one list are not read. */
const mostEntries = 2000;

/** A longer entry is no rule that anybody wrote. */
const mostOfEntry = 4096;

const modes: ReadonlyMap<string, PermissionMode> = new Map([
  ["default", "ask"],
  ["acceptEdits", "accept-edits"],
  ["plan", "plan"],
]);

/**
 * Takes over the permissions in Claude Code's settings (the content of a `settings.json`). What cannot be said the same
 * way becomes stricter or is left out, each with a warning; nothing becomes broader. A mode that asks nobody is left out.
 * Pure and total: settings of any shape are answered.
 *
 * @example
 * ```ts
 * importClaudePermissions({ permissions: { allow: ["Bash(npm run test:*)"] } }).allow
 * // => ["bash(npm run test)", "bash(npm run test *)"]
 * ```
 */
export const importClaudePermissions = (settings: unknown): ImportedPermissions => {
  const warnings: Array<ImportWarning> = [];
  const warn = (field: string, entry: unknown, outcome: ImportWarning["outcome"], reason: string): void => {
    warnings.push({ field, entry: shown(entry), outcome, reason });
  };
  const permissions = fieldOf(settings, "permissions");
  const entries = (field: string): ReadonlyArray<string> => {
    const value = fieldOf(permissions, field);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      warn(field, value, "left-out", "it is no list");
      return [];
    }
    if (value.length > mostEntries)
      warn(field, `${value.length} entries`, "left-out", `only the first ${mostEntries} are read`);
    return value.slice(0, mostEntries).flatMap((entry: unknown) => {
      if (typeof entry === "string") return [entry];
      warn(field, entry, "left-out", "it is no text");
      return [];
    });
  };
  const rules = (list: RuleList): ReadonlyArray<string> => {
    const found = new Set<string>();
    for (const entry of entries(list)) {
      if (entry.length > mostOfEntry) {
        warn(list, entry, "left-out", `it is longer than ${mostOfEntry} characters`);
        continue;
      }
      const { rules: translated, warning } = translateClaudeRule(entry, list);
      const unusable = translated.map(ruleProblem).find((problem) => problem !== undefined);
      if (unusable !== undefined) {
        warn(list, entry, "left-out", unusable);
        continue;
      }
      if (warning !== undefined) warn(list, entry, translated.length === 0 ? "left-out" : "stricter", warning);
      for (const rule of translated) found.add(rule);
    }
    return [...found];
  };
  const roots = entries("additionalDirectories").filter((path) => {
    const isUsable = /^(?:\/|~\/|~$)/.test(path) && !path.includes("\0");
    if (!isUsable) warn("additionalDirectories", path, "left-out", "a folder must be absolute or start with ~/");
    return isUsable;
  });
  const named = fieldOf(permissions, "defaultMode");
  const mode = typeof named === "string" ? modes.get(named) : undefined;
  if (named !== undefined && mode === undefined)
    warn("defaultMode", named, "stricter", "the mode stays ask: one that asks nobody has to be chosen here by hand");
  return {
    allow: rules("allow"),
    deny: rules("deny"),
    ask: rules("ask"),
    workspaceRoots: [...new Set(roots)],
    ...(mode === undefined ? {} : { mode }),
    warnings,
  };
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;

const shown = (entry: unknown): string => (typeof entry === "string" ? entry : typeof entry).slice(0, 200);
