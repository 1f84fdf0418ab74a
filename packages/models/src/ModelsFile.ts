import * as Schema from "effect/Schema";

const Dollars = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0));
const Tokens = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1));

/** What a user says of a model; it wins over the catalogue. */
export const ModelOverride = Schema.Struct({
  contextWindow: Schema.optionalKey(Tokens),
  maxOutput: Schema.optionalKey(Tokens),
  prices: Schema.optionalKey(
    Schema.Struct({
      input: Dollars,
      output: Dollars,
      cacheRead: Schema.optionalKey(Dollars),
      cacheWrite: Schema.optionalKey(Dollars),
    }),
  ),
});

/** A provider of one's own. */
export const OwnProvider = Schema.Struct({
  baseUrl: Schema.String,
  wire: Schema.Literals(["anthropic", "chat", "responses"]),
  keyVariable: Schema.optionalKey(Schema.String),
});

/** One of several accounts with a provider. */
export const AuthProfile = Schema.Struct({
  keyVariable: Schema.String,
  baseUrl: Schema.optionalKey(Schema.String),
});

/** A user's `models.yaml`. Every part may be left out. It names variables that hold keys, never a key. */
export const ModelSettings = Schema.Struct({
  models: Schema.optionalKey(Schema.Record(Schema.String, ModelOverride)),
  providers: Schema.optionalKey(Schema.Record(Schema.String, OwnProvider)),
  profiles: Schema.optionalKey(Schema.Record(Schema.String, Schema.Record(Schema.String, AuthProfile))),
  fallbacks: Schema.optionalKey(Schema.Array(Schema.String)),
});
export type ModelSettings = typeof ModelSettings.Type;

/** A mistake in a `models.yaml`: where it stands and what was expected. It holds no value of the file. */
export class ModelSettingsFileInvalid extends Schema.TaggedError<ModelSettingsFileInvalid>()(
  "ModelSettingsFileInvalid",
  {
    file: Schema.String,
    /** From 1; 0: the file as a whole. */
    line: Schema.Int,
    column: Schema.Int,
    problem: Schema.String,
  },
) {
  override get message(): string {
    return this.line === 0
      ? `${this.file}: ${this.problem}`
      : `${this.file}:${this.line}:${this.column}: ${this.problem}`;
  }
}
