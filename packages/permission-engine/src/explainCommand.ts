import type { CommandEffect, Decision, DecisionLayer, Risk, Verdict } from "@kumiko/plugin-api";
import { analyseCommand } from "./analyseCommand.ts";
import type { CommandPart } from "./CommandPart.ts";
import { compilePolicy, type CommandPolicy } from "./CommandPolicy.ts";
import { decideAnalysed } from "./decideCommand.ts";
import { listedEffects } from "./effectsOf.ts";
import { hardFindings } from "./hardBlock.ts";
import { visible } from "./internal/visible.ts";
import { judgePart } from "./judgePart.ts";
import { partDeeds } from "./PartEffect.ts";
import { normalised } from "./Spelling.ts";
import { type SyntaxOutline, syntaxOutline } from "./syntaxOutline.ts";

/** What one part of a command came to. */
export interface PartExplanation {
  /** The part as rules see it. */
  readonly part: string;
  /** As written. */
  readonly source: string;
  /** What runs in the end, where wrappers were looked through. */
  readonly runs?: string;
  readonly verdict: Verdict;
  readonly layer: DecisionLayer;
  readonly rule?: string;
  readonly reason: string;
  readonly risk: Risk;
  readonly effects: ReadonlyArray<CommandEffect>;
}

/** A decision, and how it came about. */
export interface Explanation {
  readonly command: string;
  readonly decision: Decision;
  /** How the command was read; empty for more than 8 192 characters. */
  readonly syntax: ReadonlyArray<SyntaxOutline>;
  /** What about the whole command is not understood. */
  readonly doubts: ReadonlyArray<{ readonly reason: string; readonly source: string }>;
  /** Everything that would run, in the order of the text. */
  readonly parts: ReadonlyArray<PartExplanation>;
}

/**
 * As `decideCommand`, with how the command was read, the parts it was taken into, and what each would do and came to.
 * Pure, total. Texts are as written: show them with `explanationText`.
 */
export const explainCommand = (command: string, policy: CommandPolicy): Explanation => {
  const compiled = compilePolicy(policy);
  const analysis = analyseCommand(command, compiled);
  const hard = hardFindings(analysis, compiled.home);
  const explainPart = (part: CommandPart): PartExplanation => {
    const { isDoubt: _isDoubt, reason, ...judged } = judgePart(part, analysis, compiled, hard);
    return {
      part: normalised(part),
      source: part.source,
      ...innerName(part),
      ...judged,
      reason: visible(reason),
      risk: partDeeds(part).risk,
      effects: listedEffects(part),
    };
  };
  return {
    command,
    decision: decideAnalysed(command, analysis, compiled, hard),
    syntax: syntaxOutline(command),
    doubts: analysis.doubts,
    parts: analysis.parts.filter((part) => !part.isImplied).map(explainPart),
  };
};

const innerName = ({ levels }: CommandPart): { readonly runs?: string } => {
  const inner = levels.length > 1 ? levels.at(-1) : undefined;
  return inner === undefined ? {} : { runs: inner.argv.map((word) => word.text).join(" ") };
};
