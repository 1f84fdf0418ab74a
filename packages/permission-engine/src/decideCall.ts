import {
  type CommandEffect,
  type Decision,
  type ProposedCall,
  type Resource,
  type Risk,
  strictest,
  worseRisk,
} from "@kumiko/plugin-api";
import { allowance, allowedBy } from "./allowance.ts";
import { behindLinks, folderOf } from "./behindLinks.ts";
import { decideCommand } from "./decideCommand.ts";
import { resolvePath } from "./PathKey.ts";
import { type PatternTarget, patternTargets } from "./patternTargets.ts";
import type { PermissionRules } from "./PermissionRules.ts";
import { behindCommand, type CallScope, filePath, type RealPaths, resourceDecision } from "./resourceDecision.ts";
import { fitsCall, type RuleSubject, subjectsOf } from "./ToolRule.ts";

/** More effects than this are not listed; the risk counts all. */
const mostEffects = 128;

/** A call with what is known of it before its symlinks are followed. */
export interface PreparedCall {
  readonly call: ProposedCall;
  readonly command: Decision | undefined;
  /** The files whose symlinks have to be followed, the workspace's folders among them. */
  readonly paths: ReadonlyArray<string>;
  /** What its command names by patterns: symlinks may be among what they find. */
  readonly patterns: ReadonlyArray<PatternTarget>;
}

/** Analyses the command of a call, where it has one, and says which symlinks matter. */
export const prepareCall = (call: ProposedCall, rules: PermissionRules): PreparedCall => {
  const policy = rules.commandPolicy(call.name, call.cwd);
  const command = call.command === undefined ? undefined : decideCommand(call.command, policy);
  const patterns = call.command === undefined ? [] : patternTargets(call.command, policy);
  return { call, command, paths: pathsOf(call, command, rules), patterns };
};

/** The files of a call, and of its command, whose symlinks have to be followed. */
export const pathsOf = (
  call: ProposedCall,
  command: Decision | undefined,
  rules: PermissionRules,
): ReadonlyArray<string> => {
  const files = [...call.resources, ...(command?.resources ?? [])].flatMap(({ key }) => filePath(key) ?? []);
  // What is taken away is judged by the folder it is taken from.
  for (const { kind, target } of command?.effects ?? [])
    if (kind === "delete" && target.startsWith("/")) files.push(folderOf(target));
  // Without files there is nothing to follow: most calls cost no look-up.
  const absolute =
    files.length === 0 ? [] : [call.cwd, ...rules.workspaceRoots, ...files].filter((path) => path.startsWith("/"));
  return [...new Set(absolute)];
};

/**
 * Decides about a call: its command, its files and hosts, or else its risk; the strictest word counts, then the rules
 * about tools. Pure: `real` says where the paths lead.
 */
export const decideCall = ({ call, command }: PreparedCall, rules: PermissionRules, real: RealPaths): Decision => {
  const scope: CallScope = { call, rules, real };
  const judged = [
    ...(command === undefined
      ? []
      : [
          command,
          ...command.resources.flatMap((at) => behindCommand(scope, at) ?? []),
          ...[behindLinks(scope, command) ?? []].flat(),
        ]),
    ...call.resources.flatMap((resource) => resourceDecision(scope, resource) ?? []),
  ];
  const [first, ...others] = judged;
  const found =
    first === undefined || !isRiskJudged(scope)
      ? strictest([riskDecision(scope), ...judged])
      : strictest([first, ...others]);
  const decision = { ...found, ...together(scope, judged) };
  return found.verdict === "hard-block" ? decision : ruled(scope, decision, command);
};

// The rules about calls. Those about commands have been applied to the command, and of those about effects what is left
// is where its symlinks lead.
const ruled = (scope: CallScope, decision: Decision, command: Decision | undefined): Decision => {
  const { rules } = scope;
  const subjects = command === undefined ? calledSubjects(scope) : ledSubjects(scope, command.resources);
  const denial = ruleAbout(scope, rules.deny, subjects, command !== undefined);
  if (denial !== undefined)
    return {
      ...decision,
      verdict: "deny",
      layer: "deny-rule",
      rule: denial,
      reason: `the rule ${JSON.stringify(denial)} denies it`,
    };
  const asking =
    decision.verdict === "allow" && rules.mode !== "auto"
      ? ruleAbout(scope, rules.ask, subjects, command !== undefined)
      : undefined;
  return asking === undefined
    ? decision
    : {
        ...decision,
        verdict: "ask",
        layer: "ask-rule",
        rule: asking,
        reason: `the rule ${JSON.stringify(asking)} asks about it`,
      };
};

const ruleAbout = (
  { call, real, rules }: CallScope,
  list: PermissionRules["deny"],
  subjects: ReadonlyArray<RuleSubject>,
  onlyEffects: boolean,
): string | undefined => {
  // The folder that relative rules start at goes by two names, too.
  const places = [call.cwd, ...[real.get(call.cwd) ?? []].flat()].map((cwd) => ({ cwd, home: rules.home }));
  return list.find(
    (rule) =>
      (!onlyEffects || rule.type === "effect") &&
      subjects.some((subject) => places.some((place) => fitsCall(rule, call.name, subject, place, "any-spelling"))),
  )?.source;
};

// A file goes by its name and by where its symlinks lead.
const calledSubjects = (scope: CallScope): ReadonlyArray<RuleSubject> => [
  ...subjectsOf(scope.call),
  ...ledSubjects(scope, scope.call.resources),
];

const ledSubjects = ({ real }: CallScope, resources: ReadonlyArray<Resource>): ReadonlyArray<RuleSubject> =>
  resources.flatMap(({ key, mode }) => {
    const path = filePath(key);
    const led = path === undefined ? undefined : (real.get(path) ?? real.get(resolvePath("/", path)));
    return led === undefined || led === path ? [] : [{ kind: "file" as const, mode, text: led }];
  });

// Whether what the call touches has been judged for all that its risk says.
const isRiskJudged = ({ call, rules }: CallScope): boolean => {
  // A text that is typed into a program may be more than the command that it reads like.
  if (call.command !== undefined) return call.risk !== "irreversible";
  const writes = call.resources.filter((resource) => resource.mode === "write");
  if (rules.mode === "plan" || !writes.every(({ key }) => /^(?:file|net):/.test(key))) return false;
  switch (call.risk) {
    case "read":
      return true;
    case "local-write":
      return writes.length > 0;
    case "remote-write":
      return writes.some(({ key }) => key.startsWith("net:"));
    case "irreversible":
      return false;
  }
};

const riskDecision = (scope: CallScope): Decision => {
  const { call, rules } = scope;
  const base = { risk: call.risk, resources: call.resources, effects: [], part: call.name } as const;
  const isRead = call.risk === "read" && call.resources.every((resource) => resource.mode === "read");
  if (isRead) return { ...base, verdict: "allow", layer: "default", reason: "it only reads" };
  if (rules.mode === "plan")
    return { ...base, verdict: "deny", layer: "mode", rule: "plan", reason: "in plan mode only reading is allowed" };
  const asking: Decision = {
    ...base,
    verdict: "ask",
    layer: "default",
    reason: `no rule allows this ${call.risk} call`,
  };
  const rule = allowance(scope, subjectsOf(call));
  if (rule !== undefined) return allowedBy(asking, rule);
  return rules.mode === "auto"
    ? { ...asking, verdict: "allow", layer: "mode", rule: "auto", reason: "auto mode allows what no rule denies" }
    : asking;
};

const together = (
  { call, real }: CallScope,
  decisions: ReadonlyArray<Decision>,
): Pick<Decision, "risk" | "resources" | "effects"> => {
  const resources = new Map<string, Resource>();
  const effects: Array<CommandEffect> = [];
  // A command's risk is what its analysis says, not what the tool could do at worst.
  let risk: Risk = call.command === undefined || call.risk === "irreversible" ? call.risk : "read";
  for (const resource of call.resources) resources.set(`${resource.mode} ${resource.key}`, resource);
  for (const decision of decisions) {
    risk = worseRisk(risk, decision.risk);
    for (const resource of decision.resources) resources.set(`${resource.mode} ${resource.key}`, resource);
    effects.push(...decision.effects.slice(0, mostEffects - effects.length));
  }
  // Whoever orders calls or keeps results has to know the file itself, not only a name of it.
  for (const { key, mode } of resources.values()) {
    const path = filePath(key);
    const led = path === undefined ? undefined : real.get(path);
    if (led !== undefined && led !== path) resources.set(`${mode} file:${led}`, { key: `file:${led}`, mode });
  }
  return { risk, resources: [...resources.values()], effects };
};
