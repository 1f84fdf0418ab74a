import type { Decision, Verdict } from "@kumiko/plugin-api";
import { analyseCommand } from "./analyseCommand.ts";
import type { CommandAnalysis, CommandPart } from "./CommandPart.ts";
import { compilePolicy, type CommandPolicy, type CompiledPolicy } from "./CommandPolicy.ts";
import { type CommandEffects, effectsOf } from "./effectsOf.ts";
import type { Glob } from "./Glob.ts";
import { type HardFinding, hardFindings } from "./hardBlock.ts";
import { isHarmlessVariable } from "./knowledge/environment.ts";
import { fileConcern } from "./fileConcern.ts";
import { safeEntry } from "./safeList.ts";
import { normalised, ruleAgainst, ruleFor } from "./Spelling.ts";

/** What one part of a command came to. */
export interface PartExplanation {
  /** The part as rules see it. */
  readonly part: string;
  readonly source: string;
  readonly verdict: Verdict;
  readonly rule?: string;
  readonly reason: string;
}

/** A decision, and how it came about. */
export interface Explanation {
  readonly decision: Decision;
  readonly parts: ReadonlyArray<PartExplanation>;
}

/**
 * Decides about a Bash command, in layers: ① fixed refusals, ② denials, ③ every part of a compound, ④ allowances and
 * the safe list, ⑤ the user. Pure, total, deterministic. What cannot be understood is never allowed.
 *
 * @example
 * ```ts
 * const policy = { allow: ["go test *"], deny: ["git push *"], cwd: "/srv/project", home: "/home/u" }
 * decideCommand("go test ./... && git push origin", policy).verdict // => "deny"
 * ```
 */
export const decideCommand = (command: string, policy: CommandPolicy): Decision => {
  const compiled = compilePolicy(policy);
  const analysis = analyseCommand(command, compiled);
  return decide(command, analysis, compiled, hardFindings(analysis, compiled.home));
};

/** As {@link decideCommand}, with the parts the command was taken into and what was thought of each. */
export const explainCommand = (command: string, policy: CommandPolicy): Explanation => {
  const compiled = compilePolicy(policy);
  const analysis = analyseCommand(command, compiled);
  const hard = hardFindings(analysis, compiled.home);
  return {
    decision: decide(command, analysis, compiled, hard),
    parts: analysis.parts.filter((part) => !part.isImplied).map((part) => explainPart(part, analysis, compiled, hard)),
  };
};

type Ground = Pick<Decision, "verdict" | "layer" | "reason"> & { readonly rule?: string; readonly part?: string };

const decide = (
  command: string,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): Decision => {
  const effects = effectsOf(analysis, policy);
  const isEmpty = command.trim() === "";
  const ground: Ground = isEmpty
    ? { verdict: "deny", layer: "default", reason: "the command is empty" }
    : (refusal(command, analysis, policy, hard) ?? inMode(analysis, policy, effects, hard));
  return { ...ground, ...effects };
};

// Layers ① and ②: nothing lifts them.
const refusal = (
  command: string,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): Ground | undefined => {
  const blocked = hard.find((finding) => finding.kind === "block");
  if (blocked !== undefined) return { verdict: "hard-block", layer: "hard-block", ...about(blocked) };
  const whole = policy.deny.find((glob) => glob.matches(command.trim()));
  if (whole !== undefined) return denied(whole, command.trim());
  for (const part of analysis.parts) {
    const against = ruleAgainst(part, policy.deny);
    if (against?.isCertain === true) return denied(against.glob, normalised(part));
  }
  return undefined;
};

const about = ({ rule, reason, source }: HardFinding): Pick<Ground, "rule" | "reason" | "part"> => ({
  rule,
  part: shorten(source),
  reason: `${reason}; no rule or mode allows that`,
});

const denied = ({ source }: Glob, part: string): Ground => ({
  verdict: "deny",
  layer: "deny-rule",
  rule: source,
  part: shorten(part),
  reason: `the rule ${JSON.stringify(source)} denies it`,
});

const inMode = (
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  { risk }: CommandEffects,
  hard: ReadonlyArray<HardFinding>,
): Ground => {
  if (policy.mode === "plan" && risk !== "read")
    return {
      verdict: "deny",
      layer: "mode",
      rule: "plan",
      reason: `in plan mode only reading is allowed; this is ${risk}`,
    };
  const doubt = firstDoubt(analysis, policy, hard);
  if (doubt !== undefined)
    return policy.mode === "auto"
      ? { ...doubt, verdict: "deny", layer: "mode", reason: `${doubt.reason}; auto mode runs only what is understood` }
      : doubt;
  const asked = firstQuestion(analysis, policy);
  if (asked.verdict === "allow" || policy.mode !== "auto") return asked;
  return { verdict: "allow", layer: "mode", rule: "auto", reason: "auto mode allows what no rule denies" };
};

// What is not understood: never allowed, in no mode.
const firstDoubt = (
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  [grave]: ReadonlyArray<HardFinding>,
): Ground | undefined => {
  const layer = analysis.isSimple ? "default" : "compound";
  const [unread] = analysis.doubts;
  if (unread !== undefined)
    return { verdict: "ask", layer, part: shorten(unread.source), reason: `it is not understood: ${unread.reason}` };
  if (grave !== undefined)
    return { verdict: "ask", layer, rule: grave.rule, part: shorten(grave.source), reason: grave.reason };
  for (const part of analysis.parts) {
    const [doubt] = part.doubts;
    if (doubt !== undefined) return { verdict: "ask", layer, part: shorten(part.source), reason: doubt };
    const against = ruleAgainst(part, policy.deny) ?? ruleAgainst(part, policy.ask);
    if (against?.isCertain === false)
      return {
        verdict: "ask",
        layer,
        rule: against.glob.source,
        part: shorten(part.source),
        reason: `when it runs, it may be what the rule ${JSON.stringify(against.glob.source)} is about`,
      };
    const concern = fileConcern(part, policy);
    if (concern?.isDoubt === true) return { verdict: "ask", layer, part: shorten(part.source), reason: concern.reason };
  }
  return undefined;
};

// Layers ③ to ⑤: every part needs an allowance.
const firstQuestion = (analysis: CommandAnalysis, policy: CompiledPolicy): Ground => {
  const rules: Array<string> = [];
  for (const part of analysis.parts) {
    const asking = ruleAgainst(part, policy.ask);
    if (asking !== undefined)
      return {
        verdict: "ask",
        layer: "ask-rule",
        rule: asking.glob.source,
        part: shorten(normalised(part)),
        reason: `the rule ${JSON.stringify(asking.glob.source)} asks about it`,
      };
  }
  const safe = safeEntry(analysis, policy);
  for (const part of analysis.parts) {
    const rule = ruleFor(part, policy.allow);
    const concern = fileConcern(part, policy);
    if (concern !== undefined && rule?.source !== part.source)
      return { verdict: "ask", layer: "workspace", part: shorten(part.source), reason: concern.reason };
    if (needsNoRule(part)) continue;
    if (rule !== undefined) rules.push(rule.source);
    else if (safe !== undefined)
      return { verdict: "allow", layer: "safe-list", rule: safe.words, reason: `${safe.words} is on the safe list` };
    else return unallowed(part, analysis.isSimple);
  }
  const [first] = rules;
  if (first === undefined) return { verdict: "ask", layer: "default", reason: "no rule speaks about it" };
  return analysis.isSimple
    ? { verdict: "allow", layer: "allow-rule", rule: first, reason: `the rule ${JSON.stringify(first)} allows it` }
    : {
        verdict: "allow",
        layer: "compound",
        rule: [...new Set(rules)].join(", "),
        reason: "rules allow every part of it",
      };
};

const unallowed = (part: CommandPart, isSimple: boolean): Ground => ({
  verdict: "ask",
  layer: isSimple ? "default" : "compound",
  part: shorten(normalised(part)),
  reason: isSimple ? "no rule allows it" : "no rule allows this part, and in a compound command each part needs one",
});

const needsNoRule = (part: CommandPart): boolean =>
  part.isImplied ||
  part.carriesScript ||
  (part.levels.length === 0 &&
    part.redirects.length === 0 &&
    part.assigns.length > 0 &&
    part.assigns.every(isHarmlessVariable));

const explainPart = (
  part: CommandPart,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): PartExplanation => {
  const answer = (verdict: Verdict, reason: string, rule?: string): PartExplanation => ({
    part: normalised(part),
    source: part.source,
    verdict,
    reason,
    ...(rule === undefined ? {} : { rule }),
  });
  const fixed = hard.find((finding) => finding.part === part);
  if (fixed?.kind === "block") return answer("hard-block", fixed.reason, fixed.rule);
  const against = ruleAgainst(part, policy.deny);
  if (against?.isCertain === true) return answer("deny", "a rule denies it", against.glob.source);
  const doubt = fixed?.reason ?? part.doubts[0];
  if (doubt !== undefined) return answer("ask", doubt);
  const asking = against ?? ruleAgainst(part, policy.ask);
  if (asking !== undefined) return answer("ask", "a rule speaks against it", asking.glob.source);
  const rule = ruleFor(part, policy.allow);
  const concern = fileConcern(part, policy);
  if (concern !== undefined && rule?.source !== part.source) return answer("ask", concern.reason);
  if (needsNoRule(part)) return answer("allow", "it needs no rule of its own");
  if (rule !== undefined) return answer("allow", "a rule allows it", rule.source);
  const safe = safeEntry(analysis, policy);
  return safe === undefined
    ? answer("ask", "no rule allows it")
    : answer("allow", "it is on the safe list", safe.words);
};

/** Reasons are read by people: a part of a long script is cut. */
const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
