import { type CommandAnalysis, type CommandPart, innermost } from "./CommandPart.ts";
import { codeAtAddress, codeFromNetwork, codeOnRoot, forkingCode, laidOpen } from "./hardBlock/codeRules.ts";
import { formatting, rawDeviceWrite } from "./hardBlock/deviceRules.ts";
import { downloadsToInterpreter } from "./hardBlock/downloadRules.ts";
import type { Finding, HardRule } from "./hardBlock/HardRule.ts";
import { harnessConfig } from "./hardBlock/harnessConfig.ts";
import { openCode, openTarget } from "./hardBlock/openRules.ts";
import { ownAuthority, ownTerminal } from "./hardBlock/ownAuthority.ts";
import { killInit } from "./hardBlock/processRules.ts";
import { mountedRoot, recursiveDeletion, recursivePermissions } from "./hardBlock/treeRules.ts";
import { shorten } from "./internal/visible.ts";
import { madeLinks, throughLinks } from "./madeLinks.ts";
import { partDeeds } from "./PartEffect.ts";
import { type PassedPart, passedParts } from "./passedParts.ts";
import { openWords, possibleArguments } from "./possibleArguments.ts";
import { programName } from "./Program.ts";

const rules: ReadonlyArray<HardRule> = [
  recursiveDeletion,
  recursivePermissions,
  rawDeviceWrite,
  formatting,
  killInit,
  harnessConfig,
  ownAuthority,
  ownTerminal,
  codeOnRoot,
  codeFromNetwork,
  codeAtAddress,
  laidOpen,
  forkingCode,
];
const allRules: ReadonlyArray<HardRule> = [...rules, mountedRoot, openTarget, openCode];

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
  const passed = passedParts(analysis, home);
  const links = madeLinks(analysis.parts);
  for (const [index, part] of analysis.parts.entries()) {
    const { source } = part;
    const download = downloads.get(index);
    if (download !== undefined) found.push({ ...download, part, source });
    for (const finding of findingsOn(part, home, allRules)) {
      // Another machine, or a container, is not this one: asked about, not refused.
      const kind = part.isRemote === true && finding.kind === "block" ? "doubt" : finding.kind;
      found.push({ ...finding, kind, part, source });
    }
    const led = links.length === 0 ? undefined : throughLinks(part, links);
    if (led !== undefined)
      for (const { kind, reason, rule } of findingsOn(led, home, rules))
        if (kind === "block") found.push({ kind: "doubt", rule, reason: `through a link, ${reason}`, part, source });
    for (const finding of possibleFindings(part, passed.of(part), home)) found.push({ ...finding, part, source });
  }
  // What may be a disaster, and has what makes it one beside it: `f() { rm "$@"; }; f -rf /`.
  const isNear = found.every(({ kind }) => kind === "open") && found.length > 0 && namesDisaster(analysis.parts);
  if (isNear)
    return found.map((finding) =>
      finding.kind === "open" && finding.rule !== "unknown-code" ? { ...finding, kind: "doubt" } : finding,
    );
  return found;
};

/** More parts are not looked at. */
const mostNamed = 256;
const disaster =
  /(?:^|[\s("'=`])(?:\/|\/\*|~\/?|\$\{?HOME\}?\/?|\/(?:usr|etc|bin|boot|home|var|lib|root|opt|sys|dev\/sd[a-z]\w*)\/?|-?1)(?:[\s)"';&|`]|$)/;

// A root, the home or the first process, as a word of its own.
const namesDisaster = (parts: ReadonlyArray<CommandPart>): boolean =>
  parts
    .slice(0, mostNamed)
    .some(
      ({ levels, source }) =>
        disaster.test(source.slice(0, 4096)) ||
        levels.some(({ argv }) => argv.some(({ isStatic, text }) => isStatic && disaster.test(text.slice(0, 4096)))),
    );

/** The gravest finding about a part that counts: what is only `open` does where nobody is asked. */
export const gravestOf = (
  findings: ReadonlyArray<HardFinding>,
  isUnattended: boolean,
  part?: CommandPart,
): HardFinding | undefined => {
  const about = part === undefined ? findings : findings.filter((finding) => finding.part === part);
  return (
    about.find(({ kind }) => kind === "block") ??
    about.find(({ kind }) => kind === "doubt") ??
    (isUnattended ? about[0] : undefined)
  );
};

const findingsOn = (part: CommandPart, home: string, by: ReadonlyArray<HardRule>): ReadonlyArray<Finding> => {
  const argv = innermost(part);
  const { effects, reading } = partDeeds(part);
  const suspect = { part, effects, reading, argv, program: programName(argv[0]), home };
  return by.flatMap((rule) => rule(suspect) ?? []);
};

const told = (source: string): string => shorten(source, 40);

// What it may come to: by options that are only known when it runs, and by commands that it may run.
const possibleFindings = (
  part: CommandPart,
  others: ReadonlyArray<PassedPart>,
  home: string,
): ReadonlyArray<Finding> => {
  const { reading } = partDeeds(part);
  const argv = innermost(part);
  const possible = reading === undefined || part.carriesScript ? [] : possibleArguments(argv, reading);
  const found: Array<Finding> = [];
  for (const words of possible)
    for (const { kind, reason, rule } of findingsOn(
      { ...part, levels: [{ argv: words, isTransparent: false }] },
      home,
      words.some(({ shape }) => /^\w+=\uE002/.test(shape)) ? [...rules, openTarget] : rules,
    ))
      found.push({
        kind: kind === "block" ? "doubt" : "open",
        rule,
        reason: `with what ${told(openWords(argv)[0]?.source ?? "a word")} may stand for, ${reason}`,
      });
  for (const { download, part: passed, source } of others)
    for (const { kind, reason, rule } of [
      ...(download === undefined ? [] : [download]),
      ...findingsOn(passed, home, rules),
    ])
      if (kind === "block" || (passed.isFolderUnknown && kind === "doubt"))
        found.push({ kind: "doubt", rule, reason: `it may run ${JSON.stringify(source)}: ${reason}` });
  return found;
};
