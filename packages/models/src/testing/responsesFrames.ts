import type { JsonObject, StopReason, Usage } from "@kumiko/plugin-api";
import type { Frame, FramePlace } from "./Frame.ts";
import { pieces, type PlayedCall, type PlayedReply } from "./ReplyScript.ts";

interface Piece {
  readonly place: FramePlace;
  readonly name: string;
  readonly fields: JsonObject;
}

/** A reply as an OpenAI Responses stream: output items, each with its own events, and the whole response at the end. */
export const responsesFrames = (reply: PlayedReply): ReadonlyArray<Frame> => {
  const items = itemsOf(reply);
  const isCut = reply.stopReason === "length" || reply.stopReason === "refusal";
  const status = isCut ? "incomplete" : "completed";
  const incomplete = isCut ? { incomplete_details: { reason: cutReasons[reply.stopReason] } } : {};
  const response: JsonObject = { id: "resp_0", object: "response", model: "scripted" };
  const frames: ReadonlyArray<Piece> = [
    { place: "start", name: "response.created", fields: { response: { ...response, status: "in_progress" } } },
    { place: "start", name: "response.in_progress", fields: { response: { ...response, status: "in_progress" } } },
    ...items.flatMap(({ events }) => events),
    {
      place: "terminator",
      name: `response.${status}`,
      fields: {
        response: {
          ...response,
          status,
          ...incomplete,
          output: items.map(({ item }) => item),
          usage: usageOf(reply.usage),
        },
      },
    },
  ];
  return frames.map(({ place, name, fields }, index) => ({
    place,
    name,
    data: JSON.stringify({ type: name, sequence_number: index, ...fields }),
  }));
};

interface Item {
  readonly item: JsonObject;
  readonly events: ReadonlyArray<Piece>;
}

const itemsOf = (reply: PlayedReply): ReadonlyArray<Item> => {
  const items: Array<Item> = [];
  if (reply.reasoning !== "") items.push(reasoningItem(reply.reasoning, items.length));
  if (reply.text !== "") items.push(messageItem(reply.text, items.length));
  for (const call of reply.calls) items.push(callItem(call, items.length));
  return items;
};

const reasoningItem = (reasoning: string, index: number): Item => {
  const id = `rs_${index}`;
  const item = { id, type: "reasoning", summary: [{ type: "summary_text", text: reasoning }] };
  const at = { item_id: id, output_index: index, summary_index: 0 };
  return itemOf("reasoning", index, { ...item, summary: [] }, item, [
    { name: "response.reasoning_summary_part.added", fields: { ...at, part: { type: "summary_text", text: "" } } },
    ...pieces(reasoning).map((delta) => ({
      name: "response.reasoning_summary_text.delta",
      fields: { ...at, delta },
    })),
    { name: "response.reasoning_summary_text.done", fields: { ...at, text: reasoning } },
  ]);
};

const messageItem = (text: string, index: number): Item => {
  const id = `msg_${index}`;
  const part = { type: "output_text", text, annotations: [] };
  const item = { id, type: "message", role: "assistant", status: "completed", content: [part] };
  const at = { item_id: id, output_index: index, content_index: 0 };
  return itemOf("text", index, { ...item, status: "in_progress", content: [] }, item, [
    { name: "response.content_part.added", fields: { ...at, part: { ...part, text: "" } } },
    ...pieces(text).map((delta) => ({ name: "response.output_text.delta", fields: { ...at, delta } })),
    { name: "response.output_text.done", fields: { ...at, text } },
    { name: "response.content_part.done", fields: { ...at, part } },
  ]);
};

const callItem = ({ id: callId, name, argumentText }: PlayedCall, index: number): Item => {
  const id = `fc_${index}`;
  const called = callId === "" ? {} : { call_id: callId };
  const item = { id, type: "function_call", status: "completed", ...called, name, arguments: argumentText };
  const at = { item_id: id, output_index: index };
  const { events } = itemOf("arguments", index, { ...item, status: "in_progress", arguments: "" }, item, [
    ...pieces(argumentText).map((delta) => ({
      name: "response.function_call_arguments.delta",
      fields: { ...at, delta },
    })),
    { name: "response.function_call_arguments.done", fields: { ...at, arguments: argumentText } },
  ]);
  const last = events.length - 1;
  return {
    item,
    events: events.map((event, n) => ({
      ...event,
      place: n === 0 ? "call-start" : n === last ? "call-end" : "arguments",
    })),
  };
};

const itemOf = (
  place: FramePlace,
  index: number,
  begun: JsonObject,
  item: JsonObject,
  inner: ReadonlyArray<Omit<Piece, "place">>,
): Item => ({
  item,
  events: [
    { name: "response.output_item.added", fields: { output_index: index, item: begun } },
    ...inner,
    { name: "response.output_item.done", fields: { output_index: index, item } },
  ].map((event) => ({ ...event, place })),
});

const cutReasons: Readonly<Record<StopReason, string>> = {
  end: "",
  "tool-calls": "",
  other: "",
  length: "max_output_tokens",
  refusal: "content_filter",
};

const usageOf = (usage: Usage): JsonObject => ({
  input_tokens: usage.inputTokens,
  input_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0 },
  output_tokens: usage.outputTokens,
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
  total_tokens: usage.inputTokens + usage.outputTokens,
});
