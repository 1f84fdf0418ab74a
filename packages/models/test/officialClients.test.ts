// What the providers' own clients make of a stream, and what we do: the same.
import Anthropic from "@anthropic-ai/sdk";
import type { ModelReply } from "@kumiko/plugin-api";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { makeAnthropicReply } from "../src/AnthropicReply.ts";
import { makeChatCompletionsReply } from "../src/ChatCompletionsReply.ts";
import { makeResponsesReply } from "../src/ResponsesReply.ts";
import { anthropicStream, chatStream, readStream, replyIn, responsesStream } from "./streams.ts";

const answering = (stream: string) => async () =>
  new Response(stream, { headers: { "content-type": "text/event-stream" } });

const callsIn = ({ message }: ModelReply): unknown =>
  message.parts.flatMap((part) => (part.type === "tool-call" ? [[part.id, part.name, part.input]] : []));
const proseIn = ({ message }: ModelReply, type: "text" | "reasoning"): string =>
  message.parts.map((part) => (part.type === type ? part.text : "")).join("");

describe("official clients", () => {
  it("read Anthropic Messages alike", async () => {
    const client = new Anthropic({ apiKey: "k", fetch: answering(anthropicStream) });
    const params = { model: "claude-x", max_tokens: 1, messages: [{ role: "user" as const, content: "x" }] };
    const theirs = await client.messages.stream(params).finalMessage();
    const ours = replyIn(
      readStream((options, onEvent) => makeAnthropicReply({ ...options, model: "claude-x" }, onEvent), anthropicStream),
    );
    const blocks = theirs.content;
    expect(callsIn(ours)).toEqual(
      blocks.flatMap((block) => (block.type === "tool_use" ? [[block.id, block.name, block.input]] : [])),
    );
    expect(proseIn(ours, "text")).toBe(blocks.map((block) => (block.type === "text" ? block.text : "")).join(""));
    const [thought, hidden] = ours.message.parts;
    expect(thought).toMatchObject({
      text: blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
      providerData: {
        anthropic: { signature: blocks.map((block) => (block.type === "thinking" ? block.signature : "")).join("") },
      },
    });
    expect(hidden).toMatchObject({ providerData: { anthropic: { redacted: "aGlkZGVu" } } });
    const { usage } = theirs;
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    expect(ours.usage).toMatchObject({ inputTokens: usage.input_tokens + cached, outputTokens: usage.output_tokens });
    expect([theirs.stop_reason, ours.stopReason]).toEqual(["tool_use", "tool-calls"]);
  });

  it("read Responses alike", async () => {
    const client = new OpenAI({ apiKey: "k", fetch: answering(responsesStream) });
    const theirs = await client.responses.stream({ model: "gpt-x", input: "x" }).finalResponse();
    const ours = replyIn(
      readStream((options, onEvent) => makeResponsesReply({ ...options, model: "gpt-x" }, onEvent), responsesStream),
    );
    expect(proseIn(ours, "text")).toBe(theirs.output_text);
    expect(callsIn(ours)).toEqual(
      theirs.output.flatMap((item) =>
        item.type === "function_call" ? [[item.call_id, item.name, JSON.parse(item.arguments)]] : [],
      ),
    );
    const [thought] = theirs.output;
    if (thought?.type !== "reasoning") throw new Error("the stream begins with reasoning");
    expect(ours.message.parts[0]).toMatchObject({
      text: thought.summary.map(({ text }) => text).join("\n\n"),
      providerData: { responses: { id: thought.id, encrypted_content: thought.encrypted_content } },
    });
    expect(ours.usage).toMatchObject({
      inputTokens: theirs.usage?.input_tokens,
      outputTokens: theirs.usage?.output_tokens,
      cacheReadTokens: theirs.usage?.input_tokens_details.cached_tokens,
      reasoningTokens: theirs.usage?.output_tokens_details.reasoning_tokens,
    });
  });

  it("read Chat Completions alike", async () => {
    const client = new OpenAI({ apiKey: "k", fetch: answering(chatStream) });
    const runner = client.chat.completions.stream({
      model: "m",
      messages: [{ role: "user", content: "x" }],
      stream_options: { include_usage: true },
    });
    const theirs = await runner.finalChatCompletion();
    const ours = replyIn(readStream(makeChatCompletionsReply, chatStream));
    const message = theirs.choices[0]?.message;
    expect(proseIn(ours, "text")).toBe(message?.content);
    expect(callsIn(ours)).toEqual(
      message?.tool_calls?.flatMap((call) =>
        call.type === "function" ? [[call.id, call.function.name, JSON.parse(call.function.arguments)]] : [],
      ),
    );
    expect(ours.usage).toMatchObject({
      inputTokens: theirs.usage?.prompt_tokens,
      outputTokens: theirs.usage?.completion_tokens,
      cacheReadTokens: 32,
      cacheWriteTokens: 8,
    });
    expect([theirs.choices[0]?.finish_reason, ours.stopReason]).toEqual(["tool_calls", "tool-calls"]);
  });
});
