import { isJsonObject, type JsonObject, type ModelEvent, type StopReason, type Usage } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { type CallProblem, problemOfError } from "./CallProblem.ts";
import { countIn, objectIn, parseObject, textIn } from "./internal/wireJson.ts";
import { type CallDraft, makeReplyDraft, tooManyCalls } from "./ReplyDraft.ts";
import { notJson, type ReplyOptions, type ReplyReader, streamIsCut, streamIsEmpty } from "./ReplyReader.ts";

/** What a reply is read against. */
export interface AnthropicReplyOptions extends ReplyOptions {
  /** Named in what is kept of the reasoning, so that it goes back to no other model. */
  readonly model: string;
}

/**
 * Makes a reader for one Anthropic Messages stream. Blocks of unknown types are skipped; thinking keeps its signature,
 * and redacted thinking its data, in `providerData`.
 */
export const makeAnthropicReply = (
  options: AnthropicReplyOptions,
  onEvent: (event: ModelEvent) => void,
): ReplyReader => {
  const { model } = options;
  const draft = makeReplyDraft(options, onEvent);
  const calls = new Map<number, { readonly draft: CallDraft; readonly whole: JsonObject }>();
  let counts: JsonObject = {};
  let stop: StopReason | undefined;
  let isDone = false;
  let hasBegun = false;

  const startBlock = (index: number, block: JsonObject): CallProblem | undefined => {
    draft.endProse();
    const { type } = block;
    if (type === "tool_use" && options.toolChoice !== "none") {
      const call = draft.call(textIn(block, "id"));
      draft.addToCall(call, textIn(block, "name"), "");
      calls.set(index, { draft: call, whole: objectIn(block, "input") });
      return draft.hasTooManyCalls() ? tooManyCalls : undefined;
    }
    if (type === "text") draft.say("text", textIn(block, "text"));
    if (type === "thinking") readThought(textIn(block, "thinking"), textIn(block, "signature"));
    if (type === "redacted_thinking") {
      draft.prose("reasoning").providerData = { anthropic: { redacted: textIn(block, "data"), model } };
      draft.endProse();
    }
    return undefined;
  };

  const readThought = (text: string, signature: string): void => {
    draft.say("reasoning", text);
    if (signature === "") return;
    const thought = draft.prose("reasoning");
    const before = textIn(objectIn(thought.providerData ?? {}, "anthropic"), "signature");
    thought.providerData = { anthropic: { signature: before + signature, model } };
  };

  const readDelta = (index: number, delta: JsonObject): void => {
    switch (delta["type"]) {
      case "text_delta":
        return draft.say("text", textIn(delta, "text"));
      case "thinking_delta":
        return readThought(textIn(delta, "thinking"), "");
      case "signature_delta":
        return readThought("", textIn(delta, "signature"));
      case "input_json_delta": {
        const call = calls.get(index);
        if (call !== undefined) draft.addToCall(call.draft, "", textIn(delta, "partial_json"));
        return undefined;
      }
      default:
        return undefined;
    }
  };

  const endBlock = (index: number): void => {
    const call = calls.get(index);
    if (call === undefined) return draft.endProse();
    // Some servers give the whole input at once, when the block starts.
    const { draft: made, whole } = call;
    if (made.text === "" && Object.keys(whole).length > 0) draft.addToCall(made, "", JSON.stringify(whole));
    draft.endCall(made);
    // Indexes are the stream's own: one that is used again is another block.
    calls.delete(index);
    return undefined;
  };

  const readEvent = (event: JsonObject): CallProblem | undefined => {
    const index = typeof event["index"] === "number" ? event["index"] : -1;
    switch (event["type"]) {
      case "content_block_delta":
        readDelta(index, objectIn(event, "delta"));
        return undefined;
      case "content_block_start":
        return startBlock(index, objectIn(event, "content_block"));
      case "content_block_stop":
        endBlock(index);
        return undefined;
      case "message_start":
        counts = grown(counts, objectIn(objectIn(event, "message"), "usage"));
        return undefined;
      case "message_delta":
        counts = grown(counts, objectIn(event, "usage"));
        stop = stopReasons.get(textIn(objectIn(event, "delta"), "stop_reason")) ?? stop;
        if (stop === undefined && textIn(objectIn(event, "delta"), "stop_reason") !== "") stop = "other";
        return undefined;
      case "message_stop":
        isDone = true;
        return undefined;
      case "error":
        return problemOfError(event["error"]);
      default:
        return undefined;
    }
  };

  return {
    read: (data) => {
      const event = parseObject(data);
      if (event === undefined) return notJson(data);
      if (event["type"] !== "ping" && event["type"] !== "error") hasBegun = true;
      return readEvent(event);
    },
    isDone: () => isDone,
    finish: () => {
      if (!hasBegun) return Result.fail(streamIsEmpty);
      if (!isDone && stop === undefined) return Result.fail(streamIsCut);
      for (const index of calls.keys()) endBlock(index);
      return draft.finish({ stop, usage: usageOf(counts) });
    },
    spent: () => (hasBegun ? draft.spent(usageOf(counts)) : undefined),
  };
};

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "end"],
  ["stop_sequence", "end"],
  ["tool_use", "tool-calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refusal"],
]);

// Counts only grow. What an event leaves open (`null`, with some servers nought) was told before, or will be.
const grown = (counts: JsonObject, told: JsonObject): JsonObject => {
  const merged = { ...counts };
  for (const [key, value] of Object.entries(told)) {
    const before = merged[key];
    if (isJsonObject(value)) merged[key] = value;
    else if (typeof value === "number") merged[key] = typeof before === "number" ? Math.max(before, value) : value;
  }
  return merged;
};

// The provider counts what it read from and wrote to its cache apart.
const usageOf = (counts: JsonObject): Usage | undefined => {
  const input = countIn(counts, "input_tokens");
  const outputTokens = countIn(counts, "output_tokens");
  if (input === undefined && outputTokens === undefined) return undefined;
  const cacheReadTokens = countIn(counts, "cache_read_input_tokens");
  const cacheWriteTokens = countIn(counts, "cache_creation_input_tokens");
  const reasoningTokens = countIn(objectIn(counts, "output_tokens_details"), "thinking_tokens");
  return {
    inputTokens: (input ?? 0) + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0),
    outputTokens: outputTokens ?? 0,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};
