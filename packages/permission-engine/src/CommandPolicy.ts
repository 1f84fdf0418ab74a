import { effectRuleProblem, parseEffectRule, type PlacedEffectRule, placeEffectRule } from "./EffectRule.ts";
import { compileGlob, type Glob, globProblem } from "./Glob.ts";
import { resolvePath } from "./PathKey.ts";

/** How much runs without asking. No mode lifts a fixed rule or a denial. */
export type PermissionMode = "plan" | "ask" | "accept-edits" | "auto";

/** What commands are judged by. What is compiled from it is kept as long as it says the same. */
export interface CommandPolicy {
  /** Globs over the normalised command; see {@link Glob}. Rules about effects allow no command. */
  readonly allow: ReadonlyArray<string>;
  /** Globs over the normalised command, and `read:`, `write:` or `connect:` rules over what it does. */
  readonly deny: ReadonlyArray<string>;
  /** As `deny`; asks even where another rule allows. Default: none. */
  readonly ask?: ReadonlyArray<string>;
  /** Absolute path of the folder the command runs in. */
  readonly cwd: string;
  /** Absolute path of the user's home. */
  readonly home: string;
  /** Default: `ask`. */
  readonly mode?: PermissionMode;
  /** Folders that count as the workspace besides `cwd`. Absolute. Default: none. */
  readonly workspaceRoots?: ReadonlyArray<string>;
}

/** Rules against commands, ready for use. */
export interface CompiledRules {
  readonly globs: ReadonlyArray<Glob>;
  readonly effects: ReadonlyArray<PlacedEffectRule>;
}

/** A policy ready for use. */
export interface CompiledPolicy {
  readonly allow: ReadonlyArray<Glob>;
  readonly deny: CompiledRules;
  readonly ask: CompiledRules;
  readonly cwd: string;
  readonly home: string;
  readonly mode: PermissionMode;
  readonly roots: ReadonlyArray<string>;
}

const compiled = new WeakMap<CommandPolicy, { readonly of: ReadonlyArray<string>; readonly made: CompiledPolicy }>();

// All that a policy says, each list with its length.
const contentsOf = ({ allow, ask, cwd, deny, home, mode, workspaceRoots }: CommandPolicy): ReadonlyArray<string> => [
  cwd,
  home,
  mode ?? "ask",
  ...[allow, deny, ask ?? [], workspaceRoots ?? []].flatMap((list) => [`${list.length}`, ...list]),
];

const isSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);

/** Compiles a policy, once for what it says. Throws a `TypeError` that names a rule which cannot be one. */
export const compilePolicy = (policy: CommandPolicy): CompiledPolicy => {
  const found = compiled.get(policy);
  const contents = contentsOf(policy);
  if (found !== undefined && isSame(found.of, contents)) return found.made;
  const cwd = resolvePath("/", policy.cwd);
  const home = resolvePath("/", policy.home);
  const rules = (list: ReadonlyArray<string>): CompiledRules => ({
    globs: list.filter((source) => parseEffectRule(source) === undefined).map(ruleGlob),
    effects: list.flatMap((source) => {
      const rule = parseEffectRule(source);
      if (rule !== undefined) refuse(source, effectRuleProblem(rule));
      return rule === undefined ? [] : [placeEffectRule(rule, cwd, home)];
    }),
  });
  const made: CompiledPolicy = {
    allow: rules(policy.allow).globs,
    deny: rules(policy.deny),
    ask: rules(policy.ask ?? []),
    cwd,
    home,
    mode: policy.mode ?? "ask",
    roots: [cwd, ...(policy.workspaceRoots ?? []).map((root) => resolvePath("/", root))],
  };
  compiled.set(policy, { of: contents, made });
  return made;
};

const ruleGlob = (source: string): Glob => {
  refuse(source, globProblem(source));
  return compileGlob(source);
};

const refuse = (source: string, problem: string | undefined): void => {
  if (problem !== undefined) throw new TypeError(`the rule ${JSON.stringify(source)} cannot be used: ${problem}`);
};
