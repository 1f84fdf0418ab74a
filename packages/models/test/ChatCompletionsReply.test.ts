import type { JsonObject, ModelEvent, ModelReply } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallProblem } from "../src/CallProblem.ts";
import { makeChatCompletionsReply } from "../src/ChatCompletionsReply.ts";
import { chatStream, readStream } from "./streams.ts";

interface Read {
  readonly events: ReadonlyArray<ModelEvent>;
  readonly problem: CallProblem | undefined;
  readonly result: Result.Result<ModelReply, CallProblem>;
}

const read = (data: ReadonlyArray<JsonObject | string>, toolChoice: "auto" | "none" = "auto"): Read => {
  const events: Array<ModelEvent> = [];
  const reply = makeChatCompletionsReply({ toolChoice, messageCount: 3, requestBytes: 400 }, (event) =>
    events.push(event),
  );
  let problem: CallProblem | undefined;
  for (const item of data) problem ??= reply.read(typeof item === "string" ? item : JSON.stringify(item));
  return { events, problem, result: reply.finish() };
};

const replyOf = (data: ReadonlyArray<JsonObject | string>, toolChoice: "auto" | "none" = "auto"): ModelReply =>
  Result.getOrThrow(read(data, toolChoice).result);

const delta = (value: JsonObject, finish?: string): JsonObject => ({
  choices: [{ index: 0, delta: value, finish_reason: finish ?? null }],
});
const call = (value: JsonObject): JsonObject => delta({ tool_calls: [value] });
const end = (finish: string): JsonObject => delta({}, finish);

const named = (name: string, args: string): JsonObject => ({ name, arguments: args });
const callsOf = (data: ReadonlyArray<JsonObject>): unknown =>
  replyOf([...data, end("stop")]).message.parts.map((part) =>
    part.type === "tool-call" ? [part.id, part.name, part.input] : part,
  );
const expected = (ids: readonly [string, string]): unknown => [
  [ids[0], "a", { x: 1 }],
  [ids[1], "b", { y: 2 }],
];
const reasonOf = (data: ReadonlyArray<JsonObject | string>): string => {
  const { problem, result } = read(data);
  return problem?.reason ?? (Result.isFailure(result) ? result.failure.reason : "none");
};
describe("ChatCompletionsReply", () => {
  it("joins reasoning and text, with an event each, and reads the usage", () => {
    const { events, result } = read([
      delta({ role: "assistant", content: "" }),
      delta({ reasoning_content: "thi" }),
      delta({ reasoning: "nk" }),
      delta({ content: "Hel" }),
      delta({ content: "lo" }),
      end("stop"),
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 8 } } },
      "[DONE]",
    ]);
    expect(Result.getOrThrow(result)).toEqual({
      message: {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "think" },
          { type: "text", text: "Hello" },
        ],
      },
      stopReason: "end",
      usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 8 },
    });
    expect(events.map(({ type, index }) => `${index} ${type}`)).toEqual([
      "0 reasoning.start",
      "0 reasoning.delta",
      "0 reasoning.delta",
      "0 reasoning.end",
      "1 text.start",
      "1 text.delta",
      "1 text.delta",
      "1 text.end",
    ]);
  });

  it("puts parallel calls together, however their fragments are mixed", () => {
    const inputs = fc.array(fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(inputs, fc.infiniteStream(fc.nat({ max: 100 })), (wanted, choices) => {
        const left = wanted.map((input) => JSON.stringify(input));
        const fragments: Array<JsonObject> = left.map((_, index) =>
          call({ index, id: `id${index}`, type: "function", function: { name: `tool${index}`, arguments: "" } }),
        );
        while (left.some((text) => text !== "")) {
          const index = choices.next().value % left.length;
          const text = left[index] ?? "";
          const length = 1 + (choices.next().value % 5);
          fragments.push(call({ index, function: { arguments: text.slice(0, length) } }));
          left[index] = text.slice(length);
        }
        const { message, stopReason } = replyOf([...fragments, end("tool_calls"), "[DONE]"]);
        expect(stopReason).toBe("tool-calls");
        expect(JSON.stringify(message.parts)).toBe(
          JSON.stringify(
            wanted.map((input, index) => ({
              type: "tool-call",
              id: `id${index}`,
              name: `tool${index}`,
              input: JSON.parse(JSON.stringify(input)),
            })),
          ),
        );
      }),
      { seed: 5, numRuns: 200 },
    );
  });

  it("tells calls apart where the server gives no index, one index for all, or no ids", () => {
    expect(
      callsOf([
        call({ index: 0, id: "p", function: named("a", '{"x":1}') }),
        call({ index: 0, id: "q", function: named("b", '{"y":') }),
        call({ index: 0, function: { arguments: "2}" } }),
      ]),
    ).toEqual(expected(["p", "q"]));
    expect(
      callsOf([
        call({ function: named("a", '{"x":') }),
        call({ function: { arguments: "1}" } }),
        call({ function: named("b", '{"y":2}') }),
      ]),
    ).toEqual(expected(["call_3_0", "call_3_1"]));
    expect(
      callsOf([
        call({ index: 0, id: "same", function: named("a", '{"x":1}') }),
        call({ index: 1, id: "same", function: named("b", '{"y":2}') }),
      ]),
    ).toEqual(expected(["same", "call_3_1"]));
    expect(
      callsOf([
        call({ index: 0, id: "call_3_1", function: named("a", '{"x":1}') }),
        call({ index: 1, id: "", function: { name: "b", arguments: { y: 2 } } }),
      ]),
    ).toEqual(expected(["call_3_1", "call_3_2"]));
  });

  it("keeps arguments that are no JSON object as they came", () => {
    const { message } = replyOf([
      call({ index: 0, id: "a", function: { name: "t", arguments: '{"x": 1' } }),
      call({ index: 1, id: "b", function: { name: "t" } }),
      end("length"),
    ]);
    expect(message.parts).toEqual([
      { type: "tool-call", id: "a", name: "t", input: null, malformed: '{"x": 1' },
      { type: "tool-call", id: "b", name: "t", input: null, malformed: "" },
    ]);
  });

  it("unwraps arguments that hold the object as a string, and tells of them at their end", () => {
    const { events, result } = read([
      call({ index: 0, id: "a", function: { name: "t", arguments: ' "{\\"x\\"' } }),
      call({ index: 0, function: { arguments: ': 1}"' } }),
      call({ index: 1, id: "b", function: { name: "t", arguments: '"no object"' } }),
      end("tool_calls"),
    ]);
    expect(Result.getOrThrow(result).message.parts).toMatchObject([
      { input: { x: 1 } },
      { input: null, malformed: '"no object"' },
    ]);
    expect(events.filter(({ type }) => type === "toolCall.delta")).toEqual([
      { type: "toolCall.delta", index: 0, text: '{"x": 1}' },
      { type: "toolCall.delta", index: 1, text: '"no object"' },
    ]);
  });

  it("keeps reasoning for the model that wants it back", () => {
    const keeping = (data: ReadonlyArray<JsonObject>): ReadonlyArray<unknown> => {
      const reply = makeChatCompletionsReply(
        { toolChoice: "auto", messageCount: 3, requestBytes: 400, keepsReasoningOf: "m" },
        () => undefined,
      );
      for (const item of [...data, end("stop")]) reply.read(JSON.stringify(item));
      return Result.getOrThrow(reply.finish()).message.parts;
    };
    expect(keeping([delta({ reasoning_content: "hm" }), delta({ content: "x" })])).toEqual([
      { type: "reasoning", text: "hm", providerData: { chat: { model: "m" } } },
      { type: "text", text: "x" },
    ]);
    const detail = { type: "reasoning.text", index: 0, format: "f" };
    expect(
      keeping([
        delta({ reasoning: "h", reasoning_details: [{ ...detail, text: "h" }] }),
        delta({ reasoning: "m", reasoning_details: [{ ...detail, text: "m", signature: null }] }),
        delta({
          reasoning_details: [
            { ...detail, signature: "s" },
            { type: "reasoning.encrypted", data: "e" },
          ],
        }),
      ]),
    ).toEqual([
      {
        type: "reasoning",
        text: "hm",
        providerData: {
          chat: {
            model: "m",
            reasoning_details: [
              { ...detail, text: "hm", signature: "s" },
              { type: "reasoning.encrypted", data: "e" },
            ],
          },
        },
      },
    ]);
    expect(
      keeping([call({ index: 0, id: "a", extra_content: { google: 1 }, function: named("t", "{}") })]),
    ).toMatchObject([{ type: "tool-call", providerData: { chat: { model: "m", extra_content: { google: 1 } } } }]);
    expect(keeping([delta({ reasoning_details: [{ type: "reasoning.encrypted", data: "e" }] })])).toMatchObject([
      { type: "reasoning", text: "" },
    ]);
  });

  it("reads content that comes as typed parts, and what was written to a cache", () => {
    const { message, usage } = replyOf([
      delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "hm" }] }] }),
      delta({ content: [{ type: "text", text: "hi" }] }),
      end("stop"),
      {
        choices: [],
        usage: { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 5 } },
      },
    ]);
    expect(message.parts).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "hi" },
    ]);
    expect(usage).toEqual({ inputTokens: 9, outputTokens: 1, cacheWriteTokens: 5 });
  });

  it("gives the same events however the bytes are cut", () => {
    const { events } = readStream(makeChatCompletionsReply, chatStream);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(readStream(makeChatCompletionsReply, chatStream, cuts).events).toEqual(events);
      }),
      { seed: 2, numRuns: 100 },
    );
  });

  it("tells what a reply has cost so far, once there is one", () => {
    const reply = makeChatCompletionsReply({ toolChoice: "auto", messageCount: 3, requestBytes: 400 }, () => undefined);
    expect(reply.spent()).toBeUndefined();
    reply.read(JSON.stringify(delta({ content: "12345678" })));
    expect(reply.spent()).toEqual({ inputTokens: 100, outputTokens: 2 });
  });

  it("drops calls under tool choice none", () => {
    const { events, result } = read(
      [
        delta({ content: "ok" }),
        call({ index: 0, id: "a", function: { name: "t", arguments: "{}" } }),
        end("tool_calls"),
      ],
      "none",
    );
    expect(Result.getOrThrow(result)).toMatchObject({
      message: { parts: [{ type: "text", text: "ok" }] },
      stopReason: "end",
    });
    expect(events.some(({ type }) => type.startsWith("toolCall"))).toBe(false);
  });

  it.each([
    ["stop", "end"],
    ["length", "length"],
    ["content_filter", "refusal"],
    ["tool_calls", "end"],
    ["something_new", "other"],
  ])("maps the finish reason %s to %s", (finish, stopReason) => {
    expect(replyOf([delta({ content: "x" }), end(finish)]).stopReason).toBe(stopReason);
  });

  it("takes a refusal as text and says that it is one", () => {
    expect(replyOf([delta({ refusal: "I will not." }), end("stop")])).toMatchObject({
      message: { parts: [{ type: "text", text: "I will not." }] },
      stopReason: "refusal",
    });
  });

  it("estimates the usage where the server tells none", () => {
    expect(replyOf([delta({ content: "12345678" }), end("stop")]).usage).toEqual({ inputTokens: 100, outputTokens: 2 });
  });

  it("reports errors inside the stream with their class", () => {
    expect(read([delta({ content: "x" }), { error: { code: 429, message: "slow down" } }]).problem).toEqual({
      reason: "rate-limit",
      status: 429,
      detail: "slow down",
    });
    expect(read([{ error: { code: "context_length_exceeded", message: "too long" } }]).problem?.reason).toBe(
      "context-overflow",
    );
    expect(read([{ error: "out of memory" }]).problem).toEqual({ reason: "server", detail: "out of memory" });
  });

  it("refuses what is no reply", () => {
    expect(reasonOf(["{not json"])).toBe("bad-response");
    expect(reasonOf(["[1]"])).toBe("bad-response");
    expect(reasonOf(["[".repeat(100_000)])).toBe("bad-response");
    expect(reasonOf(["[DONE]"])).toBe("bad-response");
    expect(reasonOf([delta({ content: "cut" })])).toBe("network");
    expect(reasonOf([call({ index: 0, function: { arguments: "{}" } }), end("tool_calls")])).toBe("bad-response");
    const many = Array.from({ length: 300 }, (_, index) => call({ index, id: `i${index}`, function: { name: "t" } }));
    expect(reasonOf([...many, end("tool_calls")])).toBe("bad-response");
  });

  it("looks at no more calls than a reply may have, however many one event holds", () => {
    const fragments = Array.from({ length: 100_000 }, (_, index) => ({
      index,
      id: `c${index}`,
      function: named("a", "{}"),
    }));
    const started = process.cpuUsage();
    const { events, problem } = read([delta({ tool_calls: fragments })]);
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
    expect(problem?.detail).toMatch(/more than 256 tool calls/);
    expect(events.length).toBeLessThan(2_000);
  });

  it("says what is no JSON without what could steer a terminal", () => {
    expect(read(["\u001B[2J\u202Eoops"]).problem?.detail).toMatch(/no JSON object: \[2J oops$/);
  });

  it("never throws, whatever JSON comes", () => {
    const near = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, 0, 1, "", "x", true), tie("list"), tie("object")),
      list: fc.array(tie("value"), { maxLength: 3 }),
      object: fc.dictionary(
        fc.constantFrom(
          "choices",
          "delta",
          "tool_calls",
          "function",
          "index",
          "id",
          "name",
          "arguments",
          "usage",
          "error",
          "content",
        ),
        tie("value"),
      ),
    }));
    fc.assert(
      fc.property(fc.array(near.object, { maxLength: 6 }), (chunks) => {
        expect(() => read(chunks.map((item) => JSON.stringify(item)))).not.toThrow();
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
