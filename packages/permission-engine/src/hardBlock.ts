import { type CommandAnalysis, type CommandPart, innermost } from "./CommandPart.ts";
import { formatting, rawDeviceWrite } from "./hardBlock/deviceRules.ts";
import { downloadsToInterpreter } from "./hardBlock/downloadRules.ts";
import type { Finding, HardRule } from "./hardBlock/HardRule.ts";
import { harnessConfig } from "./hardBlock/harnessConfig.ts";
import { killInit } from "./hardBlock/processRules.ts";
import { recursiveDeletion, recursivePermissions } from "./hardBlock/treeRules.ts";
import { partDeeds } from "./PartEffect.ts";
import { programName } from "./Program.ts";

const rules: ReadonlyArray<HardRule> = [
  recursiveDeletion,
  recursivePermissions,
  rawDeviceWrite,
  formatting,
  killInit,
  harnessConfig,
];

/** What the fixed rules say of a part, or of the whole command where `part` is absent. */
export interface HardFinding extends Finding {
  readonly part?: CommandPart;
  readonly source: string;
}

/**
 * Layer ①: the fixed rules, over every part, wherever it is nested. They look at what would happen, not at the text:
 * `echo "rm -rf /"` passes. Nothing configures or lifts them.
 */
export const hardFindings = (analysis: CommandAnalysis, home: string): ReadonlyArray<HardFinding> => {
  const found: Array<HardFinding> = analysis.bombs.map((source) => ({
    kind: "block",
    rule: "fork-bomb",
    reason: "it starts itself again and again until the machine stops",
    source,
  }));
  const downloads = downloadsToInterpreter(analysis);
  for (const [index, part] of analysis.parts.entries()) {
    const argv = innermost(part);
    const { effects, reading } = partDeeds(part);
    const suspect = { part, effects, reading, argv, program: programName(argv[0]), home };
    const download = downloads.get(index);
    if (download !== undefined) found.push({ ...download, part, source: part.source });
    for (const rule of rules) {
      const finding = rule(suspect);
      if (finding === undefined) continue;
      // Another machine, or a container, is not this one: asked about, not refused.
      const kind = part.isRemote === true ? "doubt" : finding.kind;
      found.push({ ...finding, kind, part, source: part.source });
    }
  }
  return found;
};
