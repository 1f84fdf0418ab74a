import { ruleProblem } from "./ToolRule.ts";

/** More are a sign of a mistake; every call is held against all of them. */
const mostGrants = 1_000;

/**
 * Allowances that are given while the engine runs, such as "yes, for this session". They count as `allow` rules do: fixed
 * refusals, denials and questions stay above them. Nothing is written anywhere.
 *
 * @example
 * ```ts
 * const grants = makeGrants()
 * const permissions = permissionEngine({ grants })
 * grants.allow(["npm test"]) // from now on
 * ```
 */
export class Grants {
  readonly #rules = new Set<string>();

  /** What was given, in that order. */
  get rules(): ReadonlyArray<string> {
    return [...this.#rules];
  }

  /** How many there are: it changes with every new one, as nothing is ever taken away. */
  get size(): number {
    return this.#rules.size;
  }

  /** Gives allowances, all or none: a `TypeError` names the one that cannot be a rule, or says that there are too many. */
  allow(rules: ReadonlyArray<string>): void {
    for (const rule of rules) {
      const problem = ruleProblem(rule);
      if (problem !== undefined) throw new TypeError(`the rule ${JSON.stringify(rule)} cannot be used: ${problem}`);
    }
    const after = new Set([...this.#rules, ...rules]);
    if (after.size > mostGrants) throw new TypeError(`there are ${after.size} grants; ${mostGrants} is the most`);
    for (const rule of rules) this.#rules.add(rule);
  }
}

/** Grants, none given yet. */
export const makeGrants = (): Grants => new Grants();
