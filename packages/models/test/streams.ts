// Streams as the providers' documentation shows them, with every kind of part: what readers and official clients are
// held against.
import type { JsonObject, ModelEvent, ModelReply } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import type { CallProblem } from "../src/CallProblem.ts";
import type { MakeReplyReader, ReplyReader } from "../src/ReplyReader.ts";
import { makeSseParser } from "../src/SseParser.ts";

/** One event that names itself, as Anthropic and OpenAI's Responses have it. */
export const named = (value: JsonObject): string =>
  `event: ${String(value["type"])}\ndata: ${JSON.stringify(value)}\n\n`;

const usage = {
  cache_creation: null,
  cache_creation_input_tokens: 40,
  cache_read_input_tokens: 100,
  inference_geo: null,
  input_tokens: 12,
  output_tokens: 1,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: "standard",
  speed: null,
};

export const anthropicStart = named({
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-x",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
});

export const anthropicBlock = (index: number, block: JsonObject, ...deltas: ReadonlyArray<JsonObject>): string =>
  [
    { type: "content_block_start", index, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ]
    .map(named)
    .join("");

export const anthropicEnd = (stopReason: string): string =>
  named({
    type: "message_delta",
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: {
      cache_creation_input_tokens: null,
      cache_read_input_tokens: null,
      input_tokens: null,
      output_tokens: 57,
      output_tokens_details: { thinking_tokens: 9 },
      server_tool_use: null,
    },
  }) + named({ type: "message_stop" });

export const anthropicStream = [
  anthropicStart,
  named({ type: "ping" }),
  anthropicBlock(
    0,
    { type: "thinking", thinking: "", signature: "" },
    { type: "thinking_delta", thinking: "Thé " },
    { type: "thinking_delta", thinking: "files 語." },
    { type: "signature_delta", signature: "c2lnbmF0dXJl" },
  ),
  anthropicBlock(1, { type: "redacted_thinking", data: "aGlkZGVu" }),
  anthropicBlock(
    2,
    { type: "text", text: "", citations: null },
    { type: "text_delta", text: "I look 😀" },
    { type: "text_delta", text: " at both." },
  ),
  anthropicBlock(3, { type: "brand_new_block", anything: [1] }, { type: "brand_new_delta", text: "skipped" }),
  anthropicBlock(
    4,
    { type: "tool_use", id: "toolu_1", name: "file_read", input: {}, caller: { type: "direct" } },
    { type: "input_json_delta", partial_json: "" },
    { type: "input_json_delta", partial_json: '{"path": "a' },
    { type: "input_json_delta", partial_json: '.txt"}' },
  ),
  anthropicBlock(5, { type: "tool_use", id: "toolu_2", name: "time", input: {}, caller: { type: "direct" } }),
  anthropicEnd("tool_use"),
].join("");

let sequence = 0;
export const responsesEvent = (type: string, fields: JsonObject): string =>
  named({ type, sequence_number: sequence++, ...fields });

const response = (fields: JsonObject): JsonObject => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "gpt-x",
  output: [],
  parallel_tool_calls: true,
  tool_choice: "auto",
  tools: [],
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  ...fields,
});

/** An item from its start to its end; `between` are its deltas. */
export const responsesItem = (
  index: number,
  started: JsonObject,
  done: JsonObject,
  ...between: ReadonlyArray<string>
): string =>
  [
    responsesEvent("response.output_item.added", { output_index: index, item: started }),
    ...between,
    responsesEvent("response.output_item.done", { output_index: index, item: { ...started, ...done } }),
  ].join("");

export const responsesEnd = (output: ReadonlyArray<JsonObject>, fields: JsonObject = {}, type = "completed"): string =>
  responsesEvent(`response.${type}`, {
    response: response({
      status: type,
      output,
      usage: {
        input_tokens: 75,
        input_tokens_details: { cached_tokens: 32, cache_write_tokens: 8 },
        output_tokens: 125,
        output_tokens_details: { reasoning_tokens: 64 },
        total_tokens: 200,
      },
      ...fields,
    }),
  });

export const responsesStart = responsesEvent("response.created", { response: response({ status: "in_progress" }) });

const at = (output_index: number, item_id: string, fields: JsonObject): JsonObject => ({
  output_index,
  item_id,
  ...fields,
});
const textPart = { type: "output_text", text: "I look 😀 at both.", annotations: [], logprobs: [] };
const thought = {
  id: "rs_1",
  type: "reasoning",
  summary: [
    { type: "summary_text", text: "Thé files." },
    { type: "summary_text", text: "Both 語." },
  ],
  encrypted_content: "ZW5jcnlwdGVk",
};
const said = { id: "msg_1", type: "message", role: "assistant", status: "completed", content: [textPart] };
const calls = [
  {
    id: "fc_1",
    type: "function_call",
    call_id: "call_1",
    name: "file_read",
    arguments: '{"path": "a.txt"}',
    status: "completed",
  },
  { id: "fc_2", type: "function_call", call_id: "call_2", name: "time", arguments: "{}", status: "completed" },
];
const call = (index: number, item: JsonObject, ...deltas: ReadonlyArray<string>): string =>
  responsesItem(
    index,
    { ...item, arguments: "", status: "in_progress" },
    item,
    ...deltas.map((delta) =>
      responsesEvent("response.function_call_arguments.delta", at(index, String(item["id"]), { delta })),
    ),
    responsesEvent(
      "response.function_call_arguments.done",
      at(index, String(item["id"]), { arguments: item["arguments"] ?? "" }),
    ),
  );
const summary = (summary_index: number, text: string, ...deltas: ReadonlyArray<string>): string =>
  [
    responsesEvent(
      "response.reasoning_summary_part.added",
      at(0, "rs_1", { summary_index, part: { type: "summary_text", text: "" } }),
    ),
    ...deltas.map((delta) =>
      responsesEvent("response.reasoning_summary_text.delta", at(0, "rs_1", { summary_index, delta })),
    ),
    responsesEvent("response.reasoning_summary_text.done", at(0, "rs_1", { summary_index, text })),
    responsesEvent(
      "response.reasoning_summary_part.done",
      at(0, "rs_1", { summary_index, part: { type: "summary_text", text } }),
    ),
  ].join("");

export const responsesStream = [
  responsesStart,
  responsesItem(
    0,
    { id: "rs_1", type: "reasoning", summary: [] },
    thought,
    summary(0, "Thé files.", "Thé ", "files."),
    summary(1, "Both 語.", "Both ", "語."),
  ),
  responsesItem(
    1,
    { ...said, status: "in_progress", content: [] },
    said,
    responsesEvent(
      "response.content_part.added",
      at(1, "msg_1", { content_index: 0, part: { ...textPart, text: "" } }),
    ),
    responsesEvent(
      "response.output_text.delta",
      at(1, "msg_1", { content_index: 0, delta: "I look 😀", logprobs: [] }),
    ),
    responsesEvent(
      "response.output_text.delta",
      at(1, "msg_1", { content_index: 0, delta: " at both.", logprobs: [] }),
    ),
    responsesEvent(
      "response.output_text.done",
      at(1, "msg_1", { content_index: 0, text: textPart.text, logprobs: [] }),
    ),
    responsesEvent("response.content_part.done", at(1, "msg_1", { content_index: 0, part: textPart })),
  ),
  ...calls.map((item, index) => call(index + 2, item, ...(item.arguments.match(/.{1,6}/gu) ?? []))),
  responsesEnd([thought, said, ...calls]),
].join("");

const chunk = (delta: JsonObject, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const chatStream = [
  chunk({ role: "assistant", content: "" }),
  chunk({ content: "I look 😀" }),
  chunk({ content: " at both." }),
  chunk({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "file_read", arguments: "" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '{"path": "a' } }] }),
  chunk({ tool_calls: [{ index: 1, id: "call_2", type: "function", function: { name: "time", arguments: "{}" } }] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '.txt"}' } }] }),
  chunk({}, "tool_calls"),
  `data: ${JSON.stringify({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [],
    usage: {
      prompt_tokens: 75,
      completion_tokens: 125,
      total_tokens: 200,
      prompt_tokens_details: { cached_tokens: 32, cache_write_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 64 },
    },
  })}\n\n`,
  "data: [DONE]\n\n",
].join("");

export interface ReadStream {
  readonly events: ReadonlyArray<ModelEvent>;
  readonly problem: CallProblem | undefined;
  readonly result: Result.Result<ModelReply, CallProblem>;
  readonly reply: ReplyReader;
}

const encoder = new TextEncoder();

/** Reads a whole stream, its bytes cut at the given places. */
export const readStream = (
  make: MakeReplyReader,
  text: string,
  cuts: ReadonlyArray<number> = [],
  toolChoice: "auto" | "none" = "auto",
): ReadStream => {
  const events: Array<ModelEvent> = [];
  let problem: CallProblem | undefined;
  const reply = make({ toolChoice, messageCount: 3, requestBytes: 400 }, (event) => events.push(event));
  const parser = makeSseParser((data) => {
    if (!reply.isDone()) problem ??= reply.read(data);
  });
  const bytes = encoder.encode(text);
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length];
  for (const [at, place] of places.entries()) parser.push(bytes.subarray(places[at - 1] ?? 0, place));
  parser.end();
  return { events, problem, result: reply.finish(), reply };
};

export const replyIn = (read: ReadStream): ModelReply => Result.getOrThrow(read.result);

/** How a stream failed: in the middle or at its end. */
export const reasonIn = ({ problem, result }: ReadStream): string =>
  problem?.reason ?? (Result.isFailure(result) ? result.failure.reason : "none");

/** The parts that events tell of: what each was, and its joined deltas. Those that were not ended say so. */
export const toldIn = (events: ReadonlyArray<ModelEvent>): ReadonlyArray<string> => {
  const parts: Array<string> = [];
  const open = new Set<number>();
  for (const event of events) {
    const { index, type } = event;
    if (type === "toolCall.start") parts[index] = `toolCall ${event.id} ${event.name} `;
    else if (type === "text.start" || type === "reasoning.start") parts[index] = `${type.split(".")[0]} `;
    else if ("text" in event) parts[index] += event.text;
    else open.delete(index);
    if (type.endsWith(".start")) open.add(index);
  }
  return parts.map((part, index) => (open.has(index) ? `${part} (not ended)` : part));
};
