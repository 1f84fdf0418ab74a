import { isJsonObject, type JsonObject, type ModelEvent, type StopReason, type Usage } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { type CallProblem, problemOfError } from "./CallProblem.ts";
import { countIn, objectIn, objectsIn, parseObject, textIn } from "./internal/wireJson.ts";
import { type CallDraft, makeReplyDraft, tooManyCalls } from "./ReplyDraft.ts";
import { notJson, type ReplyOptions, type ReplyReader, streamIsCut, streamIsEmpty } from "./ReplyReader.ts";

/** What a reply is read against. */
export interface ResponsesReplyOptions extends ReplyOptions {
  /** Named in what is kept of the reasoning, so that it goes back to no other model. */
  readonly model: string;
}

/** An item of the output under way; `isTold`: some of it was streamed. */
interface Item {
  readonly type: string;
  readonly call: CallDraft | undefined;
  isTold: boolean;
}

/**
 * Makes a reader for one Responses stream. Items of unknown types are skipped. What a server gives only when an item is
 * complete, or only in the last event, is read from there.
 */
export const makeResponsesReply = (
  options: ResponsesReplyOptions,
  onEvent: (event: ModelEvent) => void,
): ReplyReader => {
  const { model, toolChoice } = options;
  const draft = makeReplyDraft(options, onEvent);
  const items = new Map<number, Item>();
  let stop: StopReason | undefined;
  let usage: Usage | undefined;
  let refused = false;
  let isDone = false;
  let hasBegun = false;

  const startItem = (index: number, item: JsonObject): Item => {
    draft.endProse();
    const type = textIn(item, "type");
    const takesCall = type === "function_call" && toolChoice !== "none";
    const call = takesCall ? draft.call(textIn(item, "call_id") || textIn(item, "id")) : undefined;
    if (call !== undefined) draft.addToCall(call, textIn(item, "name"), "");
    const started = { type, call, isTold: false };
    items.set(index, started);
    return started;
  };

  const addText = (index: number, type: "text" | "reasoning", text: string): void => {
    const item = items.get(index);
    if (item !== undefined) item.isTold = true;
    draft.say(type, text);
  };

  const addArguments = (index: number, text: string): void => {
    const call = items.get(index)?.call;
    if (call !== undefined) draft.addToCall(call, "", text);
  };

  const endItem = (index: number, item: JsonObject): void => {
    const { call, type, isTold } = items.get(index) ?? startItem(index, item);
    items.delete(index);
    if (call !== undefined) {
      if (call.text === "") draft.addToCall(call, "", argumentsOf(item));
      draft.endCall(call);
    } else if (type === "reasoning") {
      if (!isTold) draft.say("reasoning", summaryOf(item));
      const { id, encrypted_content: encrypted } = item;
      if (typeof encrypted === "string" && encrypted !== "")
        draft.prose("reasoning").providerData = {
          responses: { id: typeof id === "string" ? id : "", encrypted_content: encrypted, model },
        };
    } else if (type === "message" && !isTold) readContent(item);
    draft.endProse();
  };

  const readContent = (item: JsonObject): void => {
    for (const part of objectsIn(item, "content")) {
      if (part["type"] === "refusal") refused = true;
      draft.say("text", textIn(part, "text") || textIn(part, "refusal"));
    }
  };

  const endResponse = (response: JsonObject): void => {
    isDone = true;
    if (isJsonObject(response["usage"])) usage = usageOf(response["usage"]);
    // Also where the items were never told of one by one.
    if (draft.parts.length === 0)
      for (const [index, item] of objectsIn(response, "output").entries()) endItem(index, item);
    const reason = textIn(objectIn(response, "incomplete_details"), "reason");
    if (response["status"] !== "incomplete" && reason === "") stop = "end";
    else stop = reason === "content_filter" ? "refusal" : reason === "max_output_tokens" ? "length" : "other";
  };

  const failed = (response: JsonObject): CallProblem => {
    if (isJsonObject(response["usage"])) usage = usageOf(response["usage"]);
    return problemOfError(response["error"]);
  };

  const readEvent = (event: JsonObject): CallProblem | undefined => {
    const index = typeof event["output_index"] === "number" ? event["output_index"] : -1;
    switch (event["type"]) {
      case "response.output_text.delta":
        addText(index, "text", textIn(event, "delta"));
        return undefined;
      case "response.function_call_arguments.delta":
        addArguments(index, textIn(event, "delta"));
        return undefined;
      case "response.function_call_arguments.done":
        if (items.get(index)?.call?.text === "") addArguments(index, argumentsOf(event));
        return undefined;
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        addText(index, "reasoning", textIn(event, "delta"));
        return undefined;
      case "response.reasoning_summary_part.added":
        if (items.get(index)?.isTold === true) draft.say("reasoning", "\n\n");
        return undefined;
      case "response.refusal.delta":
        refused = true;
        addText(index, "text", textIn(event, "delta"));
        return undefined;
      case "response.output_item.added":
        startItem(index, objectIn(event, "item"));
        return draft.hasTooManyCalls() ? tooManyCalls : undefined;
      case "response.output_item.done":
        endItem(index, objectIn(event, "item"));
        return draft.hasTooManyCalls() ? tooManyCalls : undefined;
      case "response.completed":
      case "response.incomplete":
        endResponse(objectIn(event, "response"));
        return draft.hasTooManyCalls() ? tooManyCalls : undefined;
      case "response.failed":
      case "response.cancelled":
        return failed(objectIn(event, "response"));
      case "error":
        return problemOfError(event["error"] ?? { code: event["code"] ?? "", message: event["message"] ?? "" });
      default:
        return undefined;
    }
  };

  return {
    read: (data) => {
      // Some servers end every stream as Chat Completions does.
      if (data === "[DONE]") return undefined;
      const event = parseObject(data);
      if (event === undefined) return notJson(data);
      if (event["type"] !== "error") hasBegun = true;
      return readEvent(event);
    },
    isDone: () => isDone,
    finish: () => {
      if (!hasBegun) return Result.fail(streamIsEmpty);
      if (!isDone) return Result.fail(streamIsCut);
      return draft.finish({ stop: refused ? "refusal" : stop, usage });
    },
    spent: () => (hasBegun ? draft.spent(usage) : undefined),
  };
};

const argumentsOf = (item: JsonObject): string => {
  const { arguments: args } = item;
  return isJsonObject(args) ? JSON.stringify(args) : textIn(item, "arguments");
};

const summaryOf = (item: JsonObject): string =>
  [...objectsIn(item, "summary"), ...objectsIn(item, "content")].map((part) => textIn(part, "text")).join("\n\n");

// Counts that are none leave it to the estimate: nothing is free.
const usageOf = (usage: JsonObject): Usage | undefined => {
  const inputTokens = countIn(usage, "input_tokens");
  const outputTokens = countIn(usage, "output_tokens");
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const input = objectIn(usage, "input_tokens_details");
  const cacheReadTokens = countIn(input, "cached_tokens");
  const cacheWriteTokens = countIn(input, "cache_write_tokens");
  const reasoningTokens = countIn(objectIn(usage, "output_tokens_details"), "reasoning_tokens");
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};
