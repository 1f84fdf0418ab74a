import { canonicalJson, type ProposedCall } from "@kumiko/plugin-api";
import { type EffectRule, effectRuleProblem, parseEffectRule } from "./EffectRule.ts";
import { compileGlob, type Glob, globProblem } from "./Glob.ts";
import { canonicalHost } from "./HostAddress.ts";
import { hostOf } from "./hostOf.ts";
import { expandHome, pathKey, resolvePath } from "./PathKey.ts";

/** A rule as configured: over commands, over a tool, or over some calls of a tool. */
export type ToolRule =
  | { readonly type: "command"; readonly source: string }
  | ({ readonly type: "effect" } & EffectRule)
  | { readonly type: "tool"; readonly source: string; readonly name: Glob; readonly pattern: string | undefined };

const call = /^([\w*?-]{1,64})\((.*)\)$/s;

/**
 * Reads a rule. `tool:<name>` is about every call of the tools of that name, `<name>(<glob>)` about those whose subject
 * fits: the command, each file (relative globs start at the working folder), each host, or else the input as canonical
 * JSON. `read:<glob>`, `write:<glob>` and `connect:<glob>` are about files and hosts, whatever tool or command is at
 * them. Anything else is a glob over commands, of whatever tool.
 *
 * @example
 * ```ts
 * parseRule("file_write(src/**)").type // => "tool"
 * parseRule("git push *").type // => "command"
 * ```
 */
export const parseRule = (source: string): ToolRule => {
  if (source.startsWith("tool:"))
    return { type: "tool", source, name: compileGlob(source.slice("tool:".length)), pattern: undefined };
  const effect = parseEffectRule(source);
  if (effect !== undefined) return { type: "effect", ...effect };
  const [, name, pattern] = call.exec(source) ?? [];
  return name === undefined || pattern === undefined
    ? { type: "command", source }
    : { type: "tool", source, name: compileGlob(name), pattern };
};

/** Why a text cannot be a rule, or undefined. */
export const ruleProblem = (source: string): string | undefined => {
  if (source.startsWith("tool:"))
    return /^tool:[\w*?-]{1,64}$/.test(source) ? undefined : "tool: must be followed by a tool's name or a glob of it";
  const effect = parseEffectRule(source);
  if (effect !== undefined) return effectRuleProblem(effect);
  const [, , pattern] = call.exec(source) ?? [];
  if (pattern === undefined && /^[A-Za-z_][\w-]*\(/.test(source)) return "a bracket is opened and never closed";
  return pattern === undefined ? globProblem(source) : globProblem(pattern);
};

/** What a rule with a glob is held against. */
export interface RuleSubject {
  readonly kind: "file" | "host" | "input";
  readonly mode: "read" | "write";
  readonly text: string;
}

/** The subjects of a call that runs no command. */
export const subjectsOf = (call: ProposedCall): ReadonlyArray<RuleSubject> => {
  const named = call.resources.flatMap(({ key, mode }): ReadonlyArray<RuleSubject> => {
    if (key.startsWith("file:")) return [{ kind: "file", mode, text: resolvePath("/", key.slice("file:".length)) }];
    return key.startsWith("net:") ? [{ kind: "host", mode, text: key.slice("net:".length) }] : [];
  });
  return named.length > 0 ? named : [{ kind: "input", mode: "write", text: canonicalJson(call.input) }];
};

/** Whether a rule about tools or effects fits a call of that tool with this subject. */
export const fitsCall = (
  rule: RuleAboutCalls,
  tool: string,
  subject: RuleSubject,
  place: RulePlace,
  strictness: Strictness,
): boolean => (rule.type === "effect" || rule.name.matches(tool)) && fitsSubject(rule, subject, place, strictness);

/** A rule about calls, not commands. */
export type RuleAboutCalls = Exclude<ToolRule, { readonly type: "command" }>;

interface RulePlace {
  readonly cwd: string;
  readonly home: string;
}

/** `strict`: exact spelling, for allowances; otherwise any spelling. */
type Strictness = "strict" | "any-spelling";

/** Whether a rule fits a subject, whatever the tool. */
export const fitsSubject = (
  rule: RuleAboutCalls,
  subject: RuleSubject,
  place: RulePlace,
  strictness: Strictness,
): boolean => {
  const { pattern } = rule;
  if (rule.type === "effect" && !isAbout(rule, subject)) return false;
  if (pattern === undefined) return true;
  if (subject.kind === "input") return compileGlob(pattern).matches(subject.text);
  if (subject.kind === "host") {
    const host = canonicalHost(hostOf(subject.text) ?? "");
    return host !== undefined && compileGlob(pattern.toLowerCase()).matches(host);
  }
  const absolute = resolvePath(place.cwd, expandHome(pattern, place.home));
  if (strictness === "strict") return compileGlob(absolute).matches(subject.text);
  const path = pathKey(subject.text);
  return [absolute, pattern].some((glob) => compileGlob(pathKey(glob)).matches(path));
};

const isAbout = ({ kind }: EffectRule, subject: RuleSubject): boolean =>
  kind === "connect" ? subject.kind === "host" : subject.kind === "file" && subject.mode === kind;
