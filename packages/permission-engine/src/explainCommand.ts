import type { CommandEffect, Decision, DecisionLayer, Risk, Verdict } from "@kumiko/plugin-api";
import { analyseCommand } from "./analyseCommand.ts";
import type { CommandPart } from "./CommandPart.ts";
import { compilePolicy, type CommandPolicy } from "./CommandPolicy.ts";
import { decideAnalysed } from "./decideCommand.ts";
import { listedEffects } from "./effectsOf.ts";
import { gravest } from "./gravest.ts";
import { hardFindings } from "./hardBlock.ts";
import { shorten, shortenMiddle, visible } from "./internal/visible.ts";
import { judgePart } from "./judgePart.ts";
import { partDeeds } from "./PartEffect.ts";
import { normalised } from "./Spelling.ts";
import { type SyntaxOutline, syntaxOutline } from "./syntaxOutline.ts";
import { mostCharacters } from "./Walk.ts";

/** What one part of a command came to. */
export interface PartExplanation {
  /** The part as rules see it. Where a text is long, what is left out of its middle is counted between two `…`. */
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
  /** Eight; what only reads comes last. */
  readonly effects: ReadonlyArray<CommandEffect>;
  /** How many effects are not shown; absent: none. */
  readonly moreEffects?: number;
}

/** A decision, and how it came about. */
export interface Explanation {
  /** As written; of more than 65 536 characters, the beginning. */
  readonly command: string;
  readonly decision: Decision;
  /** How the command was read; empty for more than 8 192 characters. */
  readonly syntax: ReadonlyArray<SyntaxOutline>;
  /** What about the whole command is not understood. */
  readonly doubts: ReadonlyArray<{ readonly reason: string; readonly source: string }>;
  /** What would run, in the order of the text: the 128 gravest parts. */
  readonly parts: ReadonlyArray<PartExplanation>;
  /** How many parts are not shown. */
  readonly moreParts: number;
}

const risks: ReadonlyArray<Risk> = ["read", "local-write", "remote-write", "irreversible"];
const mostShownParts = 128;
const mostShownEffects = 8;
const mostOfText = 200;

/**
 * As `decideCommand`, with how the command was read, the parts it was taken into, and what each would do and came to.
 * Pure, total, and bounded whatever the command. Texts are as written: show them with `explanationText`.
 */
export const explainCommand = (command: string, policy: CommandPolicy): Explanation => {
  const compiled = compilePolicy(policy);
  const analysis = analyseCommand(command, compiled);
  const hard = hardFindings(analysis, compiled.home);
  const explainPart = (part: CommandPart): PartExplanation => {
    const { isDoubt: _isDoubt, reason, ...judged } = judgePart(part, analysis, compiled, hard);
    return {
      part: shortenMiddle(normalised(part), mostOfText),
      source: shortenMiddle(part.source, mostOfText),
      ...innerName(part),
      ...judged,
      reason: visible(shorten(reason, 2 * mostOfText)),
      risk: partDeeds(part).risk,
      ...listedEffects(part, mostShownEffects, mostOfText),
    };
  };
  const parts = analysis.parts.filter((part) => !part.isImplied);
  return {
    command: shorten(command, mostCharacters),
    decision: decideAnalysed(command, analysis, compiled, hard),
    syntax: syntaxOutline(command),
    doubts: analysis.doubts,
    parts: gravest(parts, mostShownParts, (part) => risks.indexOf(partDeeds(part).risk)).map(explainPart),
    moreParts: Math.max(0, parts.length - mostShownParts),
  };
};

const innerName = ({ levels }: CommandPart): { readonly runs?: string } => {
  const inner = levels.length > 1 ? levels.at(-1) : undefined;
  return inner === undefined ? {} : { runs: shortenMiddle(inner.argv.map((word) => word.text).join(" "), mostOfText) };
};
