import type { JsonObject, StopReason, Usage } from "@kumiko/plugin-api";
import type { Frame, FramePlace } from "./Frame.ts";
import { pieces, type PlayedReply } from "./ReplyScript.ts";

/** A reply as an Anthropic Messages stream: one content block after the other, each numbered. */
export const anthropicFrames = (reply: PlayedReply): ReadonlyArray<Frame> => [
  event("start", "message_start", {
    message: {
      id: "msg_0",
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage(reply.usage), output_tokens: 1 },
    },
  }),
  event("ping", "ping", {}),
  ...blocksOf(reply).flatMap((block, index) => [
    event(block.startPlace, "content_block_start", { index, content_block: block.start }),
    ...block.deltas.map((delta) => event(block.place, "content_block_delta", { index, delta })),
    event(block.endPlace, "content_block_stop", { index }),
  ]),
  event("finish", "message_delta", {
    delta: { stop_reason: stopReasons[reply.stopReason], stop_sequence: null },
    usage: { output_tokens: reply.usage.outputTokens },
  }),
  event("terminator", "message_stop", {}),
];

interface Block {
  readonly startPlace: FramePlace;
  readonly place: FramePlace;
  readonly endPlace: FramePlace;
  readonly start: JsonObject;
  readonly deltas: ReadonlyArray<JsonObject>;
}

const blocksOf = (reply: PlayedReply): ReadonlyArray<Block> => [
  ...(reply.reasoning === "" ? [] : [thinkingBlock(reply.reasoning)]),
  ...(reply.text === ""
    ? []
    : [
        {
          ...proseAt("text"),
          start: { type: "text", text: "" },
          deltas: pieces(reply.text).map((text) => ({ type: "text_delta", text })),
        },
      ]),
  ...reply.calls.map(({ id, name, argumentText }): Block => ({
    startPlace: "call-start",
    place: "arguments",
    endPlace: "call-end",
    start: { type: "tool_use", ...(id === "" ? {} : { id }), name, input: {} },
    deltas: pieces(argumentText).map((text) => ({ type: "input_json_delta", partial_json: text })),
  })),
];

const thinkingBlock = (reasoning: string): Block => ({
  ...proseAt("reasoning"),
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [
    ...pieces(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
    { type: "signature_delta", signature: "c2lnbmVk" },
  ],
});

const proseAt = (place: FramePlace): Pick<Block, "startPlace" | "place" | "endPlace"> => ({
  startPlace: place,
  place,
  endPlace: place,
});

const event = (place: FramePlace, name: string, fields: JsonObject): Frame => ({
  place,
  name,
  data: JSON.stringify({ type: name, ...fields }),
});

const stopReasons: Readonly<Record<StopReason, string>> = {
  end: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  other: "unheard_of",
};

// What caches hold is not part of `input_tokens` on this wire.
const inputUsage = ({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): JsonObject => ({
  input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
  cache_read_input_tokens: cacheReadTokens,
  cache_creation_input_tokens: cacheWriteTokens,
});
