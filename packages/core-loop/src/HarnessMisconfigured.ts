import * as Schema from "effect/Schema";

/** A harness that cannot be built as it was described. Thrown by `defineHarness`, or failed with when it is first used. */
export class HarnessMisconfigured extends Schema.TaggedError<HarnessMisconfigured>()("HarnessMisconfigured", {
  reason: Schema.Literals(["duplicate-plugin", "wrong-api", "duplicate-service", "duplicate-tool", "bad-option"]),
  detail: Schema.String,
}) {
  override get message(): string {
    return this.detail;
  }
}
