import type { ServerResponse } from "node:http";
import { type ModelRequest, userText } from "@kumiko/plugin-api";
import { languageModelConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import { afterAll, describe, expect, it } from "vitest";
import { openAiResponses } from "../src/openAiResponses.ts";
import { type Asked, chatServer, startStream, stream } from "./chatServer.ts";
import { tools } from "./conversation.ts";
import { responsesEnd, responsesEvent, responsesStart, responsesStream } from "./streams.ts";

const secret = "sk-very-secret-1234";
const asking = (text: string): ModelRequest => ({ system: "s", tools, messages: [userText(text)], toolChoice: "auto" });
const says = (delta: string): string => responsesEvent("response.output_text.delta", { output_index: 0, delta });

const answer = (asked: Asked, response: ServerResponse): void => {
  const text = JSON.stringify(asked.body["input"]);
  if (text.includes("call")) return stream(response, responsesStream);
  if (text.includes("text")) return stream(response, responsesStart, says("hello"), responsesEnd([]));
  if (text.includes("endless")) {
    startStream(response);
    response.write(responsesStart + says("first"));
    return undefined;
  }
  response.writeHead(429, { "content-type": "application/json", "retry-after": "2" });
  response.end(JSON.stringify({ error: { message: `bad ${secret}`, code: "insufficient_quota" } }));
  return undefined;
};

const server = await chatServer(answer);
const model = openAiResponses({ model: "gpt-x", baseUrl: server.baseUrl, apiKey: secret, provider: "openai" });
const waitingServer = await chatServer(answer);
const waiting = openAiResponses({ model: "gpt-x", baseUrl: waitingServer.baseUrl });

describe("openAiResponses", () => {
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
        text: asking("text"),
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

  it("posts to the endpoint with the key", async () => {
    await Effect.runPromise(model.generate(asking("text"), () => undefined));
    expect(server.asked.at(-1)).toMatchObject({
      path: "/v1/responses",
      headers: { authorization: `Bearer ${secret}` },
      body: { store: false },
    });
    expect(openAiResponses({ model: "m" }).id).toBe("api.openai.com/m");
  });
});
