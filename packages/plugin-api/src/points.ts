import type * as Effect from "effect/Effect";
import type { AuditRecord } from "./AuditRecord.ts";
import type { Decision } from "./Decision.ts";
import { extensionPoint } from "./ExtensionPoint.ts";
import type { Json } from "./Json.ts";
import type { ToolResultPart } from "./Message.ts";
import type { ModelCallFailed, ModelEvent, ModelReply, ModelRequest } from "./Model.ts";
import type { ProposedCall } from "./PermissionGate.ts";
import type { RunOutcome } from "./RunOutcome.ts";
import type { Tool } from "./Tool.ts";

/** The run a contribution is asked about. */
export interface RunInfo {
  readonly runId: string;
  readonly sessionKey: string;
  readonly cwd: string;
  /** Model calls made so far in this run, the current one included. */
  readonly iteration: number;
}

/** `Tools`: what the model can call. Two tools of one name are refused when the harness is built. */
export const Tools = extensionPoint<Tool>("kumiko/Tools");

/**
 * `workspace.root`: the folder runs work in, as an absolute path. The first wins; the harness's own `cwd` beats it.
 * Without any, runs work in `/`, which grants nothing: file rules never count the root folder as a workspace.
 */
export const WorkspaceRoot = extensionPoint<string>("kumiko/workspace.root");

/** A part of the system prompt. Equal `content` from run to run keeps provider caches warm. */
export interface PromptSection {
  readonly id: string;
  readonly content: string;
}

/** The prompt under construction: `stable` comes before `volatile`, each in list order. */
export interface PromptDraft {
  readonly stable: ReadonlyArray<PromptSection>;
  readonly volatile: ReadonlyArray<PromptSection>;
}

/**
 * `prompt.build`: shapes the system prompt, once a run, before its first model call. Serial, in order, each given what
 * the one before returned. One that fails is left out and reported as `plugin.failed`.
 */
export const PromptBuild =
  extensionPoint<(draft: PromptDraft, run: RunInfo) => Effect.Effect<PromptDraft>>("kumiko/prompt.build");

/**
 * `model.call`: wraps each model call, the first contribution outermost. May change the request or the reply, call
 * `next` again, or answer by itself. Its failure is the call's failure.
 */
export const ModelCall = extensionPoint<
  (
    request: ModelRequest,
    next: (request: ModelRequest) => Effect.Effect<ModelReply, ModelCallFailed>,
    context: {
      readonly run: RunInfo;
      /** Id of the model that is asked: another than before where the first has failed for good. */
      readonly model: string;
      readonly onEvent: (event: ModelEvent) => void;
    },
  ) => Effect.Effect<ModelReply, ModelCallFailed>
>("kumiko/model.call");

/** What a contribution to {@link ToolCallAdmit} says of a call. `pass` decides nothing and lifts nothing. */
export type AdmissionVerdict =
  | { readonly type: "pass" }
  | { readonly type: "rewrite"; readonly input: Json }
  | { readonly type: "ask"; readonly reason: string }
  | { readonly type: "block"; readonly reason: string };

/**
 * `toolCall.admit`: asked serially about each call that the rules did not refuse, after the rules. `block` is terminal.
 * `ask` puts an allowed call to the user. The first `rewrite` replaces the input and the rules are applied again; a
 * second one blocks. One that fails blocks the call.
 */
export const ToolCallAdmit =
  extensionPoint<(call: ProposedCall, decision: Decision, run: RunInfo) => Effect.Effect<AdmissionVerdict>>(
    "kumiko/toolCall.admit",
  );

/** A call that is over, as {@link ToolCallAfter} sees it. `call` is absent where the arguments never fitted. */
export interface SettledCall {
  readonly result: ToolResultPart;
  readonly call?: ProposedCall;
  /** False for results that were reused, refused or cancelled: nothing ran. */
  readonly executed: boolean;
}

/** What a contribution to {@link ToolCallAfter} says: `result` replaces the result, `nudge` and `forceStop` steer. */
export type AfterVerdict =
  | { readonly type: "continue"; readonly result?: ToolResultPart }
  | { readonly type: "nudge"; readonly text: string; readonly result?: ToolResultPart }
  | { readonly type: "forceStop"; readonly reason: string; readonly result?: ToolResultPart };

/**
 * `toolCall.after`: asked serially, in call order, about each call that is over, each given the result the one before
 * shaped. All are asked; `forceStop` beats `nudge` beats `continue`. One that fails counts as `continue` and is reported
 * as `plugin.failed`.
 */
export const ToolCallAfter =
  extensionPoint<(settled: SettledCall, run: RunInfo) => Effect.Effect<AfterVerdict>>("kumiko/toolCall.after");

/** `run.end`: told once when a run is over. One that fails is reported as `plugin.failed`. */
export const RunEnd = extensionPoint<(outcome: RunOutcome, run: RunInfo) => Effect.Effect<void>>("kumiko/run.end");

/**
 * `audit`: told of every proposed call, in call order, after it is over: executed, reused, denied or blocked. Records
 * are complete when told: redaction is the sink's duty before it writes. One that fails is reported as `plugin.failed`.
 */
export const Audit = extensionPoint<(record: AuditRecord) => Effect.Effect<void>>("kumiko/audit");
