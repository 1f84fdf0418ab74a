import {
  isJsonObject,
  type Json,
  type JsonObject,
  type ModelEvent,
  type StopReason,
  type Usage,
} from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { aiSdkProblem } from "./aiSdkProblem.ts";
import type { CallProblem } from "./CallProblem.ts";
import { countIn, objectIn, textIn } from "./internal/wireJson.ts";
import { type CallDraft, makeReplyDraft, tooManyCalls } from "./ReplyDraft.ts";
import { type ReplyOptions, type ReplyReader, streamIsCut } from "./ReplyReader.ts";

/** As a {@link ReplyReader}, for the parts of an AI SDK stream instead of text. */
export interface AiSdkReply extends Omit<ReplyReader, "read"> {
  readonly read: (part: unknown) => CallProblem | undefined;
}

/**
 * Makes a reader for one stream of an AI SDK model, of any version of its specification. Files, sources and calls that
 * the provider carries out itself are skipped. `model` is named in what is kept of the provider's metadata.
 */
export const makeAiSdkReply = (
  options: ReplyOptions,
  model: string,
  onEvent: (event: ModelEvent) => void,
): AiSdkReply => {
  const draft = makeReplyDraft(options, onEvent);
  const calls = new Map<string, CallDraft>();
  const skipped = new Set<string>();
  let finish: JsonObject | undefined;
  let hasBegun = false;

  const keepMetadata = (part: JsonObject, target: () => { providerData?: JsonObject }): void => {
    const metadata = jsonOf(part["providerMetadata"]);
    if (isJsonObject(metadata)) target().providerData = { aiSdk: { model, metadata } };
  };

  const startCall = (id: string, part: JsonObject): CallDraft | undefined => {
    if (part["providerExecuted"] === true) skipped.add(id);
    if (options.toolChoice === "none" || skipped.has(id)) return undefined;
    const call = draft.call(id);
    calls.set(id, call);
    draft.addToCall(call, textIn(part, "toolName"), "");
    return call;
  };

  const readCall = (part: JsonObject): void => {
    const id = textIn(part, "toolCallId");
    const call = calls.get(id) ?? startCall(id, part);
    if (call === undefined) return;
    const { input } = part;
    if (call.text === "") draft.addToCall(call, "", isJsonObject(input) ? jsonTextOf(input) : textIn(part, "input"));
    keepMetadata(part, () => call);
    draft.endCall(call);
    calls.delete(id);
  };

  const readReasoning = (part: JsonObject): void => {
    if (part["type"] === "reasoning-start") draft.endProse();
    draft.say("reasoning", textIn(part, "delta"));
    keepMetadata(part, () => draft.prose("reasoning"));
    if (part["type"] === "reasoning-end") draft.endProse();
  };

  const readPart = (part: JsonObject): CallProblem | undefined => {
    const id = textIn(part, "id");
    switch (part["type"]) {
      case "text-start":
      case "text-end":
        draft.endProse();
        return undefined;
      case "text-delta":
        draft.say("text", textIn(part, "delta"));
        return undefined;
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        readReasoning(part);
        return undefined;
      case "tool-input-start": {
        const call = startCall(id, part);
        if (call !== undefined) keepMetadata(part, () => call);
        return draft.hasTooManyCalls() ? tooManyCalls : undefined;
      }
      case "tool-input-delta": {
        const call = calls.get(id);
        if (call !== undefined) draft.addToCall(call, "", textIn(part, "delta"));
        return undefined;
      }
      case "tool-call":
        readCall(part);
        return draft.hasTooManyCalls() ? tooManyCalls : undefined;
      case "finish":
        finish = part;
        return finishReasonOf(part) === "error"
          ? { reason: "server", detail: "the provider ended the reply with an error" }
          : undefined;
      case "error":
        return aiSdkProblem(part["error"]);
      default:
        return undefined;
    }
  };

  const usage = (): Usage | undefined => (finish === undefined ? undefined : usageOf(objectIn(finish, "usage")));

  return {
    read: (part) => {
      if (!isJsonObject(part)) return undefined;
      if (!isPreamble(part["type"])) hasBegun = true;
      return readPart(part);
    },
    isDone: () => finish !== undefined,
    finish: () =>
      finish === undefined
        ? Result.fail(streamIsCut)
        : draft.finish({ stop: stopReasons.get(finishReasonOf(finish)) ?? "other", usage: usage() }),
    spent: () => (hasBegun ? draft.spent(usage()) : undefined),
  };
};

const isPreamble = (type: Json | undefined): boolean =>
  type === "stream-start" || type === "error" || type === "raw" || type === "ping";

const stopReasons: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end"],
  ["length", "length"],
  ["content-filter", "refusal"],
  ["tool-calls", "tool-calls"],
]);

// A word of its own up to version 2, a field of an object since.
const finishReasonOf = (part: JsonObject): string =>
  textIn(part, "finishReason") || textIn(objectIn(part, "finishReason"), "unified");

// Flat up to version 2, nested since. Absent counts leave it to the estimate.
const usageOf = (usage: JsonObject): Usage | undefined => {
  const input = objectIn(usage, "inputTokens");
  const output = objectIn(usage, "outputTokens");
  const inputTokens = countIn(usage, "inputTokens") ?? countIn(input, "total");
  const outputTokens = countIn(usage, "outputTokens") ?? countIn(output, "total");
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cacheReadTokens = countIn(usage, "cachedInputTokens") ?? countIn(input, "cacheRead");
  const cacheWriteTokens = countIn(input, "cacheWrite");
  const reasoningTokens = countIn(usage, "reasoningTokens") ?? countIn(output, "reasoning");
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};

// An adapter may give what is no JSON: then the arguments are malformed, which the model is told.
const jsonTextOf = (value: JsonObject): string => {
  try {
    return JSON.stringify(value);
  } catch {
    return "{";
  }
};

// Metadata is promised to be JSON, but may hold `undefined`, which is none.
const jsonOf = (value: unknown): unknown => {
  try {
    const text: string | undefined = JSON.stringify(value);
    const copy: unknown = text === undefined ? undefined : JSON.parse(text);
    return copy;
  } catch {
    return undefined;
  }
};
