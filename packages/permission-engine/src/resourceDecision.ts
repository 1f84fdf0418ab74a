import { type Decision, type ProposedCall, type Resource, strictest } from "@kumiko/plugin-api";
import { allowance, allowedBy } from "./allowance.ts";
import { decideHost } from "./decideHost.ts";
import { decidePath, type PathPolicy } from "./decidePath.ts";
import { resolvePath } from "./PathKey.ts";
import type { PermissionRules } from "./PermissionRules.ts";

/** Where the files of a call lead: by path, what following its symlinks gave. `undefined` for one nobody could follow. */
export type RealPaths = ReadonlyMap<string, string | undefined>;

/** What a call is judged with. */
export interface CallScope {
  readonly call: ProposedCall;
  readonly rules: PermissionRules;
  readonly real: RealPaths;
}

/** The path in a file's resource key, or undefined. */
export const filePath = (key: string): string | undefined =>
  key.startsWith("file:") ? key.slice("file:".length) : undefined;

/** Decides about a file or a host that a tool declares, allowances included; undefined for any other resource. */
export const resourceDecision = (scope: CallScope, { key, mode }: Resource): Decision | undefined => {
  const { call, rules } = scope;
  const path = filePath(key);
  if (path !== undefined) {
    const policy = placeOf(scope);
    const decision = strictest([decidePath({ path, mode }, policy), followed(scope, path, mode, policy)]);
    // The command's own analysis has spoken about writing in the workspace.
    if (call.command !== undefined && decision.verdict === "ask" && isPlainWrite(decision)) return undefined;
    return decision.verdict === "ask" ? lifted(scope, decision, path, mode) : decision;
  }
  if (!key.startsWith("net:")) return undefined;
  const host = key.slice("net:".length);
  const decision = decideHost({ host, mode }, { allow: rules.hosts, mode: rules.mode });
  const rule = decision.verdict === "ask" ? allowance(scope, [{ kind: "host", mode, text: host }]) : undefined;
  return rule === undefined ? decision : allowedBy(decision, rule);
};

/**
 * What a command's resource adds to the command's own decision: a symlink may lead its file somewhere else than the
 * name says, and a metadata address is no host for any tool.
 */
export const behindCommand = (scope: CallScope, { key, mode }: Resource): Decision | undefined => {
  const path = filePath(key);
  const { rules } = scope;
  if (path === undefined) {
    const decision = decideHost({ host: key.replace(/^net:/, ""), mode }, { allow: ["*"] });
    return decision.verdict === "deny" ? decision : undefined;
  }
  const policy = { ...placeOf(scope), mode: rules.mode === "auto" ? ("auto" as const) : ("accept-edits" as const) };
  const named = decidePath({ path, mode }, policy);
  const led = followed(scope, path, mode, policy);
  return strictest([named, led]) === named ? undefined : led;
};

const isPlainWrite = ({ resources, risk, rule, layer }: Decision): boolean =>
  layer === "workspace" && risk === "local-write" && rule === "write" && resources.length > 0;

const placeOf = ({ call, rules, real }: CallScope): PathPolicy => {
  const roots = [call.cwd, ...rules.workspaceRoots];
  return {
    cwd: call.cwd,
    home: rules.home,
    // Both names of each folder: the workspace may itself lie behind a symlink.
    workspaceRoots: [...roots, ...roots.flatMap((root) => real.get(root) ?? [])],
    mode: rules.mode,
  };
};

const followed = ({ real }: CallScope, path: string, mode: Resource["mode"], policy: PathPolicy): Decision => {
  const target = real.get(path);
  const decision = decidePath({ path: target ?? path, mode }, policy);
  if (target !== undefined) return target === path ? decision : { ...decision, part: `${path} -> ${target}` };
  const verdict = policy.mode === "auto" ? "deny" : "ask";
  return strictest([
    decision,
    { ...decision, verdict, layer: "workspace", rule: "unresolved", reason: "where the path leads cannot be told" },
  ]);
};

// A rule lifts a question about a file when it fits both names of it; one about a sensitive file or a path that leads
// nowhere known, only when it names that file without a wildcard.
const lifted = (scope: CallScope, decision: Decision, path: string, mode: Resource["mode"]): Decision => {
  const target = scope.real.get(path) ?? path;
  const subjects = [path, inWorkspaceTerms(scope, target)].map((text) => ({
    kind: "file" as const,
    mode,
    text: resolvePath("/", text),
  }));
  const rule = allowance(scope, subjects);
  const isSpecial = decision.rule !== undefined && decision.rule !== "write" && decision.rule !== "outside";
  return rule === undefined || (isSpecial && /[*?]|^tool:/.test(rule)) ? decision : allowedBy(decision, rule);
};

// A file behind a symlinked workspace keeps the name that rules are written for.
const inWorkspaceTerms = ({ call, rules, real }: CallScope, target: string): string => {
  for (const root of [call.cwd, ...rules.workspaceRoots]) {
    const realRoot = real.get(root);
    if (realRoot !== undefined && target.startsWith(`${realRoot}/`)) return root + target.slice(realRoot.length);
  }
  return target;
};
