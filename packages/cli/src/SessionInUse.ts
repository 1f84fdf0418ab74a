import * as Schema from "effect/Schema";

/** Another process writes the session. Nothing was done. */
export class SessionInUse extends Schema.TaggedError<SessionInUse>()("SessionInUse", { id: Schema.String }) {
  override get message(): string {
    const { id } = this;
    return `session ${id} is in use by another process. Wait for its run to end, or reach into it: kumiko send ${id} "…" gives it a message, kumiko abort ${id} ends its run`;
  }
}
