import { type Message, type ModelRequest, userText } from "@kumiko/plugin-api";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { makeChatCompletionsBody } from "../src/ChatCompletionsBody.ts";
import { output, textOfBody, valueOfBody } from "./conversation.ts";

const bodyOf = makeChatCompletionsBody({ model: 'm"1', maxTokensField: "max_tokens", maxOutputTokens: 7 });
const read = (request: Partial<ModelRequest>): unknown =>
  JSON.parse(new TextDecoder().decode(bodyOf({ system: "", tools: [], messages: [], toolChoice: "auto", ...request })));

describe("ChatCompletionsBody", () => {
  it("writes settings, system prompt, tools and every kind of message", () => {
    const image = { type: "image", mediaType: "image/png", data: "AAAA" } as const;
    const messages: ReadonlyArray<Message> = [
      userText("hello \ud800 “x”"),
      { role: "user", parts: [{ type: "text", text: "see" }, image] },
      {
        role: "assistant",
        parts: [
          { type: "reasoning", text: "hidden" },
          { type: "tool-call", id: "a", name: "grep", input: { pattern: "x" } },
          { type: "tool-call", id: "b", name: "grep", input: null, malformed: '{"pattern' },
        ],
      },
      {
        role: "tool",
        parts: [
          { type: "tool-result", callId: "a", name: "grep", status: "ok", text: "found", images: [image] },
          { type: "tool-result", callId: "b", name: "grep", status: "error", text: "bad arguments" },
        ],
      },
      { role: "assistant", parts: [{ type: "text", text: "done" }] },
    ];
    const tools = [{ name: "grep", description: "Searches.", inputSchema: { type: "object" } }];
    const imageUrl = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } } as const;
    const expected: OpenAI.ChatCompletionCreateParamsStreaming = {
      model: 'm"1',
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        { type: "function", function: { name: "grep", description: "Searches.", parameters: { type: "object" } } },
      ],
      tool_choice: "none",
      max_tokens: 9,
      messages: [
        { role: "system", content: "be kind" },
        { role: "user", content: "hello \ud800 “x”" },
        { role: "user", content: [{ type: "text", text: "see" }, imageUrl] },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "grep", arguments: '{"pattern":"x"}' } },
            {
              id: "b",
              type: "function",
              function: { name: "grep", arguments: '{"malformed_arguments":"{\\"pattern"}' },
            },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "found" },
        { role: "tool", tool_call_id: "b", content: "bad arguments" },
        { role: "user", content: [{ type: "text", text: "Images of the result of grep (a):" }, imageUrl] },
        { role: "assistant", content: "done" },
      ],
    };
    expect(read({ system: "be kind", tools, messages, toolChoice: "none", maxOutputTokens: 9 })).toEqual(expected);
  });

  it("wishes for an output, strictly where the schema allows it", () => {
    const expected: OpenAI.ChatCompletionCreateParamsStreaming["response_format"] = {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: { ...output.schema } },
    };
    expect(read({ output })).toMatchObject({ response_format: expected });
    expect(read({ output: { name: "o", schema: { type: "object", properties: { a: {} } } } })).toMatchObject({
      response_format: { json_schema: { strict: false } },
    });
  });

  it("sends reasoning back in the field that was asked for, to the model it came from", () => {
    const details = [{ type: "reasoning.text", text: "hm", signature: "s", index: 0 }];
    const thought = (model: string): Message => ({
      role: "assistant",
      parts: [
        { type: "reasoning", text: "hm", providerData: { chat: { model, reasoning_details: details } } },
        {
          type: "tool-call",
          id: "a",
          name: "t",
          input: {},
          providerData: { chat: { model, extra_content: { google: { thought_signature: "g" } } } },
        },
      ],
    });
    const sent = (field?: "reasoning_content" | "reasoning_details" | "extra_content", model = "m"): unknown => {
      const sending = makeChatCompletionsBody({
        model: "m",
        maxTokensField: "max_tokens",
        ...(field === undefined ? {} : { sendsReasoning: field }),
      });
      const body = valueOfBody(sending({ system: "", tools: [], messages: [thought(model)], toolChoice: "auto" }));
      return body;
    };
    const call = { id: "a", type: "function", function: { name: "t", arguments: "{}" } };
    const plain = { role: "assistant", content: null, tool_calls: [call] };
    expect(sent()).toMatchObject({ messages: [plain] });
    expect(JSON.stringify(sent())).not.toMatch(/hm|google/);
    expect(sent("reasoning_content")).toMatchObject({ messages: [{ ...plain, reasoning_content: "hm" }] });
    expect(sent("reasoning_details")).toMatchObject({ messages: [{ ...plain, reasoning_details: details }] });
    expect(sent("extra_content")).toMatchObject({
      messages: [{ tool_calls: [{ ...call, extra_content: { google: { thought_signature: "g" } } }] }],
    });
    for (const field of ["reasoning_content", "reasoning_details", "extra_content"] as const)
      expect(JSON.stringify(sent(field, "other"))).not.toMatch(/hm|google/);
  });

  it("is the same text from turn to turn, and holds fields that were asked for", () => {
    const turning = makeChatCompletionsBody({ model: "m", maxTokensField: "max_tokens", extraBody: { seed: 1 } });
    const messages: Array<Message> = [userText("start")];
    const text = (): string => textOfBody(turning({ system: "s", tools: [], messages, toolChoice: "auto" }));
    expect(JSON.parse(text())).toMatchObject({ seed: 1 });
    for (let turn = 0; turn < 20; turn++) {
      const before = text();
      messages.push(
        { role: "assistant", parts: [{ type: "tool-call", id: `c${turn}`, name: "t", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", callId: `c${turn}`, name: "t", status: "ok", text: "r" }] },
      );
      expect(text().startsWith(before.slice(0, -2))).toBe(true);
    }
  });

  it("leaves out what the request does not have", () => {
    const empty: Message = { role: "tool", parts: [] };
    expect(read({ messages: [userText("a"), empty, userText("b")], toolChoice: "none" })).toEqual({
      model: 'm"1',
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 7,
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: "b" },
      ],
    });
  });

  it("serialises each message and tool list once, whichever model it is for", () => {
    let reads = 0;
    const counted: Message = {
      role: "user",
      get parts() {
        reads++;
        return [{ type: "text" as const, text: "once" }];
      },
    };
    const tools = [
      {
        get name() {
          reads++;
          return "t";
        },
        description: "d",
        inputSchema: {},
      },
    ];
    const messages: Array<Message> = [counted];
    read({ messages, tools });
    const after = reads;
    expect(after).toBeGreaterThan(0);
    for (let turn = 0; turn < 50; turn++) {
      messages.push(userText(`turn ${turn}`));
      read({ messages, tools });
    }
    makeChatCompletionsBody({ model: "other", maxTokensField: "max_tokens" })({
      system: "",
      tools,
      messages,
      toolChoice: "auto",
    });
    expect(reads).toBe(after);
  });

  it("keeps apart the system prompts of more sessions than it remembers", () => {
    for (const round of [1, 2])
      for (let session = 0; session < 100; session++)
        expect(read({ system: `prompt ${session}`, messages: [] }), `round ${round}`).toMatchObject({
          messages: [{ role: "system", content: `prompt ${session}` }],
        });
  });
});
