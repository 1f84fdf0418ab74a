import type { CommandPart } from "./CommandPart.ts";
import { isFileRole, placesOf } from "./effectsOf.ts";
import { remoteHost } from "./remoteHost.ts";
import { compileGlob, type Glob, globProblem } from "./Glob.ts";
import { canonicalHost } from "./HostAddress.ts";
import { hostOf } from "./hostOf.ts";
import { mark } from "./internal/marks.ts";
import { holdsAddress, namedHosts, talksUnnamed } from "./namedHosts.ts";
import { namedPaths } from "./namedPaths.ts";
import { type PartEffect, partDeeds } from "./PartEffect.ts";
import { patternSpellings } from "./patternSpellings.ts";
import { expandHome, isInside, pathKey, resolvePath } from "./PathKey.ts";
import { targetsOf } from "./TargetPath.ts";

/** What an effect rule is about. */
type EffectKind = "read" | "write" | "connect";

/** A rule over what is done, whatever tool or command does it: `read:secrets/**`, `write:src/**`, `connect:*.x.test`. */
export interface EffectRule {
  readonly source: string;
  readonly kind: EffectKind;
  readonly pattern: string;
}

const form = /^(read|write|connect):(.+)$/s;

/** Reads an effect rule; undefined when the text is a rule of another form. */
export const parseEffectRule = (source: string): EffectRule | undefined => {
  const [, kind, pattern] = form.exec(source) ?? [];
  return pattern === undefined || (kind !== "read" && kind !== "write" && kind !== "connect")
    ? undefined
    : { source, kind, pattern };
};

/** Why an effect rule cannot be one, or undefined. */
export const effectRuleProblem = ({ kind, pattern }: EffectRule): string | undefined =>
  kind === "connect" && /[\s/]/.test(pattern)
    ? "connect: must be followed by a host or a glob of one"
    : globProblem(pattern);

/** An effect rule in a folder, ready for use. */
export interface PlacedEffectRule extends EffectRule {
  /** Any of these fits. */
  readonly globs: ReadonlyArray<Glob>;
  /** The folder that holds all that the rule is about. */
  readonly folder: string;
}

/** Makes a rule ready: relative patterns start at `cwd`. Paths are compared in any spelling. */
export const placeEffectRule = (rule: EffectRule, cwd: string, home: string): PlacedEffectRule => {
  if (rule.kind === "connect") {
    // As in the list of the network: `*.domain` is the domain, too.
    const pattern = rule.pattern.toLowerCase();
    const texts = pattern.startsWith("*.") ? [pattern, pattern.slice(2)] : [pattern];
    return { ...rule, globs: texts.map(compileGlob), folder: "/" };
  }
  const absolute = resolvePath(cwd, expandHome(rule.pattern, home));
  const texts = [...new Set([absolute, rule.pattern].map(pathKey))];
  const fixed = pathKey(absolute).replace(/[*?].*$/s, "");
  const folder = /[*?]/.test(absolute) ? fixed.slice(0, fixed.lastIndexOf("/")) : fixed;
  return { ...rule, globs: texts.map(compileGlob), folder: folder === "" ? "/" : folder };
};

/** The first rule about something that a part does: `certain`, or `possible` where an unknown piece decides. */
export const effectAgainst = (
  part: CommandPart,
  rules: ReadonlyArray<PlacedEffectRule>,
): { readonly rule: EffectRule; readonly isCertain: boolean } | undefined => {
  if (rules.length === 0) return undefined;
  let possible: EffectRule | undefined;
  for (const effect of partDeeds(part).effects)
    for (const rule of rules) {
      const found = judge(part, effect, rule);
      if (found === "certain") return { rule, isCertain: true };
      if (found === "possible") possible ??= rule;
    }
  for (const rule of rules) {
    const found = rule.kind === "connect" ? judgeNamed(part, rule) : judgeMentioned(part, rule);
    if (found === "certain") return { rule, isCertain: true };
    if (found === "possible") possible ??= rule;
  }
  return possible === undefined ? undefined : { rule: possible, isCertain: false };
};

// Hosts that stand among the words in another way, and what talks to one without naming it.
const judgeNamed = (part: CommandPart, { globs, pattern }: PlacedEffectRule): Judgement => {
  if (pattern === "*" && talksUnnamed(part)) return "certain";
  if (pattern === "*" && holdsAddress(part)) return "possible";
  let found: Judgement = "no";
  for (const { isCertain, shape } of namedHosts(part)) {
    if (!globs.some((glob) => glob.mayMatch(shape))) continue;
    // Any word with a dot may be a file: only a rule that says more is about it.
    if (isCertain && pattern !== "*") return "certain";
    if (pattern !== "*") found = "possible";
  }
  return found;
};

// Files among words of which nobody knows what becomes of them. What runs a file reads it, and need not write it.
const judgeMentioned = (part: CommandPart, { globs, kind }: PlacedEffectRule): Judgement =>
  kind !== "connect" &&
  part.isRemote !== true &&
  (kind === "read" || writesUnknown(part)) &&
  namedPaths(part, kind).some((path) =>
    placesOf(path, part.folders)
      .map(pathKey)
      // The folder itself stands for what is in it.
      .some((place) => globs.some((glob) => glob.matches(place) || glob.matches(`${place}/x`))),
  )
    ? "possible"
    : "no";

// What writes, makes or takes away a file in the languages that agents write.
const writingCode =
  /\bopen\s*\([^)]*,\s*["'][rbt]*[wax+]|\b(?:write\w*|append\w*|unlink\w*|remove\w*|rename\w*|copy\w*|move|truncate\w*|mkdir\w*|touch|symlink\w*|ch(?:mod|own)\w*|rm\w*|dump|save\w*|File\.delete|put_contents)\s*[(\s]/i;

const writesUnknown = (part: CommandPart): boolean => {
  const { reading } = partDeeds(part);
  if (part.code.some(({ text }) => writingCode.test(text))) return true;
  return reading !== undefined && (reading.entry === undefined || reading.roled.some(({ role }) => role === "unknown"));
};

type Judgement = "certain" | "possible" | "no";

const judge = (part: CommandPart, effect: PartEffect, rule: PlacedEffectRule): Judgement =>
  rule.kind === "connect" ? judgeHost(effect, rule) : judgeFile(part, effect, rule);

const judgeHost = ({ role, word }: PartEffect, { globs }: PlacedEffectRule): Judgement => {
  const named =
    role === "connects"
      ? hostOf(word.text)
      : role === "remote-reads" || role === "remote-writes" || role === "mirrors"
        ? remoteHost(word.text)
        : undefined;
  if (named === undefined) return "no";
  if (!word.isStatic) return "possible";
  const host = canonicalHost(named);
  return host !== undefined && globs.some((glob) => glob.matches(host)) ? "certain" : "no";
};

const judgeFile = (part: CommandPart, effect: PartEffect, rule: PlacedEffectRule): Judgement => {
  const { role, word } = effect;
  if (!isAbout(effect, rule.kind) || effect.isElsewhere) return "no";
  const isFixed = word.isStatic && (!part.isFolderUnknown || word.text.startsWith("/"));
  if (!isFixed) {
    const shapes = targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown });
    const may = shapes.some((shape) => rule.globs.some((glob) => glob.mayMatch(shape)));
    return may || part.isFolderUnknown ? "possible" : "no";
  }
  // `./...` is a folder with all below it.
  const names = rule.kind === "read" ? patternSpellings(word.text) : [word.text];
  const paths = names.flatMap((name) => placesOf(name.replace(/\/\.\.\.$/, ""), part.folders)).map(pathKey);
  if (paths.some((path) => rule.globs.some((glob) => glob.matches(path))))
    return role === "may-write" ? "possible" : "certain";
  const patterns = rule.kind === "read" ? paths.filter((path) => /[*?]/.test(path)) : [];
  const shapes = patterns.map((path) => path.replaceAll("*", mark.any).replaceAll("?", mark.one));
  if (shapes.some((shape) => rule.globs.some((glob) => glob.mayMatch(shape)))) return "possible";
  // What takes a whole tree away, or writes into a folder, does so to the files in it.
  const inside = paths.map((path) => `${path}/x`);
  const isAboutInside = rule.kind !== "read" && inside.some((path) => rule.globs.some((glob) => glob.matches(path)));
  if (isAboutInside && effect.isRecursive && effect.kind === "delete") return "certain";
  if (isAboutInside && (effect.kind === "write" || effect.kind === "delete")) return "possible";
  // What reads a whole tree may read what the rule is about.
  if (
    rule.kind === "read" &&
    effect.isRecursive &&
    paths.some((path) => isInside(rule.folder, path) || isInside(path, rule.folder))
  )
    return "possible";
  if (role === "may-write" && effect.isRecursive && paths.some((path) => isInside(rule.folder, path)))
    return "possible";
  // What takes a whole tree away takes what the rule is about with it.
  const takesTree = effect.isRecursive && effect.kind === "delete";
  return takesTree && paths.some((path) => isInside(rule.folder, path)) ? "certain" : "no";
};

const isAbout = ({ kind, role, word }: PartEffect, wanted: EffectKind): boolean => {
  const isLocal =
    isFileRole(role) || ((role === "remote-reads" || role === "remote-writes") && remoteHost(word.text) === undefined);
  if (!isLocal || role === "lists" || role === "targets") return false;
  return wanted === "read"
    ? kind === "read" || role === "moves" || role === "links"
    : kind === "write" || kind === "delete";
};
