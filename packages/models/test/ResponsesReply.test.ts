import type { JsonObject } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MakeReplyReader } from "../src/ReplyReader.ts";
import { makeResponsesReply } from "../src/ResponsesReply.ts";
import {
  readStream,
  reasonIn,
  replyIn,
  responsesEnd,
  responsesEvent,
  responsesItem,
  responsesStart,
  responsesStream,
  toldIn,
} from "./streams.ts";

const make: MakeReplyReader = (options, onEvent) => makeResponsesReply({ ...options, model: "gpt-x" }, onEvent);
const call = (index: number, id: string, args: string): string => {
  const item = { type: "function_call", id: `fc_${index}`, call_id: id, name: "t", arguments: "" };
  return responsesItem(index, item, { arguments: args });
};
const says = (delta: string): string =>
  responsesEvent("response.output_text.delta", { output_index: 0, item_id: "m", content_index: 0, delta });
const incomplete = (reason: string): string => responsesEnd([], { incomplete_details: { reason } }, "incomplete");
const reply = (...pieces: ReadonlyArray<string>) => replyIn(readStream(make, responsesStart + pieces.join("")));
const failed = (error: JsonObject): string =>
  responsesEvent("response.failed", { response: { status: "failed", error } });

describe("ResponsesReply", () => {
  it("reads every kind of item and keeps what reasoning must go back with", () => {
    const read = readStream(make, responsesStream);
    expect(replyIn(read)).toEqual({
      message: {
        role: "assistant",
        parts: [
          {
            type: "reasoning",
            text: "Thé files.\n\nBoth 語.",
            providerData: { responses: { id: "rs_1", encrypted_content: "ZW5jcnlwdGVk", model: "gpt-x" } },
          },
          { type: "text", text: "I look 😀 at both." },
          { type: "tool-call", id: "call_1", name: "file_read", input: { path: "a.txt" } },
          { type: "tool-call", id: "call_2", name: "time", input: {} },
        ],
      },
      stopReason: "tool-calls",
      usage: { inputTokens: 75, outputTokens: 125, cacheReadTokens: 32, cacheWriteTokens: 8, reasoningTokens: 64 },
    });
    expect(toldIn(read.events)).toEqual([
      "reasoning Thé files.\n\nBoth 語.",
      "text I look 😀 at both.",
      'toolCall call_1 file_read {"path": "a.txt"}',
      "toolCall call_2 time {}",
    ]);
  });

  it("gives the same events however the bytes are cut", () => {
    const { events } = readStream(make, responsesStream);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(readStream(make, responsesStream, cuts).events).toEqual(events);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it("reads what comes only when an item is complete, or only at the end", () => {
    const message = { type: "message", id: "m", content: [{ type: "output_text", text: "hello" }] };
    const thought = { type: "reasoning", id: "rs", summary: [], encrypted_content: "eA" };
    const args = { type: "function_call", id: "f", call_id: "c", name: "t", arguments: { x: 1 } };
    const parts = [
      {
        type: "reasoning",
        text: "",
        providerData: { responses: { id: "rs", encrypted_content: "eA", model: "gpt-x" } },
      },
      { type: "text", text: "hello" },
      { type: "tool-call", id: "c", name: "t", input: { x: 1 } },
    ];
    const items = [thought, message, args];
    expect(
      reply(...items.map((item, index) => responsesItem(index, item, {})), responsesEnd([])).message.parts,
    ).toEqual(parts);
    expect(reply(responsesEnd(items)).message.parts).toEqual(parts);
  });

  it("maps how a response ended, and lets what is there decide", () => {
    expect(reply(says("x"), responsesEnd([])).stopReason).toBe("end");
    expect(reply(says("x"), incomplete("max_output_tokens")).stopReason).toBe("length");
    expect(reply(says("x"), incomplete("content_filter")).stopReason).toBe("refusal");
    expect(reply(says("x"), incomplete("steered")).stopReason).toBe("other");
    expect(reply(call(0, "c", "{}"), responsesEnd([])).stopReason).toBe("tool-calls");
    const refused = responsesEvent("response.refusal.delta", { output_index: 0, delta: "I will not." });
    expect(reply(refused, responsesEnd([]))).toMatchObject({
      stopReason: "refusal",
      message: { parts: [{ type: "text", text: "I will not." }] },
    });
  });

  it("never lets a call that was cut look complete", () => {
    const { message } = reply(call(0, "a", '{"x":1}'), call(1, "b", ""), incomplete("max_output_tokens"));
    expect(message.parts).toMatchObject([{ input: { x: 1 } }, { input: null, malformed: "" }]);
  });

  it("unwraps arguments, makes ids unique, drops calls under tool choice none", () => {
    const stream = responsesStart + call(0, "a", '"{\\"y\\": 2}"') + call(1, "a", "{}") + responsesEnd([]);
    const { message } = replyIn(readStream(make, stream));
    expect(message.parts).toMatchObject([{ id: "a", input: { y: 2 } }, { id: "call_3_1" }]);
    expect(replyIn(readStream(make, stream, [], "none"))).toMatchObject({ message: { parts: [] }, stopReason: "end" });
  });

  it.each([
    [failed({ code: "rate_limit_exceeded", message: "slow. Please try again in 1.5s." }), "rate-limit"],
    [failed({ code: "server_error", message: "oops" }), "server"],
    [failed({ code: "invalid_prompt", message: "no" }), "bad-request"],
    [
      responsesEvent("error", { code: "context_length_exceeded", message: "too long", param: null }),
      "context-overflow",
    ],
    [
      responsesEvent("error", { error: { type: "server_error", code: "server_is_overloaded", message: "later" } }),
      "overloaded",
    ],
  ])("reports %s as %s", (event, reason) => {
    const read = readStream(make, responsesStart + says("half") + event);
    expect(read.problem?.reason).toBe(reason);
    if (reason === "rate-limit") expect(read.problem?.retryAfterMillis).toBe(1500);
    expect(read.reply.spent()).toEqual({ inputTokens: 100, outputTokens: 1 });
  });

  it("takes a cut stream for a failure, an empty one for no reply, and is bounded", () => {
    expect(reasonIn(readStream(make, responsesStart + says("half")))).toBe("network");
    expect(reasonIn(readStream(make, ""))).toBe("bad-response");
    expect(reasonIn(readStream(make, "data: nope\n\n"))).toBe("bad-response");
    const many = Array.from({ length: 300 }, (_, index) => call(index, `c${index}`, "{}")).join("");
    expect(reasonIn(readStream(make, responsesStart + many))).toBe("bad-response");
  });

  it("never throws, whatever JSON comes", () => {
    const fields = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, 0, "", "x", "message", "reasoning", "function_call"),
        tie("list"),
        tie("object"),
      ),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(
        fc.constantFrom(
          "type",
          "output_index",
          "item",
          "response",
          "output",
          "summary",
          "content",
          "text",
          "arguments",
          "delta",
          "error",
          "usage",
        ),
        tie("value"),
      ),
    })).object;
    const types = [
      "output_item.added",
      "output_item.done",
      "completed",
      "incomplete",
      "failed",
      "output_text.delta",
      "function_call_arguments.done",
    ];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...types), fields), { maxLength: 8 }), (events) => {
        const stream = events.map(
          ([type, rest]) => `data: ${JSON.stringify({ ...rest, type: `response.${type}` })}\n\n`,
        );
        expect(() => readStream(make, stream.join(""))).not.toThrow();
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
