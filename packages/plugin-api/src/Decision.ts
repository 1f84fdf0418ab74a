import * as Schema from "effect/Schema";

/** What a call can do at worst, from mild to grave. Unknown counts as `remote-write`. */
export const Risk = Schema.Literals(["read", "local-write", "remote-write", "irreversible"]);
export type Risk = typeof Risk.Type;

const order: ReadonlyArray<Risk> = ["read", "local-write", "remote-write", "irreversible"];

/** The graver of two risks. */
export const worseRisk = (a: Risk, b: Risk): Risk => (order.indexOf(a) >= order.indexOf(b) ? a : b);

/**
 * Something a call touches: `file:<absolute path>` (a folder stands for all below it), `net:<host>`, `mcp:<server>`, …
 * Calls that may write the same resource never run at the same time.
 */
export const Resource = Schema.Struct({ key: Schema.String, mode: Schema.Literals(["read", "write"]) });
export type Resource = typeof Resource.Type;

/** A single thing a command would do, as far as it can be told before it runs. */
export const CommandEffect = Schema.Struct({
  kind: Schema.Literals(["read", "write", "delete", "execute", "connect", "unknown"]),
  target: Schema.String,
});
export type CommandEffect = typeof CommandEffect.Type;

/** From strictest to mildest; see {@link strictest}. */
export const Verdict = Schema.Literals(["hard-block", "deny", "ask", "allow"]);
export type Verdict = typeof Verdict.Type;

/**
 * Which layer decided: ① `hard-block` (fixed), ② `deny-rule`, ③ `compound` (a part of a compound command decided),
 * ④ `allow-rule` and `safe-list`, ⑤ `user`. `ask-rule` sits between ② and ④; `workspace` are the file rules, `mode` the
 * permission mode, `default` means that no rule spoke.
 */
export const DecisionLayer = Schema.Literals([
  "hard-block",
  "deny-rule",
  "ask-rule",
  "compound",
  "allow-rule",
  "safe-list",
  "workspace",
  "mode",
  "user",
  "default",
]);
export type DecisionLayer = typeof DecisionLayer.Type;

/** The gate's answer about one call, with its grounds: which layer, rule and part decided, in words a user understands. */
export const Decision = Schema.Struct({
  verdict: Verdict,
  layer: DecisionLayer,
  /** The rule that decided, as written or as named; absent where none spoke. */
  rule: Schema.optionalKey(Schema.String),
  /** The part of the command, or the path, that decided. */
  part: Schema.optionalKey(Schema.String),
  reason: Schema.String,
  risk: Risk,
  resources: Schema.Array(Resource),
  effects: Schema.Array(CommandEffect),
});
export type Decision = typeof Decision.Type;

const strictness: Readonly<Record<Verdict, number>> = { "hard-block": 3, deny: 2, ask: 1, allow: 0 };

/**
 * The strictest of several decisions, the first among equals: hard-block > deny > ask > allow.
 *
 * @example
 * ```ts
 * strictest([ask, deny, allow]) // => deny
 * ```
 */
export const strictest = (decisions: readonly [Decision, ...ReadonlyArray<Decision>]): Decision => {
  let found = decisions[0];
  for (const decision of decisions) if (strictness[decision.verdict] > strictness[found.verdict]) found = decision;
  return found;
};
