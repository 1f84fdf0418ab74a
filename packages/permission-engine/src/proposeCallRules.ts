import type { Decision } from "@kumiko/plugin-api";
import type { CommandPolicy } from "./CommandPolicy.ts";
import { resolvePath } from "./PathKey.ts";
import { proposeRules } from "./proposeRules.ts";
import { ruleProblem } from "./ToolRule.ts";

/** A call that somebody is asked about. */
export interface AskedCall {
  readonly tool: string;
  /** The command it would run, where it is one. */
  readonly command?: string;
  /** Why it is asked. */
  readonly decision: Decision;
}

/**
 * The rules that a user who is asked about a call could be offered, each no broader than the call: of a command those of
 * {@link proposeRules}; of a tool that writes one file, that tool with that very file. Empty, with the reason, where
 * there is none: a `deny` or `ask` rule would stay above it, the file is sensitive, lies outside or behind a link.
 *
 * @example
 * ```ts
 * const policy = { allow: [], deny: [], cwd: "/srv/project", home: "/home/u" }
 * const command = "git add src && npm run deploy"
 * const decision = decideCommand(command, policy)
 * proposeCallRules({ tool: "bash", command, decision }, policy).rules // => ["git add src", "npm run deploy"]
 * ```
 */
export const proposeCallRules = (
  { command, decision, tool }: AskedCall,
  policy: CommandPolicy,
): { readonly rules: ReadonlyArray<string>; readonly whyNone?: string } => {
  if (decision.layer === "ask-rule") return none("a rule of yours asks about it every time");
  if (command !== undefined) {
    const rules = proposeRules(command, policy);
    return rules.length > 0 ? { rules } : none("no rule for it would be both enough and no broader than this command");
  }
  const written = decision.resources.filter(({ mode }) => mode === "write").map(({ key }) => key);
  const [only, ...others] = new Set(written);
  if (only === undefined || !only.startsWith("file:") || others.length > 0)
    return none("only a call that writes one file, under one name, can be allowed by a rule here");
  if (decision.layer !== "workspace" || decision.rule !== "write")
    return none("the place it writes to is asked about every time");
  const path = resolvePath("/", only.slice("file:".length));
  const within = path.startsWith(`${policy.cwd}/`) ? path.slice(policy.cwd.length + 1) : path;
  const rule = `${tool}(${within})`;
  return /[*?]/.test(rule) || !/^[\w-]{1,64}\(/.test(rule) || ruleProblem(rule) !== undefined
    ? none("its name holds what a rule reads as a wildcard")
    : { rules: [rule] };
};

const none = (whyNone: string) => ({ rules: [], whyNone });
