import { type CommandAnalysis, type CommandPart, innermost } from "./CommandPart.ts";
import type { CompiledPolicy } from "./CommandPolicy.ts";
import { shorten } from "./internal/visible.ts";
import { isHarmlessVariable } from "./knowledge/environment.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";
import { offendingWord } from "./safeList.ts";
import { ruleFor } from "./Spelling.ts";

/** Why no rule and no safe list lets a part run: what stands in the way, as a sentence without a capital. */
export const whyNotAllowed = (part: CommandPart, analysis: CommandAnalysis, policy: CompiledPolicy): string =>
  variableInTheWay(part, policy) ??
  wrapperInTheWay(part, policy) ??
  (analysis.isSimple ? simpleCause(part, policy) : compoundCause(part, analysis, policy));

const told = (text: string): string => shorten(text, 80);

// A rule allows the command, but not with what is set for it.
const variableInTheWay = (part: CommandPart, policy: CompiledPolicy): string | undefined => {
  const name = part.assigns.find((assigned) => !isHarmlessVariable(assigned));
  if (name === undefined) return undefined;
  if (part.levels.length === 0) return `it sets ${name}, which programs may read, and no rule allows that`;
  const rule = ruleFor({ ...part, assigns: [] }, policy.allow);
  return rule === undefined
    ? undefined
    : `it sets ${name}, and the rule ${JSON.stringify(rule.source)} is for the command without that`;
};

// A rule allows what runs in the end, but not what runs it.
const wrapperInTheWay = (part: CommandPart, policy: CompiledPolicy): string | undefined => {
  const outer = part.levels.slice(0, -1).findLast(({ isTransparent }) => !isTransparent);
  const inner = part.levels.at(-1);
  if (outer === undefined || inner === undefined) return undefined;
  const name = programName(outer.argv[0]);
  const rule = ruleFor({ ...part, levels: [inner] }, policy.allow);
  return rule === undefined
    ? `no rule names ${name}, which runs the rest with other rights or in another place`
    : `the rule ${JSON.stringify(rule.source)} is for the command without ${name}: a rule has to name ${name}, because it changes rights or place`;
};

const simpleCause = (part: CommandPart, policy: CompiledPolicy): string => {
  const { reading } = partDeeds(part);
  const argv = innermost(part);
  if (reading === undefined) return "no rule allows it";
  if (reading.entry === undefined) return `what ${told(reading.words)} does is not known here, and no rule allows it`;
  if (reading.entry.isSafe !== true) return "no rule allows it";
  const open = argv.find((word) => !word.isStatic || word.isExpanded);
  if (open !== undefined)
    return `no rule allows it, and the safe list is for words written out: ${told(open.source)} is filled in when it runs`;
  const offending = offendingWord(part, policy);
  return offending === undefined
    ? "no rule allows it, and written so it is not on the safe list"
    : `no rule allows it, and ${offending} is not on the safe list`;
};

const compoundCause = (part: CommandPart, analysis: CommandAnalysis, policy: CompiledPolicy): string => {
  const { reading } = partDeeds(part);
  const words = told(reading?.words ?? "");
  if (reading !== undefined && part.levels.length === 1 && reading.entry === undefined)
    return `what ${told(reading.words)} does is not known here, and no rule allows it`;
  const isSafe =
    reading?.entry?.isSafe === true && part.levels.length === 1 && offendingWord(part, policy) === undefined;
  if (!isSafe) return "no rule allows this part, and in a compound command each part needs one";
  const [name] = part.assigns;
  const [redirect] = part.redirects;
  if (name !== undefined) return `no rule allows it, and ${words} is on the safe list only without setting ${name}`;
  if (redirect !== undefined)
    return `no rule allows it, and ${words} is on the safe list only without ${told(redirect.source)}`;
  return analysis.parts.length === 1
    ? `no rule allows it, and ${words} is on the safe list only as one plain command`
    : `no rule allows this part: ${words} is on the safe list, but in a compound command each part needs a rule`;
};
