import {
  isJsonObject,
  type Json,
  type JsonObject,
  type ModelEvent,
  type StopReason,
  type Usage,
} from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { problemOfError } from "./CallProblem.ts";
import { addReasoningDetail } from "./internal/reasoningDetails.ts";
import { countIn, isList, objectIn, parseObject, textIn } from "./internal/wireJson.ts";
import { type CallDraft, makeReplyDraft, type ProseDraft, tooManyCalls } from "./ReplyDraft.ts";
import { notJson, type ReplyOptions, type ReplyReader, streamIsCut, streamIsEmpty } from "./ReplyReader.ts";

/** What a reply is read against. */
export interface ChatCompletionsReplyOptions extends ReplyOptions {
  /** Model whose reasoning is kept for it to be sent back; absent: it is kept as text only. */
  readonly keepsReasoningOf?: string;
}

interface KnownCall {
  /** The server's index and id: fragments are matched by both. */
  readonly key: number | undefined;
  readonly serverId: string;
  readonly draft: CallDraft;
}

/**
 * Makes a reader for one Chat Completions stream. `onEvent` is called synchronously while chunks are read.
 *
 * Fragments of parallel calls may be interleaved and may lack index or id; a call without an id of its own gets
 * `call_<messages>_<n>`. Under tool choice `none` calls are dropped: some servers ignore the choice.
 */
export const makeChatCompletionsReply = (
  options: ChatCompletionsReplyOptions,
  onEvent: (event: ModelEvent) => void,
): ReplyReader => {
  const { keepsReasoningOf: keptModel } = options;
  const draft = makeReplyDraft(options, onEvent);
  const calls: Array<KnownCall> = [];
  const details: Array<JsonObject> = [];
  let finishReason: string | undefined;
  let refused = false;
  let usage: Usage | undefined;
  let isDone = false;
  let chunks = 0;

  const callOf = (key: number | undefined, serverId: string, name: string): CallDraft => {
    const known = key === undefined ? undefined : calls.findLast((call) => call.key === key);
    // Some servers number every call 0, or none: then a new id, or a new name without one, begins a new call.
    if (known !== undefined && (serverId === "" || known.serverId === "" || known.serverId === serverId))
      return known.draft;
    if (key === undefined) {
      const byId = serverId === "" ? undefined : calls.findLast((call) => call.serverId === serverId);
      const last = byId ?? (serverId === "" && name === "" ? calls.at(-1) : undefined);
      if (last !== undefined) return last.draft;
    }
    const call = { key, serverId, draft: draft.call(serverId) };
    calls.push(call);
    return call.draft;
  };

  const callFragment = (fragment: JsonObject): void => {
    const { index, function: target } = fragment;
    if (!isJsonObject(target)) return;
    const name = textIn(target, "name");
    const call = callOf(typeof index === "number" ? index : undefined, textIn(fragment, "id"), name);
    draft.addToCall(call, name, argumentText(target["arguments"]));
    const extra = fragment["extra_content"];
    if (keptModel !== undefined && isJsonObject(extra))
      call.providerData = { chat: { model: keptModel, extra_content: extra } };
  };

  const readReasoning = (delta: JsonObject): void => {
    draft.say("reasoning", textIn(delta, "reasoning_content") || textIn(delta, "reasoning"));
    const told = delta["reasoning_details"];
    if (keptModel === undefined || !isList(told)) return;
    for (const detail of told) if (isJsonObject(detail)) addReasoningDetail(details, detail);
  };

  // Some servers send reasoning and text as the typed parts of one content.
  const readContent = (content: ReadonlyArray<Json>): void => {
    for (const part of content) {
      if (!isJsonObject(part)) continue;
      const { thinking } = part;
      draft.say("text", textIn(part, "text"));
      if (isList(thinking))
        for (const piece of thinking) if (isJsonObject(piece)) draft.say("reasoning", textIn(piece, "text"));
    }
  };

  const readDelta = (delta: JsonObject): void => {
    const { content, refusal, tool_calls: fragments } = delta;
    readReasoning(delta);
    if (typeof content === "string") draft.say("text", content);
    else if (isList(content)) readContent(content);
    if (typeof refusal === "string" && refusal !== "") {
      refused = true;
      draft.say("text", refusal);
    }
    if (options.toolChoice === "none" || !isList(fragments)) return;
    for (const fragment of fragments) {
      // One event may hold a hundred thousand: the reply is refused below, and nothing more is looked at.
      if (draft.hasTooManyCalls()) return;
      if (isJsonObject(fragment)) callFragment(fragment);
    }
  };

  return {
    read: (data) => {
      if (data === "[DONE]") {
        isDone = true;
        return undefined;
      }
      const chunk = parseObject(data);
      if (chunk === undefined) return notJson(data);
      if (chunk["error"] !== undefined && chunk["error"] !== null) return problemOfError(chunk["error"]);
      chunks++;
      if (isJsonObject(chunk["usage"])) usage = usageOf(chunk["usage"]);
      const choices = chunk["choices"];
      const choice = isList(choices) ? choices[0] : undefined;
      if (!isJsonObject(choice) || (choice["index"] ?? 0) !== 0) return undefined;
      const { delta, finish_reason: finish } = choice;
      if (isJsonObject(delta)) readDelta(delta);
      if (typeof finish === "string" && finish !== "") finishReason = finish;
      return draft.hasTooManyCalls() ? tooManyCalls : undefined;
    },
    isDone: () => isDone,
    finish: () => {
      if (chunks === 0) return Result.fail(streamIsEmpty);
      if (finishReason === undefined && !isDone) return Result.fail(streamIsCut);
      const thought = draft.parts.find((part): part is ProseDraft => part.type === "reasoning");
      if (keptModel !== undefined && (thought !== undefined || details.length > 0))
        (thought ?? draft.prose("reasoning")).providerData = {
          chat: { model: keptModel, ...(details.length === 0 ? {} : { reasoning_details: details }) },
        };
      return draft.finish({ stop: refused ? "refusal" : stopOf(finishReason), usage });
    },
    spent: () => (chunks === 0 ? undefined : draft.spent(usage)),
  };
};

const stopOf = (finish: string | undefined): StopReason =>
  (finish === undefined ? undefined : stopReasons.get(finish)) ?? "other";

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end"],
  ["eos", "end"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["content_filter", "refusal"],
  ["refusal", "refusal"],
]);

// Counts that are none leave it to the estimate: nothing is free.
const usageOf = (usage: JsonObject): Usage | undefined => {
  const inputTokens = countIn(usage, "prompt_tokens");
  const outputTokens = countIn(usage, "completion_tokens");
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const input = objectIn(usage, "prompt_tokens_details");
  const cacheReadTokens = countIn(input, "cached_tokens") ?? countIn(usage, "prompt_cache_hit_tokens");
  const cacheWriteTokens = countIn(input, "cache_write_tokens") ?? countIn(input, "cache_creation_tokens");
  const reasoningTokens = countIn(objectIn(usage, "completion_tokens_details"), "reasoning_tokens");
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};

const argumentText = (value: Json | undefined): string => {
  if (typeof value === "string") return value;
  return isJsonObject(value) ? JSON.stringify(value) : "";
};
