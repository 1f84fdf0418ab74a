import type { JsonObject, StopReason, Usage } from "@kumiko/plugin-api";
import type { Frame, FramePlace } from "./Frame.ts";
import { pieces, type PlayedReply } from "./ReplyScript.ts";

/** A reply as a Chat Completions stream. Reasoning goes as `reasoning_content`, the field most servers use. */
export const chatFrames = (reply: PlayedReply): ReadonlyArray<Frame> => [
  chunk("start", { role: "assistant", content: "" }),
  ...pieces(reply.reasoning).map((text) => chunk("reasoning", { reasoning_content: text })),
  ...pieces(reply.text).map((text) => chunk("text", { content: text })),
  ...reply.calls.flatMap(({ id, name, argumentText }, index) => [
    chunk("call-start", {
      tool_calls: [{ index, ...(id === "" ? {} : { id }), type: "function", function: { name, arguments: "" } }],
    }),
    ...pieces(argumentText).map((text) =>
      chunk("arguments", { tool_calls: [{ index, function: { arguments: text } }] }),
    ),
  ]),
  chunk("finish", {}, finishReasons[reply.stopReason]),
  { place: "finish", data: JSON.stringify({ ...envelope, choices: [], usage: usageOf(reply.usage) }) },
  { place: "terminator", data: "[DONE]" },
];

const envelope = { id: "chatcmpl-0", object: "chat.completion.chunk", created: 0, model: "scripted" };

const chunk = (place: FramePlace, delta: JsonObject, finish: string | null = null): Frame => ({
  place,
  data: JSON.stringify({ ...envelope, choices: [{ index: 0, delta, finish_reason: finish }] }),
});

const finishReasons: Readonly<Record<StopReason, string>> = {
  end: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
  other: "unheard_of",
};

const usageOf = (usage: Usage): JsonObject => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
});
