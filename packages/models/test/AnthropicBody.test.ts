import type Anthropic from "@anthropic-ai/sdk";
import { type Message, type ModelRequest, userText } from "@kumiko/plugin-api";
import { describe, expect, it } from "vitest";
import { type AnthropicBodyOptions, makeAnthropicBody } from "../src/AnthropicBody.ts";
import { requestOf, textOfBody, tools, valueOfBody } from "./conversation.ts";
import { wireName } from "../src/internal/wireName.ts";

type Body = Anthropic.MessageCreateParamsStreaming;

const bodyOf = makeAnthropicBody({ model: "claude-x", thinking: { type: "enabled", budget_tokens: 2000 } });
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } } as const;
const mark = { cache_control: { type: "ephemeral" } } as const;

const read = (request: Partial<ModelRequest>, options: Partial<AnthropicBodyOptions> = {}): unknown =>
  valueOfBody(
    makeAnthropicBody({ model: "m", ...options })({
      system: "",
      tools: [],
      messages: [],
      toolChoice: "auto",
      ...request,
    }),
  );

describe("AnthropicBody", () => {
  it("writes everything a request may hold as the official client would", () => {
    const expected: Body = {
      model: "claude-x",
      stream: true,
      max_tokens: 5000,
      thinking: { type: "enabled", budget_tokens: 2000 },
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { ok: { type: "boolean" } },
            required: ["ok"],
            additionalProperties: false,
          },
        },
      },
      tool_choice: { type: "none" },
      tools: [
        {
          name: "grep",
          description: "Searches.",
          input_schema: { type: "object", properties: { pattern: { type: "string" } }, required: ["pattern"] },
          ...mark,
        },
      ],
      system: [{ type: "text", text: "be kind", ...mark }],
      messages: [
        { role: "user", content: [{ type: "text", text: "see “x” 😀" }, image] },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "own", signature: "sig" },
            { type: "redacted_thinking", data: "secret" },
            { type: "text", text: "I search." },
            { type: "tool_use", id: wireName("call:1"), name: "grep", input: { pattern: "x" } },
            { type: "tool_use", id: "b", name: "grep", input: { malformed_arguments: '{"pattern' } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: wireName("call:1"), content: [{ type: "text", text: "found" }, image] },
            { type: "tool_result", tool_use_id: "b", content: "bad arguments", is_error: true },
            { type: "text", text: "Go on.", ...mark },
          ],
        },
        { role: "assistant", content: [{ type: "text", text: "done" }] },
        { role: "user", content: [{ type: "text", text: "Thanks.", ...mark }] },
      ],
    };
    expect(valueOfBody(bodyOf(requestOf("claude-x")))).toEqual(expected);
  });

  it("is the same text from turn to turn, but for the markers' place", () => {
    const messages: Array<Message> = [];
    const plainBody = makeAnthropicBody({ model: "m" });
    const unmarked = (): string =>
      textOfBody(plainBody({ system: "s", tools, messages, toolChoice: "auto" })).replaceAll(
        ',"cache_control":{"type":"ephemeral"}',
        "",
      );
    const turn = (number: number): ReadonlyArray<Message> => [
      { role: "assistant", parts: [{ type: "tool-call", id: `c${number}`, name: "grep", input: {} }] },
      { role: "tool", parts: [{ type: "tool-result", callId: `c${number}`, name: "grep", status: "ok", text: "r" }] },
    ];
    messages.push(userText("start"), { role: "assistant", parts: [{ type: "text", text: "hm" }] }, userText("go"));
    for (let number = 0; number < 20; number++) {
      const before = unmarked();
      expect(before.endsWith("]}")).toBe(true);
      messages.push(...turn(number));
      expect(unmarked().startsWith(before.slice(0, -2))).toBe(true);
    }
  });

  it("serialises each message and tool list once, wherever its marker is", () => {
    let reads = 0;
    const counted: Message = {
      role: "user",
      get parts() {
        reads++;
        return [{ type: "text" as const, text: "once" }];
      },
    };
    const messages: Array<Message> = [counted];
    for (let turn = 0; turn < 50; turn++) {
      bodyOf({ system: "s", tools, messages, toolChoice: "auto" });
      messages.push({ role: "assistant", parts: [{ type: "text", text: "a" }] }, userText(`turn ${turn}`));
    }
    expect(reads).toBe(1);
  });

  it("puts results first, joins what is the same role's, and leaves out what holds nothing", () => {
    expect(
      read(
        {
          system: " ",
          messages: [
            userText("a"),
            { role: "assistant", parts: [{ type: "text", text: " \n" }] },
            userText("b"),
            { role: "tool", parts: [{ type: "tool-result", callId: "c", name: "t", status: "denied", text: "no" }] },
          ],
        },
        { promptCache: false },
      ),
    ).toEqual({
      model: "m",
      stream: true,
      max_tokens: 8192,
      messages: [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c", content: "no", is_error: true },
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
    });
  });

  it("shows what images it cannot send", () => {
    const messages: ReadonlyArray<Message> = [
      { role: "user", parts: [{ type: "image", mediaType: "image/tiff", data: "A" }] },
    ];
    expect(read({ messages })).toMatchObject({
      messages: [{ content: [{ text: expect.stringContaining("image/tiff") }] }],
    });
  });

  it("keeps thinking within the limit, and leaves it where a turn began without", () => {
    const thinking = { type: "enabled", budget_tokens: 4000 } as const;
    expect(read({}, { thinking })).toMatchObject({ max_tokens: 12_192, thinking });
    expect(read({ maxOutputTokens: 3000 }, { thinking })).toMatchObject({ thinking: { budget_tokens: 2999 } });
    expect(read({ maxOutputTokens: 1000 }, { thinking })).not.toHaveProperty("thinking");
    const begun: ReadonlyArray<Message> = [
      userText("x"),
      { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "t", input: {} }] },
      { role: "tool", parts: [{ type: "tool-result", callId: "c", name: "t", status: "ok", text: "r" }] },
    ];
    expect(read({ messages: begun }, { thinking })).not.toHaveProperty("thinking");
    const thought: Message = {
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", providerData: { anthropic: { signature: "s", model: "m" } } },
        { type: "tool-call", id: "c0", name: "t", input: {} },
      ],
    };
    const result: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "c0", name: "t", status: "ok", text: "r" }],
    };
    // Only the first message of a turn begins with thinking.
    expect(read({ messages: [userText("x"), thought, result, ...begun.slice(1)] }, { thinking })).toMatchObject({
      thinking,
    });
    expect(read({ messages: begun }, { thinking: { type: "adaptive" }, effort: "low" })).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    });
  });

  it("sends no message that ends in thinking", () => {
    const cut: Message = {
      role: "assistant",
      parts: [
        { type: "text", text: "a" },
        { type: "reasoning", text: "hm", providerData: { anthropic: { signature: "s", model: "m" } } },
      ],
    };
    expect(read({ messages: [userText("x"), cut, userText("go on")] })).toMatchObject({
      messages: [{}, { role: "assistant", content: [{ type: "text", text: "a" }] }, {}],
    });
  });

  it("closes the objects of a wished output and adds fields that were asked for", () => {
    const output = { name: "o", schema: { type: "object", properties: { a: { type: "object" } } } };
    expect(read({ output }, { extraBody: { temperature: 0.2 } })).toMatchObject({
      temperature: 0.2,
      output_config: {
        format: {
          schema: { additionalProperties: false, properties: { a: { type: "object", additionalProperties: false } } },
        },
      },
    });
  });
});
