import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeAnthropicReply } from "../src/AnthropicReply.ts";
import type { MakeReplyReader } from "../src/ReplyReader.ts";
import {
  anthropicBlock,
  anthropicEnd,
  anthropicStart,
  anthropicStream,
  named,
  readStream,
  reasonIn,
  replyIn,
  toldIn,
} from "./streams.ts";

const make: MakeReplyReader = (options, onEvent) => makeAnthropicReply({ ...options, model: "claude-x" }, onEvent);
const text = (said: string): string =>
  anthropicBlock(0, { type: "text", text: "" }, { type: "text_delta", text: said });
const tool = (index: number, id: string, ...pieces: ReadonlyArray<string>): string =>
  anthropicBlock(
    index,
    { type: "tool_use", id, name: "t", input: {} },
    ...pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
  );
const reply = (...pieces: ReadonlyArray<string>) => replyIn(readStream(make, anthropicStart + pieces.join("")));

describe("AnthropicReply", () => {
  it("reads every kind of block, keeps what thinking must go back with, and counts cached tokens once", () => {
    const read = readStream(make, anthropicStream);
    const whole = replyIn(read);
    expect(whole).toEqual({
      message: {
        role: "assistant",
        parts: [
          {
            type: "reasoning",
            text: "Thé files 語.",
            providerData: { anthropic: { signature: "c2lnbmF0dXJl", model: "claude-x" } },
          },
          { type: "reasoning", text: "", providerData: { anthropic: { redacted: "aGlkZGVu", model: "claude-x" } } },
          { type: "text", text: "I look 😀 at both." },
          { type: "tool-call", id: "toolu_1", name: "file_read", input: { path: "a.txt" } },
          { type: "tool-call", id: "toolu_2", name: "time", input: {} },
        ],
      },
      stopReason: "tool-calls",
      usage: { inputTokens: 152, outputTokens: 57, cacheReadTokens: 100, cacheWriteTokens: 40, reasoningTokens: 9 },
    });
    expect(toldIn(read.events)).toEqual([
      "reasoning Thé files 語.",
      "reasoning ",
      "text I look 😀 at both.",
      'toolCall toolu_1 file_read {"path": "a.txt"}',
      "toolCall toolu_2 time ",
    ]);
    expect(read.reply.isDone()).toBe(true);
  });

  it("gives the same events however the bytes are cut", () => {
    const { events } = readStream(make, anthropicStream);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(readStream(make, anthropicStream, cuts).events).toEqual(events);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it.each([
    ["end_turn", "end"],
    ["stop_sequence", "end"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refusal"],
    ["pause_turn", "other"],
    ["tool_use", "end"],
  ])("maps the stop reason %s to %s", (given, stopReason) => {
    expect(reply(text("x"), anthropicEnd(given)).stopReason).toBe(stopReason);
  });

  it("never lets a call that was cut look complete", () => {
    const cut = reply(tool(0, "a", '{"x":1}'), tool(1, "b"), anthropicEnd("max_tokens"));
    expect(cut.stopReason).toBe("length");
    expect(cut.message.parts).toEqual([
      { type: "tool-call", id: "a", name: "t", input: { x: 1 } },
      { type: "tool-call", id: "b", name: "t", input: null, malformed: "" },
    ]);
    expect(reply(tool(0, "a", '{"x": [1,'), anthropicEnd("max_tokens")).message.parts).toMatchObject([
      { malformed: '{"x": [1,' },
    ]);
  });

  it("takes an input that comes whole with the start, and one wrapped into a string", () => {
    const whole = anthropicBlock(0, { type: "tool_use", id: "a", name: "t", input: { x: 1 } });
    expect(reply(whole, tool(1, "b", '"{\\"y\\"', ': 2}"'), anthropicEnd("end_turn"))).toMatchObject({
      message: { parts: [{ input: { x: 1 } }, { input: { y: 2 } }] },
      stopReason: "tool-calls",
    });
  });

  it("keeps counts that a later event leaves out or sets to nought", () => {
    const end = named({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { input_tokens: 0, output_tokens: 7, cache_read_input_tokens: 0 },
    });
    expect(reply(text("x"), end).usage).toEqual({
      inputTokens: 152,
      outputTokens: 7,
      cacheReadTokens: 100,
      cacheWriteTokens: 40,
    });
  });

  it("makes ids that are missing or taken unique", () => {
    const { message } = reply(tool(0, "a", "{}"), tool(1, "a", "{}"), tool(2, "", "{}"), anthropicEnd("tool_use"));
    expect(message.parts.map((part) => (part.type === "tool-call" ? part.id : ""))).toEqual([
      "a",
      "call_3_1",
      "call_3_2",
    ]);
  });

  it("drops calls under tool choice none", () => {
    const read = readStream(make, anthropicStream, [], "none");
    expect(replyIn(read)).toMatchObject({ stopReason: "end" });
    expect(read.events.some(({ type }) => type.startsWith("toolCall"))).toBe(false);
  });

  it("takes a cut stream for a failure that has cost something", () => {
    const halves = anthropicStream.split("\n\n").map((event) => `${event}\n\n`);
    const cut = readStream(make, halves.slice(0, -3).join(""));
    expect(reasonIn(cut)).toBe("network");
    expect(cut.reply.spent()).toMatchObject({ inputTokens: 152, cacheReadTokens: 100 });
    expect(cut.reply.spent()?.outputTokens).toBeGreaterThan(10);
    expect(readStream(make, "").reply.spent()).toBeUndefined();
    expect(reasonIn(readStream(make, named({ type: "ping" })))).toBe("bad-response");
  });

  it.each([
    ["overloaded_error", "Overloaded", "overloaded"],
    ["rate_limit_error", "slow", "rate-limit"],
    ["api_error", "Internal server error", "server"],
    ["invalid_request_error", "prompt is too long: 9 tokens > 8 maximum", "context-overflow"],
    ["invalid_request_error", "messages: odd", "bad-request"],
    ["timeout_error", "late", "timeout"],
  ])("reports the error %s (%s) inside the stream as %s", (type, message, reason) => {
    const read = readStream(make, anthropicStart + text("x") + named({ type: "error", error: { type, message } }));
    expect(read.problem).toMatchObject({ reason, detail: message });
    expect(read.reply.spent()?.inputTokens).toBe(152);
  });

  it("is bounded in calls and refuses what is no JSON", () => {
    const many = Array.from({ length: 300 }, (_, index) => tool(index, `i${index}`)).join("");
    expect(reasonIn(readStream(make, anthropicStart + many))).toBe("bad-response");
    expect(reasonIn(readStream(make, "data: [1]\n\n"))).toBe("bad-response");
  });

  it("never throws, whatever JSON comes", () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 0, 1, "", "x", "text", "thinking", "tool_use"),
        tie("object"),
      ),
      object: fc.dictionary(
        fc.constantFrom("type", "index", "delta", "content_block", "message", "usage", "text", "input", "id", "error"),
        tie("value"),
      ),
    })).object;
    const event = fc
      .tuple(
        fc.constantFrom(
          "message_start",
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_delta",
          "error",
        ),
        value,
      )
      .map(([type, fields]) => ({ ...fields, type }));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), (events) => {
        const stream = events.map((item) => `data: ${JSON.stringify(item)}\n\n`).join("");
        expect(() => readStream(make, stream)).not.toThrow();
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
