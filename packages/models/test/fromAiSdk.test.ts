import type { ServerResponse } from "node:http";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import {
  type JsonObject,
  type ModelCallFailed,
  type ModelReply,
  type ModelRequest,
  userText,
} from "@kumiko/plugin-api";
import { languageModelConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import { afterAll, describe, expect, it } from "vitest";
import { type AiSdkModel, fromAiSdk, type FromAiSdkOptions } from "../src/fromAiSdk.ts";
import { ModelSettingsInvalid } from "../src/ModelSettingsInvalid.ts";
import { type Asked, chatServer, startStream, stream } from "./chatServer.ts";
import { conversation, output, tools } from "./conversation.ts";
import { anthropicBlock, anthropicEnd, anthropicStart, anthropicStream } from "./streams.ts";

const secret = "sk-ant-very-secret-1234";
const asking = (text: string): ModelRequest => ({ system: "s", tools, messages: [userText(text)], toolChoice: "auto" });

const answer = (asked: Asked, response: ServerResponse): void => {
  const text = JSON.stringify(asked.body["messages"]);
  const hello = anthropicBlock(0, { type: "text", text: "" }, { type: "text_delta", text: "hello" });
  if (text.includes("call"))
    return stream(
      response,
      anthropicStream.replaceAll(/event: content_block_\w+\ndata: [^\n]*"index":3[^\n]*\n\n/g, ""),
    );
  if (text.includes("greet")) return stream(response, anthropicStart, hello, anthropicEnd("end_turn"));
  if (text.includes("endless")) {
    startStream(response);
    response.write(anthropicStart + hello);
    return undefined;
  }
  response.writeHead(529, { "content-type": "application/json", "retry-after": "2" });
  response.end(JSON.stringify({ type: "error", error: { type: "overloaded_error", message: `bad ${secret}` } }));
  return undefined;
};

const server = await chatServer(answer);
const waitingServer = await chatServer(answer);
const claude = (baseURL: string) =>
  fromAiSdk(createAnthropic({ baseURL, apiKey: secret })("claude-x"), { secrets: [secret] });
const model = claude(server.baseUrl);

/** A model that streams what a test tells it, and remembers what it was asked. */
const scripted = (version: string, parts: ReadonlyArray<unknown>) => {
  const asked: Array<object> = [];
  const made: AiSdkModel = {
    specificationVersion: version,
    provider: "my provider",
    modelId: "m",
    doStream: async (options) => {
      asked.push(options);
      return {
        stream: new ReadableStream({
          start: (controller) => {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      };
    },
  };
  return { made, asked };
};

const replyOf = (version: string, parts: ReadonlyArray<unknown>, request = asking("x")): Promise<ModelReply> =>
  Effect.runPromise(fromAiSdk(scripted(version, parts).made).generate(request, () => undefined));

const failureOf = (made: AiSdkModel, options: FromAiSdkOptions = {}): Promise<ModelCallFailed> =>
  Effect.runPromise(Effect.flip(fromAiSdk(made, options).generate(asking("x"), () => undefined)));

const throwing = (error: unknown): AiSdkModel => ({
  ...scripted("v3", []).made,
  doStream: async () => {
    throw error;
  },
});

const nested = {
  inputTokens: { total: 9, noCache: 5, cacheRead: 3, cacheWrite: 1 },
  outputTokens: { total: 4, text: 3, reasoning: 1 },
};

describe("fromAiSdk", () => {
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await waitingServer[Symbol.asyncDispose]();
  });

  describe("keeps the contract", () => {
    registerConformance(
      it,
      languageModelConformance({
        model,
        text: asking("greet"),
        calls: asking("call"),
        failing: { model, request: asking("fail"), reason: "overloaded", secrets: [secret] },
        endless: {
          model: claude(waitingServer.baseUrl),
          request: asking("endless"),
          isFreed: Effect.sync(() => waitingServer.connections().open === 0),
        },
      }),
    );
  });

  it("hands back to a real provider what it gave, so that the provider sends it on", async () => {
    const first = asking("call");
    const { message, usage } = await Effect.runPromise(model.generate(first, () => undefined));
    expect(usage).toEqual({
      inputTokens: 152,
      outputTokens: 57,
      cacheReadTokens: 100,
      cacheWriteTokens: 40,
      reasoningTokens: 9,
    });
    expect(message.parts.map(({ type }) => type)).toEqual(["reasoning", "reasoning", "text", "tool-call", "tool-call"]);
    const result = { type: "tool-result", name: "file_read", status: "error", text: "no" } as const;
    const messages: ModelRequest["messages"] = [
      ...first.messages,
      message,
      {
        role: "tool",
        parts: [
          { ...result, callId: "toolu_1" },
          { ...result, callId: "toolu_2" },
        ],
      },
    ];
    await Effect.runPromise(model.generate({ ...first, messages }, () => undefined));
    expect(server.asked.at(-1)?.body["messages"]).toMatchObject([
      { role: "user" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Thé files 語.", signature: "c2lnbmF0dXJl" },
          { type: "redacted_thinking", data: "aGlkZGVu" },
          { type: "text", text: "I look 😀 at both." },
          { type: "tool_use", id: "toolu_1", name: "file_read", input: { path: "a.txt" } },
          { type: "tool_use", id: "toolu_2", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", is_error: true },
          { type: "tool_result", tool_use_id: "toolu_2", is_error: true },
        ],
      },
    ]);
  });

  it("speaks through the SDK's OpenAI-compatible provider as well", async () => {
    await using own = await chatServer((_, response) =>
      stream(
        response,
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
      ),
    );
    const other = fromAiSdk(createOpenAICompatible({ name: "own", baseURL: own.baseUrl })("m"), { provider: "own" });
    expect(other.id).toBe("own/m");
    const image = conversation("m").slice(0, 1);
    const { message, stopReason } = await Effect.runPromise(
      other.generate({ ...asking("x"), messages: image, output }, () => undefined),
    );
    expect({ message, stopReason }).toEqual({
      message: { role: "assistant", parts: [{ type: "text", text: "hi" }] },
      stopReason: "end",
    });
    expect(own.asked[0]?.body).toMatchObject({
      messages: [
        { role: "system" },
        { content: [{ type: "text" }, { image_url: { url: "data:image/png;base64,AAAA" } }] },
      ],
    });
  });

  it("makes a failure of whatever an adapter throws, and never breaks", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const own = new Error("own cause");
    own.cause = own;
    for (const error of [circular, { code: 1n }, own, 7, undefined]) {
      expect((await failureOf(scripted("v2", [{ type: "error", error }]).made)).detail).not.toBe("");
      const thrown = { ...scripted("v2", []).made, doStream: () => Promise.reject(error) };
      expect((await failureOf(thrown)).detail).not.toBe("");
    }
    const stuck = {
      getReader: () => ({
        read: () => Promise.reject(new Error("gone")),
        cancel: () => {
          throw new Error("cannot be cancelled");
        },
      }),
    };
    const failure = await failureOf({ ...scripted("v2", []).made, doStream: async () => ({ stream: stuck }) });
    expect(failure.detail).toBe("gone");
    const odd = await replyOf("v2", [
      { type: "tool-call", toolCallId: "c", toolName: "grep", input: { x: 1n } },
      { type: "finish", finishReason: "tool-calls", usage: { inputTokens: 1, outputTokens: 1 } },
    ]);
    expect(odd.message.parts).toEqual([{ type: "tool-call", id: "c", name: "grep", input: null, malformed: "{" }]);
  });

  it("understands a wish for a wait in headers of any kind", async () => {
    for (const responseHeaders of [{ "retry-after": "3" }, new Headers({ "retry-after": "3" })]) {
      const error = Object.assign(new Error("busy"), { statusCode: 429, responseHeaders });
      const failure = await failureOf({ ...scripted("v2", []).made, doStream: () => Promise.reject(error) });
      expect(failure).toMatchObject({ reason: "rate-limit", retryAfterMillis: 3_000 });
    }
  });

  it.each([
    ["v2", "tool-calls", { inputTokens: 9, outputTokens: 4, cachedInputTokens: 3, reasoningTokens: 1 }],
    ["v3", { unified: "tool-calls", raw: "x" }, nested],
    ["v4", { unified: "tool-calls", raw: "x" }, nested],
  ])("reads streams of specification %s", async (version, finishReason, usage) => {
    const metadata = { p: { signature: "s", gone: undefined } };
    const reply = await replyOf(version, [
      { type: "stream-start", warnings: [] },
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", delta: "hm" },
      { type: "reasoning-end", id: "r", providerMetadata: metadata },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "hi" },
      { type: "text-end", id: "t" },
      { type: "source", sourceType: "url", id: "s", url: "http://x" },
      { type: "tool-input-start", id: "c1", toolName: "grep" },
      { type: "tool-input-delta", id: "c1", delta: '{"x":1}' },
      { type: "tool-input-end", id: "c1" },
      { type: "tool-call", toolCallId: "c1", toolName: "grep", input: '{"x":1}', providerMetadata: metadata },
      { type: "tool-call", toolCallId: "c2", toolName: "grep", input: '{"y":2}' },
      { type: "tool-input-start", id: "w", toolName: "web", providerExecuted: true },
      { type: "tool-call", toolCallId: "w", toolName: "web", input: "{}", providerExecuted: true },
      { type: "finish", finishReason, usage },
    ]);
    const providerData = { aiSdk: { model: "my-provider/m", metadata: { p: { signature: "s" } } } };
    expect(reply).toMatchObject({
      message: {
        parts: [
          { type: "reasoning", text: "hm", providerData },
          { type: "text", text: "hi" },
          { type: "tool-call", id: "c1", input: { x: 1 }, providerData },
          { type: "tool-call", id: "c2", input: { y: 2 } },
        ],
      },
      stopReason: "tool-calls",
      usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 3, reasoningTokens: 1 },
    });
    expect(reply.message.parts).toHaveLength(4);
  });

  it.each([
    ["v2", { type: "file", data: "AAAA", mediaType: "image/png" }, { type: "media", data: "AAAA" }],
    ["v3", { type: "file", data: "AAAA", mediaType: "image/png" }, { type: "image-data", data: "AAAA" }],
    [
      "v4",
      { type: "file", data: { type: "data", data: "AAAA" } },
      { type: "file", data: { type: "data", data: "AAAA" } },
    ],
  ])("asks models of specification %s in its form", async (version, file, media) => {
    const { asked, made } = scripted(version, [{ type: "finish", finishReason: "stop", usage: {} }]);
    const asks = fromAiSdk(made, { maxOutputTokens: 7, providerOptions: { p: { x: 1 } } });
    const request: ModelRequest = { system: "s", tools, messages: conversation("m"), toolChoice: "none", output };
    const { usage } = await Effect.runPromise(asks.generate(request, () => undefined));
    expect(usage.inputTokens).toBeGreaterThan(100);
    expect(asked[0]).toMatchObject({
      maxOutputTokens: 7,
      providerOptions: { p: { x: 1 } },
      responseFormat: { type: "json", name: "answer" },
      toolChoice: { type: "none" },
      tools: [{ type: "function", name: "grep" }],
      prompt: [
        { role: "system", content: "s" },
        { role: "user", content: [{ type: "text" }, file] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I search." },
            { type: "tool-call", toolCallId: "call:1", toolName: "grep", input: { pattern: "x" } },
            { type: "tool-call", toolCallId: "b", input: { malformed_arguments: '{"pattern' } },
          ],
        },
        {
          role: "tool",
          content: [
            {
              type: "tool-result",
              toolCallId: "call:1",
              output: { type: "content", value: [{ text: "found" }, media] },
            },
            { type: "tool-result", toolCallId: "b", output: { type: "error-text", value: "bad arguments" } },
          ],
        },
        { role: "user" },
        { role: "assistant" },
        { role: "user" },
      ],
    });
  });

  it("classes what a model throws or streams", async () => {
    const api = (fields: JsonObject): Error => Object.assign(new Error("no"), { name: "AI_APICallError", ...fields });
    const limited = api({
      statusCode: 429,
      isRetryable: true,
      responseHeaders: { "retry-after": "3" },
      responseBody: '{"error":{"message":"slow"}}',
    });
    expect(await failureOf(throwing(limited))).toMatchObject({
      reason: "rate-limit",
      status: 429,
      retryAfterMillis: 3000,
      detail: "slow",
    });
    expect(await failureOf(throwing(api({ statusCode: 418, isRetryable: true })))).toMatchObject({ reason: "server" });
    expect(await failureOf(throwing(api({ statusCode: 400, isRetryable: false })))).toMatchObject({
      reason: "bad-request",
    });
    expect(await failureOf(throwing(api({ isRetryable: true })))).toMatchObject({ reason: "network" });
    expect(await failureOf(throwing(Object.assign(new Error("k"), { name: "AI_LoadAPIKeyError" })))).toMatchObject({
      reason: "auth",
    });
    const late = new TypeError("fetch failed", {
      cause: Object.assign(new Error("x"), { code: "UND_ERR_HEADERS_TIMEOUT" }),
    });
    expect(await failureOf(throwing(late))).toMatchObject({ reason: "timeout" });
    expect(await failureOf(throwing("a string"))).toMatchObject({ reason: "server", detail: "a string" });
    const text = [{ type: "text-delta", id: "t", delta: "half" }];
    const broken = scripted("v3", [...text, { type: "error", error: limited }]).made;
    expect(await failureOf(broken)).toMatchObject({ reason: "rate-limit", usage: { outputTokens: 1 } });
    expect(await failureOf(scripted("v3", text).made)).toMatchObject({ reason: "network", usage: { outputTokens: 1 } });
    const ended = scripted("v3", [{ type: "finish", finishReason: { unified: "error" }, usage: nested }]).made;
    expect(await failureOf(ended)).toMatchObject({ reason: "server" });
    const silent: AiSdkModel = { ...broken, doStream: () => new Promise(() => undefined) };
    expect(await failureOf(silent, { idleTimeoutMillis: 20 })).toMatchObject({ reason: "timeout" });
  });

  it("refuses a version it does not know", () => {
    expect(() => fromAiSdk(scripted("v9", []).made)).toThrow(ModelSettingsInvalid);
  });
});
