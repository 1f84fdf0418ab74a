import type { Decision } from "@kumiko/plugin-api";
import { analyseCommand } from "./analyseCommand.ts";
import type { CommandAnalysis } from "./CommandPart.ts";
import { compilePolicy, type CommandPolicy, type CompiledPolicy } from "./CommandPolicy.ts";
import { type CommandEffects, effectsOf, mostListed } from "./effectsOf.ts";
import { gravestOf, type HardFinding, hardFindings } from "./hardBlock.ts";
import { shorten, visible } from "./internal/visible.ts";
import { allowanceOf, doubtAbout, metadataDenial, quoted, ruleAgainstPart, unseenMetadata } from "./judgePart.ts";
import { passedParts } from "./passedParts.ts";
import { normalised } from "./Spelling.ts";

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
  return decideAnalysed(command, analysis, compiled, hardFindings(analysis, compiled.home));
};

/** As {@link decideCommand}, for a command that has been taken apart. */
export const decideAnalysed = (
  command: string,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): Decision => {
  const found = effectsOf(analysis);
  const { risk, resources, effects } = found;
  const ground: Ground =
    command.trim() === ""
      ? { verdict: "deny", layer: "default", reason: "the command is empty" }
      : (refusal(command, analysis, policy, hard) ?? inMode(analysis, policy, found, hard));
  return { ...ground, reason: visible(shorten(ground.reason, mostOfReason)), risk, resources, effects };
};

type Ground = Pick<Decision, "verdict" | "layer" | "reason"> & { readonly rule?: string; readonly part?: string };

// Layers ① and ②: nothing lifts them.
const refusal = (
  command: string,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): Ground | undefined => {
  const blocked = hard.find((finding) => finding.kind === "block");
  if (blocked !== undefined)
    return {
      verdict: "hard-block",
      layer: "hard-block",
      rule: blocked.rule,
      part: partText(blocked.source),
      reason: `${blocked.reason}; no rule or mode allows that`,
    };
  const whole = policy.deny.globs.find((glob) => glob.matches(command.trim()));
  if (whole !== undefined) return denied(whole.source, command.trim());
  const unseen = unseenMetadata(command, analysis);
  if (unseen !== undefined) return { verdict: "deny", layer: "deny-rule", ...unseen };
  for (const part of analysis.parts) {
    const against = ruleAgainstPart(part, policy.deny);
    if (against?.isCertain === true) return denied(against.source, normalised(part));
    const metadata = metadataDenial(part);
    if (metadata !== undefined)
      return { verdict: "deny", layer: "deny-rule", part: partText(normalised(part)), ...metadata };
  }
  return undefined;
};

const denied = (rule: string, part: string): Ground => ({
  verdict: "deny",
  layer: "deny-rule",
  rule,
  part: partText(part),
  reason: `the rule ${quoted(rule)} denies it`,
});

const inMode = (
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  effects: CommandEffects,
  hard: ReadonlyArray<HardFinding>,
): Ground => {
  if (policy.mode === "plan" && effects.risk !== "read")
    return {
      verdict: "deny",
      layer: "mode",
      rule: "plan",
      reason: `in plan mode only reading is allowed; this is ${effects.risk}`,
    };
  const doubt = firstDoubt(analysis, policy, effects, hard);
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
  { isCut }: CommandEffects,
  hard: ReadonlyArray<HardFinding>,
): Ground | undefined => {
  const layer = analysis.isSimple ? "default" : "compound";
  const [unread] = analysis.doubts;
  if (unread !== undefined)
    return { verdict: "ask", layer, part: partText(unread.source), reason: `it is not understood: ${unread.reason}` };
  const grave = gravestOf(hard, policy.mode === "auto");
  if (grave !== undefined)
    return { verdict: "ask", layer, rule: grave.rule, part: partText(grave.source), reason: grave.reason };
  for (const part of analysis.parts) {
    const doubt = doubtAbout(part, analysis, policy);
    if (doubt === undefined) continue;
    const { reason, rule } = doubt;
    return { verdict: "ask", layer, part: partText(part.source), reason, ...(rule === undefined ? {} : { rule }) };
  }
  if (passedParts(analysis, policy.home).isCut)
    return { verdict: "ask", layer, reason: "it hands on more commands to other programs than are looked at" };
  return isCut
    ? { verdict: "ask", layer, reason: `it names more than ${mostListed} files and hosts, too many to follow` }
    : undefined;
};

// Layers ③ to ⑤: every part needs an allowance.
const firstQuestion = (analysis: CommandAnalysis, policy: CompiledPolicy): Ground => {
  for (const part of analysis.parts) {
    const asking = ruleAgainstPart(part, policy.ask);
    if (asking !== undefined)
      return {
        verdict: "ask",
        layer: "ask-rule",
        rule: asking.source,
        part: partText(normalised(part)),
        reason: `the rule ${quoted(asking.source)} asks about it`,
      };
  }
  const rules = new Set<string>();
  for (const part of analysis.parts) {
    const { verdict, layer, rule, reason } = allowanceOf(part, analysis, policy);
    if (verdict !== "allow")
      return { verdict, layer, part: partText(layer === "workspace" ? part.source : normalised(part)), reason };
    if (layer === "safe-list" && rule !== undefined) return { verdict, layer, rule, reason };
    if (rule !== undefined) rules.add(rule);
  }
  const [first] = rules;
  if (first === undefined)
    return { verdict: "ask", layer: "default", reason: "it only sets variables, and no rule speaks about that" };
  return analysis.isSimple
    ? { verdict: "allow", layer: "allow-rule", rule: first, reason: `the rule ${quoted(first)} allows it` }
    : { verdict: "allow", layer: "compound", rule: [...rules].join(", "), reason: "rules allow every part of it" };
};

const mostOfReason = 512;

/** Decisions are read by people: a part of a long script is cut. */
const partText = (text: string): string => shorten(text, 200);
