import { type Message, userText } from "@kumiko/plugin-api";
import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { makeResponsesBody } from "../src/ResponsesBody.ts";
import { requestOf, textOfBody, tools, valueOfBody } from "./conversation.ts";

const bodyOf = makeResponsesBody({ model: "gpt-x", reasoning: { effort: "low", summary: "auto" } });

describe("ResponsesBody", () => {
  it("writes everything a request may hold as the official client would", () => {
    const image = { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" } as const;
    const expected: OpenAI.Responses.ResponseCreateParamsStreaming = {
      model: "gpt-x",
      stream: true,
      store: false,
      reasoning: { effort: "low", summary: "auto" },
      include: ["reasoning.encrypted_content"],
      max_output_tokens: 5000,
      text: {
        format: {
          type: "json_schema",
          name: "answer",
          strict: true,
          schema: {
            type: "object",
            properties: { ok: { type: "boolean" } },
            required: ["ok"],
            additionalProperties: false,
          },
        },
      },
      tool_choice: "none",
      tools: [
        {
          type: "function",
          name: "grep",
          description: "Searches.",
          strict: false,
          parameters: { type: "object", properties: { pattern: { type: "string" } }, required: ["pattern"] },
        },
      ],
      instructions: "be kind",
      input: [
        { role: "user", content: [{ type: "input_text", text: "see “x” 😀" }, image] },
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "own" }], encrypted_content: "enc" },
        { role: "assistant", content: "I search." },
        { type: "function_call", call_id: "call:1", name: "grep", arguments: '{"pattern":"x"}' },
        { type: "function_call", call_id: "b", name: "grep", arguments: '{"malformed_arguments":"{\\"pattern"}' },
        { type: "function_call_output", call_id: "call:1", output: [{ type: "input_text", text: "found" }, image] },
        { type: "function_call_output", call_id: "b", output: "bad arguments" },
        { role: "user", content: "Go on." },
        { role: "assistant", content: "done" },
        { role: "user", content: "Thanks." },
      ],
    };
    expect(valueOfBody(bodyOf(requestOf("gpt-x")))).toEqual(expected);
  });

  it("leaves out what the request does not have", () => {
    const plain = makeResponsesBody({ model: "m", maxOutputTokens: 9, extraBody: { temperature: 1 } });
    expect(valueOfBody(plain({ system: "", tools: [], messages: [userText("a")], toolChoice: "none" }))).toEqual({
      model: "m",
      stream: true,
      store: false,
      temperature: 1,
      max_output_tokens: 9,
      input: [{ role: "user", content: "a" }],
    });
  });

  it("sends no reasoning without what it led to", () => {
    const providerData = { responses: { id: "rs", encrypted_content: "e", model: "gpt-x" } };
    const cut: Message = { role: "assistant", parts: [{ type: "reasoning", text: "hm", providerData }] };
    expect(
      valueOfBody(bodyOf({ system: "", tools: [], messages: [userText("a"), cut, userText("b")], toolChoice: "auto" })),
    ).toMatchObject({ input: [{ content: "a" }, { content: "b" }] });
  });

  it("is the same text from turn to turn, each message serialised once", () => {
    let reads = 0;
    const counted: Message = {
      role: "user",
      get parts() {
        reads++;
        return [{ type: "text" as const, text: "once" }];
      },
    };
    const messages: Array<Message> = [counted];
    const text = (): string => textOfBody(bodyOf({ system: "s", tools, messages, toolChoice: "auto" }));
    text();
    const once = reads;
    for (let turn = 0; turn < 20; turn++) {
      const before = text();
      messages.push(
        { role: "assistant", parts: [{ type: "tool-call", id: `c${turn}`, name: "grep", input: {} }] },
        { role: "tool", parts: [{ type: "tool-result", callId: `c${turn}`, name: "grep", status: "ok", text: "r" }] },
      );
      expect(text().startsWith(before.slice(0, -2))).toBe(true);
    }
    expect(reads).toBe(once);
  });
});
