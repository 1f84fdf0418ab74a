import { canonicalJson, type ProposedCall } from "@kumiko/plugin-api";
import { compileGlob, type Glob, globProblem } from "./Glob.ts";
import { canonicalHost } from "./HostAddress.ts";
import { hostOf } from "./hostOf.ts";
import { expandHome, pathKey, resolvePath } from "./PathKey.ts";

/** A rule as configured: over commands, over a tool, or over some calls of a tool. */
export type ToolRule =
  | { readonly type: "command"; readonly source: string }
  | { readonly type: "tool"; readonly source: string; readonly name: Glob; readonly pattern: string | undefined };

const call = /^([\w*?-]{1,64})\((.*)\)$/s;

/**
 * Reads a rule. `tool:<name>` is about every call of the tools of that name, `<name>(<glob>)` about those whose subject
 * fits: the command, each file (relative globs start at the working folder), each host, or else the input as canonical
 * JSON. Anything else is a glob over commands, of whatever tool.
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
  const [, name, pattern] = call.exec(source) ?? [];
  return name === undefined || pattern === undefined
    ? { type: "command", source }
    : { type: "tool", source, name: compileGlob(name), pattern };
};

/** Why a text cannot be a rule, or undefined. */
export const ruleProblem = (source: string): string | undefined => {
  if (source.startsWith("tool:"))
    return /^tool:[\w*?-]{1,64}$/.test(source) ? undefined : "tool: must be followed by a tool's name or a glob of it";
  const [, , pattern] = call.exec(source) ?? [];
  if (pattern === undefined && /^[A-Za-z_][\w-]*\(/.test(source)) return "a bracket is opened and never closed";
  return pattern === undefined ? globProblem(source) : globProblem(pattern);
};

/** What a rule with a glob is held against. */
export interface RuleSubject {
  readonly kind: "file" | "host" | "input";
  readonly text: string;
}

/** The subjects of a call that runs no command. */
export const subjectsOf = (call: ProposedCall): ReadonlyArray<RuleSubject> => {
  const named = call.resources.flatMap(({ key }): ReadonlyArray<RuleSubject> => {
    if (key.startsWith("file:")) return [{ kind: "file", text: resolvePath("/", key.slice("file:".length)) }];
    return key.startsWith("net:") ? [{ kind: "host", text: key.slice("net:".length) }] : [];
  });
  return named.length > 0 ? named : [{ kind: "input", text: canonicalJson(call.input) }];
};

/** Whether a tool rule's glob fits a subject. `strict`: exact spelling, for allowances; otherwise any spelling. */
export const fitsSubject = (
  pattern: string | undefined,
  subject: RuleSubject,
  place: { readonly cwd: string; readonly home: string },
  strictness: "strict" | "any-spelling",
): boolean => {
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
