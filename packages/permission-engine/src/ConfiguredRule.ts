import * as Schema from "effect/Schema";

/** A rule with examples that are checked when the settings are read. */
export const RuleWithExamples = Schema.Struct({
  rule: Schema.String,
  /** What the rule, alone, must decide about. */
  match: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What it must leave alone. */
  notMatch: Schema.optionalKey(Schema.Array(Schema.String)),
});

/** A rule as settings hold it: its text, or its text with examples. */
export type ConfiguredRule = string | typeof RuleWithExamples.Type;

/** The rule's own text. */
export const ruleText = (configured: ConfiguredRule): string =>
  typeof configured === "string" ? configured : configured.rule;
