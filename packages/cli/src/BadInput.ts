import * as Schema from "effect/Schema";

/** What the user gave cannot be used: what is wrong, and what to do. Ends with exit code 2, before anything ran. */
export class BadInput extends Schema.TaggedError<BadInput>()("BadInput", { detail: Schema.String }) {
  override get message(): string {
    return this.detail;
  }
}
