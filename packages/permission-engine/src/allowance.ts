import type { Decision, ProposedCall } from "@kumiko/plugin-api";
import type { PermissionRules } from "./PermissionRules.ts";
import { fitsCall, type RuleSubject } from "./ToolRule.ts";

/** The tool rule that allows a call with all of these subjects, as written. */
export const allowance = (
  { call, rules }: { readonly call: ProposedCall; readonly rules: PermissionRules },
  subjects: ReadonlyArray<RuleSubject>,
): string | undefined =>
  rules.allow.find((rule) =>
    subjects.every((subject) => fitsCall(rule, call.name, subject, { cwd: call.cwd, home: rules.home }, "strict")),
  )?.source;

/** The same decision, allowed by a rule. */
export const allowedBy = (decision: Decision, rule: string): Decision => ({
  ...decision,
  verdict: "allow",
  layer: "allow-rule",
  rule,
  reason: `the rule ${JSON.stringify(rule)} allows it`,
});
