import { globProblem } from "./Glob.ts";
import { analyseCommand } from "./analyseCommand.ts";
import { type CommandPart, innermost } from "./CommandPart.ts";
import { compilePolicy, type CommandPolicy, type CompiledPolicy } from "./CommandPolicy.ts";
import { decideCommand } from "./decideCommand.ts";
import { isFileRole } from "./effectsOf.ts";
import { gravestOf, hardFindings } from "./hardBlock.ts";
import { judgePart } from "./judgePart.ts";
import { interpreterOf } from "./knowledge/interpreters.ts";
import { shells } from "./knowledge/shells.ts";
import { wrappers } from "./knowledge/wrappers.ts";
import { opensNothing } from "./opensNothing.ts";
import { partDeeds } from "./PartEffect.ts";
import { isInside } from "./PathKey.ts";
import { isInstalled, programName } from "./Program.ts";

/** More rules than this are not offered at once: nobody reads them. */
const mostRules = 8;

/**
 * The rules that a user who is asked about a command could be offered for good: one for each part that needs one, each
 * the part itself, word for word and without a wildcard, so that nothing else is allowed by it. Empty where no such rule
 * would be safe, or enough: for wrappers that add power, interpreters and what else runs code from its arguments, for
 * what runs outside the workspace or names files in another folder (a rule would be for all of them) or is given what it does by standard input, for
 * what ends processes, cannot be undone, writes by redirection or touches sensitive files, and for programs that are not known.
 *
 * @example
 * ```ts
 * const policy = { allow: [], deny: [], cwd: "/srv/project", home: "/home/u" }
 * proposeRules("git add src && npm run deploy", policy) // => ["git add src", "npm run deploy"]
 * proposeRules("sudo git add src", policy) // => []
 * ```
 */
export const proposeRules = (command: string, policy: CommandPolicy): ReadonlyArray<string> => {
  const compiled = compilePolicy(policy);
  const analysis = analyseCommand(command, compiled);
  const hard = hardFindings(analysis, compiled.home);
  if (
    analysis.doubts.length > 0 ||
    gravestOf(hard, false) !== undefined ||
    decideCommand(command, policy).verdict !== "ask"
  )
    return [];
  const rules = new Set<string>();
  for (const part of analysis.parts) {
    const { verdict, layer, isDoubt } = judgePart(part, analysis, compiled, hard);
    if (verdict === "allow") continue;
    const rule =
      isDoubt === true || layer === "ask-rule" || layer === "workspace" || isElsewhere(part, compiled)
        ? undefined
        : ruleOf(part);
    if (rule === undefined) return [];
    rules.add(rule);
  }
  const offered = [...rules];
  if (offered.some((rule) => globProblem(rule) !== undefined)) return [];
  const isEnough = decideCommand(command, { ...policy, allow: [...policy.allow, ...offered] }).verdict === "allow";
  return isEnough && offered.length <= mostRules ? offered : [];
};

const isElsewhere = (part: CommandPart, { cwd, roots }: CompiledPolicy): boolean => {
  const others = part.folders.filter((folder) => folder !== cwd);
  const namesFiles = partDeeds(part).effects.some(
    ({ isUnnamed, role, word }) => isUnnamed !== true && isFileRole(role) && !word.text.startsWith("/"),
  );
  return others.some((folder) => namesFiles || !roots.some((root) => isInside(folder, root)));
};

// Words that mean the same with and without quotes, and hold nothing that a rule reads as a wildcard.
const plainWord = /^[\w./:@%+,=^-][\w./:@%+,=^~-]*$/;

// What mostly works on data is told by its arguments whether it runs code.
const isInterpreter = (program: string): boolean => {
  const interpreter = interpreterOf(program);
  return interpreter !== undefined && interpreter.readsData !== true;
};

const ruleOf = (part: CommandPart): string | undefined => {
  const argv = innermost(part);
  const [name] = argv;
  const { reading, risk } = partDeeds(part);
  const program = programName(name);
  const isWrapped = part.levels.slice(0, -1).some((level) => !level.isTransparent);
  const opensFiles = part.redirects.some(({ target, isSubstitution }) => !isSubstitution && !opensNothing(target));
  const runsCode = shells.has(program) || wrappers.has(program) || isInterpreter(program);
  if (reading?.entry === undefined || isWrapped || opensFiles || runsCode || part.code.length > 0) return undefined;
  // What comes by standard input is no part of the rule.
  const isGiven = part.isPiped === true || part.input !== undefined || /<</.test(part.source);
  if (isGiven && risk !== "read") return undefined;
  if (reading.roled.some(({ role }) => role === "kills")) return undefined;
  if (risk === "irreversible" || (reading.entry.isRunner === true && risk !== "read")) return undefined;
  if (reading.roled.some(({ role }) => role === "unknown" || role === "starts")) return undefined;
  if (!isInstalled(name) || argv.some((word) => !word.isStatic || word.isExpanded || !plainWord.test(word.text)))
    return undefined;
  return [program, ...argv.slice(1).map((word) => word.text)].join(" ");
};
