import * as Schema from "effect/Schema";
import { Decision } from "./Decision.ts";
import { Json } from "./Json.ts";
import { AssistantMessage, ToolResultPart } from "./Message.ts";
import { ModelFailureReason, Usage } from "./Model.ts";
import { RunOutcome } from "./RunOutcome.ts";

/** Version of the public stream. New kinds of event and new optional fields do not raise it; readers skip what they do not know. */
export const runEventSchemaVersion = 1;

const event = <const Type extends string, const Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({
    schemaVersion: Schema.Literal(runEventSchemaVersion),
    type: Schema.Literal(type),
    runId: Schema.String,
    sessionKey: Schema.String,
    /** Counts up by one within a run, deltas included. */
    seq: Schema.Int,
    /** Milliseconds since 1970. */
    time: Schema.Finite,
    ...fields,
  });

/**
 * The public stream of a run: what terminals, pages and programs see. Exactly one `lifecycle.start` comes first and
 * exactly one of `lifecycle.end` and `lifecycle.error` last. Deltas are ephemeral: the finished message supersedes them.
 */
export const RunEvent = Schema.Union([
  event("lifecycle.start", {
    model: Schema.String,
    isRehearsal: Schema.Boolean,
    cwd: Schema.String,
    /** The run goes on where an earlier process left it. */
    isResumed: Schema.optionalKey(Schema.Boolean),
    /** The session's file was damaged and has been mended: what is lost, and where the damaged file is. */
    repair: Schema.optionalKey(Schema.String),
  }),
  event("lifecycle.end", { outcome: RunOutcome }),
  event("lifecycle.error", { outcome: RunOutcome }),
  event("assistant.delta", { text: Schema.String }),
  event("assistant.end", { message: AssistantMessage, usage: Usage, costUsd: Schema.optionalKey(Schema.Finite) }),
  /** A model call gave nothing. What its deltas showed is void. */
  event("model.failed", {
    model: Schema.String,
    reason: ModelFailureReason,
    detail: Schema.String,
    /** How many calls in a row have failed now. */
    attempt: Schema.Int,
    /** How many may fail in a row before it is given up. Told with `retryAt`. */
    attempts: Schema.optionalKey(Schema.Int),
    /** When it is tried again, in milliseconds since 1970. Absent: it is not, or another model is asked. */
    retryAt: Schema.optionalKey(Schema.Finite),
  }),
  /** From now on, and until the run ends, another model or account is asked. */
  event("model.switched", { from: Schema.String, to: Schema.String, reason: Schema.String }),
  /** The model has said nothing for so long; it is still waited for. */
  event("model.silent", { silentMillis: Schema.Finite }),
  event("reasoning.delta", { text: Schema.String }),
  event("tool.start", { callId: Schema.String, tool: Schema.String, input: Json }),
  event("tool.update", { callId: Schema.String, text: Schema.String }),
  event("tool.end", {
    callId: Schema.String,
    tool: Schema.String,
    result: ToolResultPart,
    /** The result was taken from an earlier, equal call. */
    reused: Schema.Boolean,
  }),
  event("approval.start", {
    questionId: Schema.String,
    callId: Schema.String,
    prompt: Schema.String,
    decision: Decision,
  }),
  event("approval.end", { questionId: Schema.String, callId: Schema.String, answer: Schema.String }),
  event("loop.nudge", { text: Schema.String }),
  /**
   * The reply was no answer, and the model is asked once more. `continue`: it was cut at the output limit, and goes on;
   * `correct`: it claimed calls that were not made; `again`: it was empty. Of `correct` and `again` the reply is void.
   * `checkpoint`: three fifths of the run are used, and the model is asked where it stands; `goOn`: it has said so.
   */
  event("loop.followUp", {
    kind: Schema.Literals(["continue", "correct", "again", "checkpoint", "goOn"]),
    reason: Schema.String,
  }),
  event("loop.forceStop", { reason: Schema.String }),
  event("plugin.failed", { point: Schema.String, detail: Schema.String }),
]);
export type RunEvent = typeof RunEvent.Type;

/** The fields of an event that its maker does not set. */
type Stamp = "schemaVersion" | "runId" | "sessionKey" | "seq" | "time";
type WithoutStamp<Event> = Event extends unknown ? Omit<Event, Stamp> : never;

/** An event before it is given run, number and time. */
export type RunEventBody = WithoutStamp<RunEvent>;

/** Whether an event is a fragment that a later event supersedes, and may be merged or dropped under load. */
export const isEphemeral = (event: { readonly type: RunEvent["type"] }): boolean =>
  event.type === "assistant.delta" || event.type === "reasoning.delta" || event.type === "tool.update";
