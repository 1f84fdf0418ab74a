import * as Schema from "effect/Schema";

/**
 * Why a database file could not be used. `missing`: there is none; `foreign`: it is no database, or one of another
 * program; `newer`: a later version wrote it; `corrupt`: it is damaged; `locked`: somebody else holds it;
 * `unavailable`: any other trouble with the file system.
 */
export class DatabaseFailed extends Schema.TaggedError<DatabaseFailed>()("DatabaseFailed", {
  reason: Schema.Literals(["missing", "foreign", "newer", "corrupt", "read-only", "full", "locked", "unavailable"]),
  path: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `${this.path}: ${this.detail}`;
  }
}
