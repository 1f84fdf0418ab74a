import {
  isJsonObject,
  type Json,
  type JsonObject,
  type ModelEvent,
  type ModelReply,
  parseToolInput,
  type StopReason,
  type Usage,
} from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import { type CallProblem, problemOfError, tidy } from "./CallProblem.ts";

/** What a reply is read against. */
export interface ChatCompletionsReplyOptions {
  readonly toolChoice: "auto" | "none";
  /** Messages of the request: makes the ids given to calls without one unique in the conversation. */
  readonly messageCount: number;
  /** Bytes of the request's body: usage is estimated from it where the server tells none. */
  readonly requestBytes: number;
}

/** Reads the data of a Chat Completions stream, chunk by chunk, into events and a reply. */
export interface ChatCompletionsReply {
  /** Takes the data of one event. A problem is final. */
  readonly read: (data: string) => CallProblem | undefined;
  /** Whether `[DONE]` was read: nothing more will come. */
  readonly isDone: () => boolean;
  /** To be called once, when the stream is over: ends the open parts and gives the reply. */
  readonly finish: () => Result.Result<ModelReply, CallProblem>;
}

interface ProsePart {
  readonly type: "text" | "reasoning";
  text: string;
}

interface CallPart {
  readonly type: "call";
  readonly index: number;
  /** The server's index and id: fragments are matched by both. */
  readonly key: number | undefined;
  readonly serverId: string;
  readonly id: string;
  name: string;
  text: string;
  isStarted: boolean;
}

/** More calls in one reply than any model makes; the bound keeps the matching of fragments cheap. */
const maxCalls = 256;

/**
 * Makes a reader for one reply. `onEvent` is called synchronously while chunks are read.
 *
 * Fragments of parallel calls may be interleaved and may lack index or id; a call without an id of its own gets
 * `call_<messages>_<n>`. Under tool choice `none` calls are dropped: some servers ignore the choice.
 */
export const makeChatCompletionsReply = (
  options: ChatCompletionsReplyOptions,
  onEvent: (event: ModelEvent) => void,
): ChatCompletionsReply => {
  const parts: Array<ProsePart | CallPart> = [];
  const calls: Array<CallPart> = [];
  const ids = new Set<string>();
  let open: ProsePart | undefined;
  let finishReason: string | undefined;
  let refused = false;
  let usage: Usage | undefined;
  let isDone = false;
  let chunks = 0;

  const closeProse = (): void => {
    if (open === undefined) return;
    onEvent({ type: `${open.type}.end`, index: parts.length - 1 });
    open = undefined;
  };

  const prose = (type: ProsePart["type"], text: string): void => {
    if (open?.type !== type) {
      closeProse();
      open = { type, text: "" };
      parts.push(open);
      onEvent({ type: `${type}.start`, index: parts.length - 1 });
    }
    open.text += text;
    onEvent({ type: `${type}.delta`, index: parts.length - 1, text });
  };

  const idFor = (serverId: string): string => {
    if (serverId !== "" && !ids.has(serverId)) return serverId;
    let number = calls.length;
    while (ids.has(`call_${options.messageCount}_${number}`)) number++;
    return `call_${options.messageCount}_${number}`;
  };

  const openCall = (key: number | undefined, serverId: string): CallPart => {
    closeProse();
    const id = idFor(serverId);
    const call: CallPart = {
      type: "call",
      index: parts.length,
      key,
      serverId,
      id,
      name: "",
      text: "",
      isStarted: false,
    };
    ids.add(id);
    parts.push(call);
    calls.push(call);
    return call;
  };

  const callOf = (key: number | undefined, serverId: string, name: string): CallPart => {
    const known = key === undefined ? undefined : calls.findLast((call) => call.key === key);
    // Some servers number every call 0, or none: then a new id, or a new name without one, begins a new call.
    if (known !== undefined && (serverId === "" || known.serverId === "" || known.serverId === serverId)) return known;
    if (key === undefined) {
      const byId = serverId === "" ? undefined : calls.findLast((call) => call.serverId === serverId);
      const last = byId ?? (serverId === "" && name === "" ? calls.at(-1) : undefined);
      if (last !== undefined) return last;
    }
    return openCall(key, serverId);
  };

  const callFragment = (fragment: JsonObject): void => {
    const { index, id, function: target } = fragment;
    if (!isJsonObject(target)) return;
    const name = typeof target["name"] === "string" ? target["name"] : "";
    const call = callOf(typeof index === "number" ? index : undefined, typeof id === "string" ? id : "", name);
    const text = argumentText(target["arguments"]);
    call.text += text;
    if (call.isStarted) {
      if (text !== "") onEvent({ type: "toolCall.delta", index: call.index, text });
      return;
    }
    call.name += name;
    if (call.name === "") return;
    call.isStarted = true;
    onEvent({ type: "toolCall.start", index: call.index, id: call.id, name: call.name });
    if (call.text !== "") onEvent({ type: "toolCall.delta", index: call.index, text: call.text });
  };

  const readDelta = (delta: JsonObject): void => {
    const reasoning = delta["reasoning_content"] ?? delta["reasoning"];
    if (typeof reasoning === "string" && reasoning !== "") prose("reasoning", reasoning);
    const { content, refusal, tool_calls: fragments } = delta;
    if (typeof content === "string" && content !== "") prose("text", content);
    if (typeof refusal === "string" && refusal !== "") {
      refused = true;
      prose("text", refusal);
    }
    if (options.toolChoice === "none" || !isList(fragments)) return;
    for (const fragment of fragments) {
      // One event may hold a hundred thousand: the reply is refused below, and nothing more is looked at.
      if (calls.length > maxCalls) return;
      if (isJsonObject(fragment)) callFragment(fragment);
    }
  };

  const read = (data: string): CallProblem | undefined => {
    if (data === "[DONE]") {
      isDone = true;
      return undefined;
    }
    const chunk = parseChunk(data);
    if (chunk === undefined)
      return {
        reason: "bad-response",
        detail: `the stream holds something that is no JSON object: ${tidy(data.slice(0, 80))}`,
      };
    if (chunk["error"] !== undefined && chunk["error"] !== null) return problemOfError(chunk["error"]);
    chunks++;
    if (isJsonObject(chunk["usage"])) usage = usageOf(chunk["usage"]);
    const choices = chunk["choices"];
    const choice = isList(choices) ? choices[0] : undefined;
    if (!isJsonObject(choice) || (choice["index"] ?? 0) !== 0) return undefined;
    const { delta, finish_reason: finish } = choice;
    if (isJsonObject(delta)) readDelta(delta);
    if (typeof finish === "string" && finish !== "") finishReason = finish;
    return calls.length > maxCalls
      ? { reason: "bad-response", detail: `the reply makes more than ${maxCalls} tool calls` }
      : undefined;
  };

  const finish = (): Result.Result<ModelReply, CallProblem> => {
    if (chunks === 0)
      return Result.fail({ reason: "bad-response", detail: "the server answered with a stream that holds no reply" });
    if (finishReason === undefined && !isDone)
      return Result.fail({ reason: "network", detail: "the stream ended before the reply was complete" });
    if (calls.some((call) => call.name === ""))
      return Result.fail({ reason: "bad-response", detail: "the reply calls a tool without naming it" });
    closeProse();
    let outputLength = 0;
    for (const [index, part] of parts.entries()) {
      outputLength += part.text.length;
      if (part.type === "call") onEvent({ type: "toolCall.end", index });
    }
    return Result.succeed({
      message: { role: "assistant", parts: parts.map(messagePart) },
      stopReason: refused ? "refusal" : stopReasonOf(finishReason, calls.length > 0),
      usage: usage ?? {
        inputTokens: Math.ceil(options.requestBytes / charactersPerToken),
        outputTokens: Math.ceil(outputLength / charactersPerToken),
      },
    });
  };

  return { read, isDone: () => isDone, finish };
};

/** The usual rule of thumb for English text and code; only used where a server reports no usage. */
const charactersPerToken = 4;

const messagePart = (part: ProsePart | CallPart): ModelReply["message"]["parts"][number] =>
  part.type === "call"
    ? { type: "tool-call", id: part.id, name: part.name, ...parseToolInput(part.text) }
    : { type: part.type, text: part.text };

// Several servers say `stop` although the reply calls tools, so the calls decide.
const stopReasonOf = (finish: string | undefined, hasCalls: boolean): StopReason => {
  if (finish === "length" || finish === "max_tokens") return "length";
  if (finish === "content_filter" || finish === "refusal") return "refusal";
  if (hasCalls) return "tool-calls";
  return finish === "stop" || finish === "tool_calls" || finish === "function_call" || finish === "eos"
    ? "end"
    : "other";
};

const usageOf = (usage: JsonObject): Usage => {
  const input = usage["prompt_tokens_details"];
  const output = usage["completion_tokens_details"];
  const cacheReadTokens = isJsonObject(input) ? count(input["cached_tokens"]) : undefined;
  const reasoningTokens = isJsonObject(output) ? count(output["reasoning_tokens"]) : undefined;
  return {
    inputTokens: count(usage["prompt_tokens"]) ?? 0,
    outputTokens: count(usage["completion_tokens"]) ?? 0,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
};

const count = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

const argumentText = (value: Json | undefined): string => {
  if (typeof value === "string") return value;
  return isJsonObject(value) ? JSON.stringify(value) : "";
};

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value);

const parseChunk = (data: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};
