import type { DecisionLayer, Verdict } from "@kumiko/plugin-api";
import type { CommandAnalysis, CommandPart } from "./CommandPart.ts";
import type { CompiledPolicy, CompiledRules } from "./CommandPolicy.ts";
import { effectAgainst } from "./EffectRule.ts";
import { fileConcern } from "./fileConcern.ts";
import { gravestOf, type HardFinding } from "./hardBlock.ts";
import { compileGlob, type Glob } from "./Glob.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { isHarmlessVariable } from "./knowledge/environment.ts";
import { partDeeds } from "./PartEffect.ts";
import { expandHome, isInside, resolvePath } from "./PathKey.ts";
import { safeEntry } from "./safeList.ts";
import { metadataHost, namesMetadata } from "./metadataHost.ts";
import { namedAmong } from "./namedAmong.ts";
import { passedParts } from "./passedParts.ts";
import { ruleAgainst, ruleFor } from "./Spelling.ts";
import { whyNotAllowed } from "./whyNotAllowed.ts";

/** What one part of a command came to. */
export interface PartVerdict {
  readonly verdict: Verdict;
  readonly layer: DecisionLayer;
  readonly rule?: string;
  readonly reason: string;
  /** It is not understood: no rule and no mode allows it. */
  readonly isDoubt?: true;
}

/** Why a part is denied whatever the rules say: it would talk to a metadata service. */
export const metadataDenial = (part: CommandPart): { readonly rule: string; readonly reason: string } | undefined => {
  const host = metadataHost(part);
  return host === undefined
    ? undefined
    : { rule: "link-local", reason: `link-local and metadata addresses are never contacted: ${host}` };
};

/** The same, where the address stands in the text and what is talked to is only known when the command runs. */
export const unseenMetadata = (
  command: string,
  { parts }: CommandAnalysis,
): { readonly rule: string; readonly reason: string } | undefined =>
  namesMetadata(command) &&
  parts.some((part) => partDeeds(part).effects.some(({ kind, word }) => kind === "connect" && !word.isStatic))
    ? { rule: "link-local", reason: "link-local and metadata addresses are never contacted" }
    : undefined;

/** The first rule that speaks against a part, by its words or by what it does. */
export const ruleAgainstPart = (
  part: CommandPart,
  { globs, effects }: CompiledRules,
): { readonly source: string; readonly isCertain: boolean } | undefined => {
  const worded = ruleAgainst(part, globs);
  if (worded?.isCertain === true) return { source: worded.glob.source, isCertain: true };
  const done = effectAgainst(part, effects);
  if (done?.isCertain === true) return { source: done.rule.source, isCertain: true };
  const source = worded?.glob.source ?? done?.rule.source;
  return source === undefined ? undefined : { source, isCertain: false };
};

/** Why a part is not understood, whatever the rules say of it. */
export const doubtAbout = (
  part: CommandPart,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
): PartVerdict | undefined => {
  const doubtful = (reason: string, rule?: string): PartVerdict => ({
    verdict: "ask",
    layer: "compound",
    reason,
    isDoubt: true,
    ...(rule === undefined ? {} : { rule }),
  });
  const [doubt] = part.doubts;
  if (doubt !== undefined) return doubtful(doubt);
  const against = [policy.deny, policy.ask]
    .map((rules) => ruleAgainstPart(part, rules))
    .find((found) => found !== undefined);
  if (against?.isCertain === false)
    return doubtful(`when it runs, it may be what the rule ${quoted(against.source)} is about`, against.source);
  const redefined = partDeeds(part).reading?.roled.find(({ role }) => role === "redefines");
  if (redefined !== undefined && ruleFor(part, policy.allow)?.isLiteral !== true)
    return doubtful(`it is told to work in another way: ${redefined.word.text}`);
  const passed = denialOfPassed(part, analysis, policy);
  if (passed !== undefined)
    return doubtful(
      `it may run ${quoted(passed.source)}, and the rule ${quoted(passed.rule)} is about that`,
      passed.rule,
    );
  const concern = fileConcern(part, policy);
  if (concern?.isDoubt === true) return doubtful(concern.reason);
  const { reading } = partDeeds(part);
  return reading?.isOpen === true
    ? doubtful(`what ${reading.words} is told to do is only known when it runs`)
    : undefined;
};

// A rule against what a part may run, where nobody knows what it does with its arguments.
const denialOfPassed = (
  part: CommandPart,
  analysis: CommandAnalysis,
  { ask, deny, home, mode }: CompiledPolicy,
): { readonly rule: string; readonly source: string } | undefined => {
  for (const rules of mode === "auto" ? [deny] : [deny, ask]) {
    if (rules.globs.length === 0) continue;
    const named = namedAmong(part, rules.globs);
    if (named !== undefined) return { rule: named.glob.source, source: named.source };
    for (const { part: passed, source } of passedParts(analysis, home).of(part)) {
      const against = ruleAgainst(passed, rules.globs);
      if (against !== undefined) return { rule: against.glob.source, source };
    }
  }
  return undefined;
};

/** Layers ④ and ⑤ for one part that neither is refused nor doubted. */
export const allowanceOf = (part: CommandPart, analysis: CommandAnalysis, policy: CompiledPolicy): PartVerdict => {
  const { beyond, rule } = coveringRule(part, policy);
  const concern = fileConcern(part, policy);
  // A rule that names the file lifts it; where Bash opens it, that is one that holds the redirection.
  const isNamed = concern?.isRedirect === true ? rule?.source === part.source : rule?.isLiteral === true;
  if (concern !== undefined && !isNamed) {
    const unnamed = rule === undefined ? "" : `; the rule ${quoted(rule.source)} does not name it`;
    return { verdict: "ask", layer: "workspace", reason: concern.reason + unnamed };
  }
  if (beyond !== undefined && rule !== undefined)
    return {
      verdict: "ask",
      layer: analysis.isSimple ? "default" : "compound",
      reason: `${beyond}; the rule ${quoted(rule.source)} does not name that`,
    };
  if (needsNoRule(part)) return { verdict: "allow", layer: "default", reason: "it needs no rule of its own" };
  if (rule !== undefined)
    return {
      verdict: "allow",
      layer: "allow-rule",
      rule: rule.source,
      reason: `the rule ${quoted(rule.source)} allows it`,
    };
  const safe = safeEntry(analysis, policy);
  if (safe !== undefined)
    return { verdict: "allow", layer: "safe-list", rule: safe, reason: `${safe} is on the safe list` };
  return {
    verdict: "ask",
    layer: analysis.isSimple ? "default" : "compound",
    reason: whyNotAllowed(part, analysis, policy),
  };
};

// The first rule that allows a part as it is; where none does, the first that would but for what goes beyond it.
const coveringRule = (
  part: CommandPart,
  policy: CompiledPolicy,
): { readonly rule: Glob | undefined; readonly beyond: string | undefined } => {
  const first = ruleFor(part, policy.allow);
  if (first === undefined) return { rule: undefined, beyond: undefined };
  const beyond = beyondRule(part, first, policy);
  if (beyond === undefined) return { rule: first, beyond };
  const others = policy.allow.filter((rule) => rule !== first);
  const other = others.length === 0 ? undefined : coveringRule(part, { ...policy, allow: others });
  return other?.rule !== undefined && other.beyond === undefined ? other : { rule: first, beyond };
};

// A rule with a wildcard is not for whatever an option makes of a command: what only reads goes on reading, an address
// stays the only one, and the builds and tests of a project are for this project and for no deployment.
const beyondRule = (part: CommandPart, rule: Glob, { cwd, home, roots }: CompiledPolicy): string | undefined => {
  const { reading } = partDeeds(part);
  const entry = reading?.entry;
  if (entry === undefined || rule.isLiteral || /^[*?]/.test(rule.source)) return undefined;
  // `git branch -D` is known by a name of its own.
  const last = reading?.words.split(" ").at(-1) ?? "";
  const option = last.startsWith("-") && entry.risk !== "read" ? last : reading?.beyond?.text;
  if (option !== undefined && !isNamed(rule, option)) return `it does more than read: ${option}`;
  const address = rule.source.split(" ").find((word) => word.includes("://"));
  const elsewhere = address === undefined ? undefined : connectedElsewhere(part, compileGlob(address));
  if (elsewhere !== undefined) return `it talks to another address as well: ${elsewhere}`;
  if (entry.also?.runs === undefined && entry.unless === undefined) return undefined;
  for (const { role, word } of reading?.roled ?? []) {
    if (entry.unless?.test(word.text) === true && role !== "passed" && !isNamed(rule, word.text))
      return `it does more than build and test: ${word.text}`;
    if (!reaching.has(role) || entry.also?.runs === undefined || !/^(?:\/|~\/|(?:.*\/)?\.\.(?:\/|$))/.test(word.text))
      continue;
    const path = resolvePath(cwd, expandHome(word.text, home));
    if (!roots.some((root) => isInside(path, root)) && !isNamed(rule, word.text))
      return `it runs what is outside the workspace: ${word.text}`;
  }
  return undefined;
};

const connectedElsewhere = (part: CommandPart, address: Glob): string | undefined =>
  partDeeds(part).effects.find(({ kind, word }) => kind === "connect" && !address.matches(word.text))?.word.text;

const isNamed = ({ source }: Glob, text: string): boolean =>
  source.split(" ").some((word) => !/^[*?]/.test(word) && compileGlob(word).matches(text));

const reaching: ReadonlySet<Role> = new Set(["targets", "unknown", "runs", "text"]);

/** All that is thought of one part, for an explanation. */
export const judgePart = (
  part: CommandPart,
  analysis: CommandAnalysis,
  policy: CompiledPolicy,
  hard: ReadonlyArray<HardFinding>,
): PartVerdict => {
  const fixed = gravestOf(hard, policy.mode === "auto", part);
  if (fixed?.kind === "block")
    return { verdict: "hard-block", layer: "hard-block", rule: fixed.rule, reason: fixed.reason };
  const metadata = metadataDenial(part);
  if (metadata !== undefined) return { verdict: "deny", layer: "deny-rule", ...metadata };
  const denial = ruleAgainstPart(part, policy.deny);
  if (denial?.isCertain === true)
    return {
      verdict: "deny",
      layer: "deny-rule",
      rule: denial.source,
      reason: `the rule ${quoted(denial.source)} denies it`,
    };
  if (fixed !== undefined)
    return { verdict: "ask", layer: "compound", rule: fixed.rule, reason: fixed.reason, isDoubt: true };
  const doubt = doubtAbout(part, analysis, policy);
  if (doubt !== undefined) return doubt;
  if (policy.mode === "auto" && !needsNoRule(part))
    return { verdict: "allow", layer: "mode", rule: "auto", reason: "auto mode allows what no rule denies" };
  const asking = ruleAgainstPart(part, policy.ask);
  if (asking !== undefined)
    return {
      verdict: "ask",
      layer: "ask-rule",
      rule: asking.source,
      reason: `the rule ${quoted(asking.source)} asks about it`,
    };
  return allowanceOf(part, analysis, policy);
};

/** A rule as reasons name it. */
export const quoted = (rule: string): string => JSON.stringify(rule);

const needsNoRule = (part: CommandPart): boolean =>
  part.isImplied ||
  part.carriesScript ||
  (part.levels.length === 0 &&
    part.redirects.length === 0 &&
    part.assigns.length > 0 &&
    part.assigns.every(isHarmlessVariable));
