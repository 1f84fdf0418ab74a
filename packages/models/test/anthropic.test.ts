import type { ServerResponse } from "node:http";
import type { ModelCallFailed, ModelRequest } from "@kumiko/plugin-api";
import { userText } from "@kumiko/plugin-api";
import { languageModelConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import { afterAll, describe, expect, it } from "vitest";
import { anthropic } from "../src/anthropic.ts";
import { type Asked, chatServer, startStream, stream } from "./chatServer.ts";
import { tools } from "./conversation.ts";
import { anthropicBlock, anthropicEnd, anthropicStart, anthropicStream, named } from "./streams.ts";

const secret = "sk-ant-very-secret-1234";
const asking = (text: string): ModelRequest => ({ system: "s", tools, messages: [userText(text)], toolChoice: "auto" });

const answer = (asked: Asked, response: ServerResponse): void => {
  const text = JSON.stringify(asked.body["messages"]);
  const hello = anthropicBlock(0, { type: "text", text: "" }, { type: "text_delta", text: "hello" });
  if (text.includes("call")) return stream(response, anthropicStream);
  if (text.includes("greet")) return stream(response, anthropicStart, hello, anthropicEnd("end_turn"));
  if (text.includes("breaks"))
    return stream(
      response,
      anthropicStart,
      hello,
      named({ type: "error", error: { type: "overloaded_error", message: `x ${secret}` } }),
    );
  if (text.includes("endless")) {
    startStream(response);
    response.write(anthropicStart + hello);
    return undefined;
  }
  response.writeHead(401, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type: "authentication_error", message: `bad ${secret}` } }));
  return undefined;
};

const server = await chatServer(answer);
const options = { model: "claude-x", baseUrl: server.baseUrl, apiKey: secret, provider: "anthropic" };
const model = anthropic(options);
const waitingServer = await chatServer(answer);
const waiting = anthropic({ ...options, baseUrl: waitingServer.baseUrl });

const failureOf = (text: string): Promise<ModelCallFailed> =>
  Effect.runPromise(Effect.flip(model.generate(asking(text), () => undefined)));

describe("anthropic", () => {
  afterAll(async () => {
    await Effect.runPromise(Effect.all([model.close, waiting.close]));
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
        failing: { model, request: asking("fail"), reason: "auth", secrets: [secret] },
        endless: {
          model: waiting,
          request: asking("endless"),
          isFreed: Effect.sync(() => waitingServer.connections().open === 0),
        },
      }),
    );
  });

  it("posts to the endpoint with version and key, or with a token in its place", async () => {
    await Effect.runPromise(model.generate(asking("greet"), () => undefined));
    const { headers, path } = server.asked.at(-1) ?? {};
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({ "anthropic-version": "2023-06-01", "x-api-key": secret });
    const signedIn = anthropic({ ...options, authToken: "token-12345678" });
    await Effect.runPromise(signedIn.generate(asking("greet"), () => undefined));
    expect(server.asked.at(-1)?.headers).toMatchObject({ authorization: "Bearer token-12345678" });
    expect(server.asked.at(-1)?.headers).not.toHaveProperty("x-api-key");
    await Effect.runPromise(signedIn.close);
  });

  it("tells what a call has cost that failed halfway, and only then", async () => {
    const broken = await failureOf("breaks");
    expect(broken).toMatchObject({
      reason: "overloaded",
      detail: "x [secret]",
      usage: { inputTokens: 152, outputTokens: 2 },
    });
    expect((await failureOf("fail")).usage).toBeUndefined();
  });

  it("carries what is known of it, and has defaults", () => {
    const prices = { input: 3, output: 15 };
    expect(anthropic({ model: "m", profile: "work", contextWindowTokens: 200_000, prices })).toMatchObject({
      id: "api.anthropic.com/m",
      profile: "work",
      contextWindowTokens: 200_000,
      prices,
    });
  });
});
