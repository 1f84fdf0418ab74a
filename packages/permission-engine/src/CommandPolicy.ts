import { compileGlob, type Glob, globProblem } from "./Glob.ts";
import { resolvePath } from "./PathKey.ts";

/** How much runs without asking. No mode lifts a fixed rule or a denial. */
export type PermissionMode = "plan" | "ask" | "accept-edits" | "auto";

/** What commands are judged by. Treat it as immutable: what is compiled from it is cached by identity. */
export interface CommandPolicy {
  /** Globs over the normalised command; see {@link Glob}. */
  readonly allow: ReadonlyArray<string>;
  readonly deny: ReadonlyArray<string>;
  /** Asks even where another rule allows. Default: none. */
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

/** A policy ready for use. */
export interface CompiledPolicy {
  readonly allow: ReadonlyArray<Glob>;
  readonly deny: ReadonlyArray<Glob>;
  readonly ask: ReadonlyArray<Glob>;
  readonly cwd: string;
  readonly home: string;
  readonly mode: PermissionMode;
  readonly roots: ReadonlyArray<string>;
}

const compiled = new WeakMap<CommandPolicy, CompiledPolicy>();

/** Compiles a policy, once per policy object. Throws a `TypeError` that names a rule which cannot be one. */
export const compilePolicy = (policy: CommandPolicy): CompiledPolicy => {
  const found = compiled.get(policy);
  if (found !== undefined) return found;
  const cwd = resolvePath("/", policy.cwd);
  const made: CompiledPolicy = {
    allow: policy.allow.map(ruleGlob),
    deny: policy.deny.map(ruleGlob),
    ask: (policy.ask ?? []).map(ruleGlob),
    cwd,
    home: resolvePath("/", policy.home),
    mode: policy.mode ?? "ask",
    roots: [cwd, ...(policy.workspaceRoots ?? []).map((root) => resolvePath("/", root))],
  };
  compiled.set(policy, made);
  return made;
};

const ruleGlob = (source: string): Glob => {
  const problem = globProblem(source);
  if (problem !== undefined) throw new TypeError(`the rule ${JSON.stringify(source)} cannot be used: ${problem}`);
  return compileGlob(source);
};
