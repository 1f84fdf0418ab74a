import type * as Effect from "effect/Effect";
import type * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import type { AdmittedCall } from "./AdmittedCall.ts";
import type { Resource, Risk } from "./Decision.ts";
import type { Json, JsonObject } from "./Json.ts";
import { type FileChange, KnownFile, type Recovered, type Recovery } from "./Recovery.ts";
import { ImagePart } from "./Message.ts";

/** What a tool gives back. Empty text is labelled as empty before the model sees it. */
export const ToolOutput = Schema.Struct({
  text: Schema.String,
  images: Schema.optionalKey(Schema.Array(ImagePart)),
  /** Files whose whole content the call saw or wrote, as it was then: the session remembers them. Never shown. */
  files: Schema.optionalKey(Schema.Array(KnownFile)),
});
export type ToolOutput = typeof ToolOutput.Type;

/** A tool that could not do its work. `hint` tells the model what to do about it. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", {
  /** `validation`: fix the arguments; `transient`: the same call may succeed; `refused`: will not be done; `failed`: any other. */
  kind: Schema.Literals(["validation", "transient", "refused", "failed"]),
  detail: Schema.String,
  hint: Schema.optionalKey(Schema.String),
}) {
  override get message(): string {
    return this.hint === undefined ? this.detail : `${this.detail} ${this.hint}`;
  }
}

/** Arguments that do not fit the tool's schema; `detail` names the field. */
export class ToolInputInvalid extends Schema.TaggedError<ToolInputInvalid>()("ToolInputInvalid", {
  tool: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `invalid arguments for ${this.tool}: ${this.detail}`;
  }
}

/** What a tool may know and do while it runs. */
export interface ToolContext {
  readonly callId: string;
  readonly runId: string;
  readonly sessionKey: string;
  /** Absolute path of the folder the run works in. */
  readonly cwd: string;
  /**
   * Whether this call may also touch `resource`, a file below the folder it declared for instance: what the gate allows
   * outright, and what a person's yes to the call covers as long as nothing denies it. For tools that find out on the
   * way what they touch.
   */
  readonly permits: (resource: Resource) => Effect.Effect<boolean>;
  /** The digest of a file as this session last saw or wrote it; absolute path, links followed. */
  readonly knownDigest: (path: string) => string | undefined;
  /** What `prepare` found out about this very call; empty where there is no `prepare`. */
  readonly changes: ReadonlyArray<FileChange>;
  /** Shows progress to people; never part of the result. Synchronous, never throws, may be dropped under load. */
  readonly progress: (text: string) => void;
}

/** A call whose arguments fit: what it would do, and the way to do it. Nothing has run yet. */
export interface InspectedCall {
  readonly risk: Risk;
  readonly resources: ReadonlyArray<Resource>;
  /** The shell command this call would run, where it is one: the gate analyses it. */
  readonly command?: string;
  /** Names the effect (target + action + payload), equal for calls that would do the same thing. */
  readonly effectKey?: string;
  /** What becomes of the call when the process dies while it runs. Absent: `rerun` for risk `read`, else `ask`. */
  readonly recovery?: Recovery;
  /**
   * Finds out which files the call will change, right before it does. What it gives is made safe together with the
   * intent to run the call, so that the outcome can be looked up and the change undone. Changes nothing itself.
   */
  readonly prepare?: (context: ToolContext) => Effect.Effect<ReadonlyArray<FileChange>, ToolFailed>;
  /** For recovery `lookup`: whether an earlier attempt happened. `changes` is what its `prepare` gave, without bytes. */
  readonly lookup?: (changes: ReadonlyArray<FileChange>, context: ToolContext) => Effect.Effect<Recovered>;
  /** Does it. Accepts only the admitted form of this very call, once; anything else is a defect, before any effect. */
  readonly execute: (call: AdmittedCall, context: ToolContext) => Effect.Effect<ToolOutput, ToolFailed>;
}

/** Something a model can call. Make one with `defineTool`. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** A successful call may answer an identical later one, as long as nothing could have changed its result. */
  readonly cacheable: boolean;
  /** The call is interrupted and fails after this long. */
  readonly timeoutMillis: number;
  /** Pure and synchronous: no effect, no I/O. */
  readonly inspect: (input: Json, cwd: string) => Result.Result<InspectedCall, ToolInputInvalid>;
}
