import * as Schema from "effect/Schema";
import { Decision } from "./Decision.ts";
import { Json } from "./Json.ts";
import { ToolStatus } from "./Message.ts";

/**
 * What became of a proposed call. `executed`: it ran (well or not); `reused`: answered from an earlier result;
 * `denied`: refused by a rule, a mode or the user; `blocked`: refused by a plugin; `invalid`: no such tool, or arguments
 * that do not fit; `cancelled`: the run ended first.
 */
export const AuditDisposition = Schema.Literals(["executed", "reused", "denied", "blocked", "invalid", "cancelled"]);
export type AuditDisposition = typeof AuditDisposition.Type;

/** One proposed call in the audit log. */
export const AuditRecord = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  /** Milliseconds since 1970, when the record was made. */
  time: Schema.Finite,
  runId: Schema.String,
  sessionKey: Schema.String,
  iteration: Schema.Int,
  callId: Schema.String,
  tool: Schema.String,
  input: Json,
  disposition: AuditDisposition,
  status: ToolStatus,
  /** The gate's last word, user's answer included; absent where the gate was not reached. */
  decision: Schema.optionalKey(Decision),
  /** Who approved, where somebody was asked: `user`. */
  approver: Schema.optionalKey(Schema.String),
  /** Milliseconds the execution took; absent where nothing ran. */
  durationMillis: Schema.optionalKey(Schema.Finite),
});
export type AuditRecord = typeof AuditRecord.Type;
