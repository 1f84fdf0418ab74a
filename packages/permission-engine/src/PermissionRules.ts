import type { CommandPolicy, PermissionMode } from "./CommandPolicy.ts";
import type { PermissionConfig } from "./PermissionConfig.ts";
import { expandHome, resolvePath } from "./PathKey.ts";
import { type ConfiguredRule, ruleText } from "./ConfiguredRule.ts";
import { parseRule, type RuleAboutCalls, type ToolRule } from "./ToolRule.ts";

/** The settings, ready for use. */
export interface PermissionRules {
  readonly mode: PermissionMode;
  readonly home: string;
  readonly workspaceRoots: ReadonlyArray<string>;
  readonly hosts: ReadonlyArray<string>;
  readonly allow: ReadonlyArray<RuleAboutCalls>;
  readonly deny: ReadonlyArray<RuleAboutCalls>;
  readonly ask: ReadonlyArray<RuleAboutCalls>;
  /** What the commands of a tool are judged by, in a folder. The same policy object for the same two. */
  readonly commandPolicy: (tool: string, cwd: string) => CommandPolicy;
}

/** A run has few tools that run commands and few folders; beyond this the oldest policies are made anew. */
const mostPolicies = 64;

/** Reads the settings. `home` is used where they name none. */
export const permissionRules = (config: PermissionConfig, systemHome: string): PermissionRules => {
  const home = resolvePath("/", config.home ?? systemHome);
  const mode = config.mode ?? "ask";
  const workspaceRoots = (config.workspaceRoots ?? []).map((root) => resolvePath("/", expandHome(root, home)));
  const rules = {
    allow: (config.allow ?? []).map(readRule),
    deny: (config.deny ?? []).map(readRule),
    ask: (config.ask ?? []).map(readRule),
  };
  const policies = new Map<string, CommandPolicy>();
  const commandPolicy = (tool: string, cwd: string): CommandPolicy => {
    const key = `${tool}\0${cwd}`;
    const found = policies.get(key);
    if (found !== undefined) return found;
    const globs = (list: ReadonlyArray<ToolRule>): ReadonlyArray<string> =>
      list.flatMap((rule) => commandGlob(rule, tool) ?? []);
    const made = {
      allow: globs(rules.allow),
      deny: globs(rules.deny),
      ask: globs(rules.ask),
      cwd,
      home,
      mode,
      workspaceRoots,
    };
    const [oldest] = policies.keys();
    if (policies.size >= mostPolicies && oldest !== undefined) policies.delete(oldest);
    policies.set(key, made);
    return made;
  };
  return {
    mode,
    home,
    workspaceRoots,
    hosts: config.network?.allow ?? [],
    allow: rules.allow.filter(isAboutTools),
    deny: rules.deny.filter(isAboutTools),
    ask: rules.ask.filter(isAboutTools),
    commandPolicy,
  };
};

const readRule = (configured: ConfiguredRule): ToolRule => parseRule(ruleText(configured));

const isAboutTools = (rule: ToolRule): rule is RuleAboutCalls => rule.type !== "command";

const commandGlob = (rule: ToolRule, tool: string): string | undefined => {
  if (rule.type !== "tool") return rule.source;
  return rule.name.matches(tool) ? (rule.pattern ?? "*") : undefined;
};

/**
 * What the commands of a tool are judged by under these settings, for `decideCommand` and `explainCommand`. `home` is
 * used where the settings name none.
 */
export const commandPolicy = (
  config: PermissionConfig,
  { cwd, home, tool = "bash" }: { readonly cwd: string; readonly home: string; readonly tool?: string },
): CommandPolicy => permissionRules(config, home).commandPolicy(tool, cwd);
