import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { isJsonObject, isTooDeep, type Json, type JsonObject } from "./Json.ts";
import type { AssistantMessage, Message } from "./Message.ts";
import type { ModelPrices } from "./ModelPrices.ts";

const Tokens = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0));

/** Tokens of one model call. `inputTokens` includes what was read from or written to a prompt cache. */
export const Usage = Schema.Struct({
  inputTokens: Tokens,
  outputTokens: Tokens,
  cacheReadTokens: Schema.optionalKey(Tokens),
  cacheWriteTokens: Schema.optionalKey(Tokens),
  reasoningTokens: Schema.optionalKey(Tokens),
});
export type Usage = typeof Usage.Type;

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** Sum of two usages; an optional count appears once either side has it. */
export const addUsage = (a: Usage, b: Usage): Usage => {
  const cacheReadTokens = addOptional(a.cacheReadTokens, b.cacheReadTokens);
  const cacheWriteTokens = addOptional(a.cacheWriteTokens, b.cacheWriteTokens);
  const reasoningTokens = addOptional(a.reasoningTokens, b.reasoningTokens);
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};

const addOptional = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? b : b === undefined ? a : a + b;

/** What the model is told of a tool. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of the input: always of `type: "object"`. */
  readonly inputSchema: JsonObject;
}

/**
 * One model call. `system`, `tools` and `messages` are immutable and keep their identity from call to call as long as
 * they are equal, so an implementation may cache by identity what it serialises.
 */
export interface ModelRequest {
  /** Stable part first: base prompt and context files. Empty: none. */
  readonly system: string;
  readonly tools: ReadonlyArray<ToolSpec>;
  readonly messages: ReadonlyArray<Message>;
  /** `none`: the model must answer in text, whatever `tools` says (they stay listed so that prompt caches hit). */
  readonly toolChoice: "auto" | "none";
  readonly maxOutputTokens?: number;
  /**
   * The answer is to be one JSON value of this schema. A provider without structured output is told so in words: check
   * what comes back. Absent: text.
   */
  readonly output?: OutputSpec;
}

/** What an answer must look like. */
export interface OutputSpec {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON Schema (draft 2020-12), of `type: "object"`. */
  readonly schema: JsonObject;
}

/** Why the model stopped. */
export const StopReason = Schema.Literals(["end", "tool-calls", "length", "refusal", "other"]);
export type StopReason = typeof StopReason.Type;

/** A finished model call. The text parts of `message` equal the concatenated deltas of the call. */
export interface ModelReply {
  readonly message: AssistantMessage;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** What happens while the model speaks. Each `index` names a part: the n-th of the message. */
export type ModelEvent =
  | { readonly type: "text.start" | "text.end" | "reasoning.start" | "reasoning.end"; readonly index: number }
  | { readonly type: "text.delta" | "reasoning.delta"; readonly index: number; readonly text: string }
  | { readonly type: "toolCall.start"; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: "toolCall.delta"; readonly index: number; readonly text: string }
  | { readonly type: "toolCall.end"; readonly index: number };

/** Why a model call failed, in the classes that decide what to do next. */
export const ModelFailureReason = Schema.Literals([
  "rate-limit",
  "overloaded",
  "timeout",
  "network",
  "context-overflow",
  "auth",
  "bad-request",
  "not-found",
  "bad-response",
  "server",
]);
export type ModelFailureReason = typeof ModelFailureReason.Type;

/** A model call that gave no reply. `detail` says what the provider said; it holds no secret. */
export class ModelCallFailed extends Schema.TaggedError<ModelCallFailed>()("ModelCallFailed", {
  reason: ModelFailureReason,
  model: Schema.String,
  detail: Schema.String,
  /** HTTP status, where there was one. */
  status: Schema.optionalKey(Schema.Int),
  /** The provider's wish, in milliseconds from now. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
  /** Tokens the attempt has cost all the same: what the provider told before it broke, or an estimate. */
  usage: Schema.optionalKey(Usage),
}) {
  override get message(): string {
    return `model ${this.model} failed (${this.reason}${this.status === undefined ? "" : `, HTTP ${this.status}`}): ${this.detail}`;
  }

  /** Whether the same call may succeed later. */
  get isRetryable(): boolean {
    return ["rate-limit", "overloaded", "timeout", "network", "server"].includes(this.reason);
  }
}

/**
 * Something that answers conversations.
 *
 * **Contract.** `generate` makes one call. `onEvent` is called synchronously, in order, and never throws; what it was
 * told equals the reply's message. Interrupting the effect ends the call and frees its connection. A failure is always
 * a {@link ModelCallFailed}; nothing is retried here. `languageModelConformance` (`./testing`) checks this.
 */
export interface LanguageModel {
  /** `provider/name`, as in logs and events. */
  readonly id: string;
  /** Which of the provider's accounts it uses, where there are several. Models of equal `id` differ in nothing else. */
  readonly profile?: string;
  /** Tokens the model can see; unknown: absent. */
  readonly contextWindowTokens?: number;
  /** What its tokens cost; unknown: absent. */
  readonly prices?: ModelPrices;
  /** True for a model that only plays a prepared part. Shown to the user. */
  readonly isRehearsal?: boolean;
  readonly generate: (
    request: ModelRequest,
    onEvent: (event: ModelEvent) => void,
  ) => Effect.Effect<ModelReply, ModelCallFailed>;
}

/** Parses a call's argument text. Empty text means no arguments; anything but a JSON object, and one nested deeper than 200, is malformed. */
export const parseToolInput = (text: string): { readonly input: Json; readonly malformed?: string } => {
  if (text.trim() === "") return { input: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !isTooDeep(value) ? { input: value } : { input: null, malformed: text };
  } catch {
    return { input: null, malformed: text };
  }
};
