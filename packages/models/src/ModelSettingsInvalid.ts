import * as Schema from "effect/Schema";

/** Settings of a model that cannot work: which one, why, and what to do. It holds no secret. */
export class ModelSettingsInvalid extends Schema.TaggedError<ModelSettingsInvalid>()("ModelSettingsInvalid", {
  setting: Schema.String,
  problem: Schema.String,
  hint: Schema.String,
}) {
  override get message(): string {
    return `the model's ${this.setting} does not fit: ${this.problem}. ${this.hint}`;
  }
}
