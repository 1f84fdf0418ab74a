import { type LanguageModel, type ModelReply, type ModelRequest, userText } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import type { Environment } from "../src/Environment.ts";
import { makeModel } from "../src/makeModel.ts";
import { modelFor } from "../src/modelFor.ts";
import type { ModelSettings } from "../src/ModelsFile.ts";
import { modelServer } from "../src/testing/index.ts";

const request: ModelRequest = {
  system: "Be brief.",
  tools: [{ name: "file_read", description: "Reads.", inputSchema: { type: "object" } }],
  messages: [userText("Hello.")],
  toolChoice: "auto",
};
const ask = (model: LanguageModel): Promise<ModelReply> => Effect.runPromise(model.generate(request, () => undefined));
const named = (name: string, env: Environment, settings: ModelSettings = {}): LanguageModel =>
  makeModel(Result.getOrThrow(modelFor(name, env, settings)));

const script = [
  { text: "I look.", calls: [{ name: "file_read", input: { path: "a" } }], usage: { inputTokens: 9, outputTokens: 3 } },
  { text: "It is empty." },
];

describe("modelServer", () => {
  it("plays one session to models of every wire, each with its own key in its own place", async () => {
    const replies: Array<ReadonlyArray<ModelReply>> = [];
    for (const wire of ["anthropic", "chat", "responses"] as const) {
      await using server = await modelServer({ script });
      const settings = { providers: { own: { baseUrl: server.baseUrl, wire, keyVariable: "OWN_KEY" } } };
      const model = named("own/m", { OWN_KEY: "sk-own-0001" }, settings);
      replies.push([await ask(model), await ask(model)]);
      expect(server.asked.map((asked) => asked.wire)).toEqual([wire, wire]);
      const { atMillis, body, headers } = server.asked[1] ?? {};
      expect(body).toMatchObject({ model: "m", stream: true });
      expect(headers?.[wire === "anthropic" ? "x-api-key" : "authorization"]).toMatch(/^(?:Bearer )?sk-own-0001$/);
      expect(atMillis).toBeGreaterThanOrEqual(server.asked[0]?.atMillis ?? 0);
    }
    const [first = [], ...others] = replies;
    expect(first[0]).toMatchObject({ stopReason: "tool-calls", usage: { inputTokens: 9, outputTokens: 3 } });
    for (const other of others)
      expect(other.map(({ message, stopReason }) => [message, stopReason])).toEqual(
        first.map(({ message, stopReason }) => [message, stopReason]),
      );
  });

  it("is found by the variables that move a provider", async () => {
    await using server = await modelServer({ script: () => ({ text: "Here." }) });
    await ask(named("anthropic/m", { ANTHROPIC_BASE_URL: server.origin, ANTHROPIC_AUTH_TOKEN: "token-0001" }));
    await ask(named("openai/m", { OPENAI_BASE_URL: server.baseUrl }));
    await ask(named("ollama/m", { OLLAMA_HOST: server.origin }));
    expect(server.asked.map(({ path, headers }) => [path, headers["authorization"]])).toEqual([
      ["/v1/messages", "Bearer token-0001"],
      ["/v1/chat/completions", undefined],
      ["/v1/chat/completions", undefined],
    ]);
  });

  it("keeps a reply that a fault has broken for the next request", async () => {
    await using server = await modelServer({ script, faults: ["status-529", undefined, "ends-in-text"] });
    const model = named(`${server.baseUrl}#m`, {});
    const outcomes: Array<string> = [];
    for (let n = 0; n < 5; n++) {
      const result = await Effect.runPromise(Effect.result(model.generate(request, () => undefined)));
      outcomes.push(Result.isSuccess(result) ? result.success.stopReason : result.failure.reason);
    }
    expect(outcomes).toEqual(["overloaded", "tool-calls", "network", "end", "bad-request"]);
    expect(server.asked.map(({ fault }) => fault)).toEqual([
      "status-529",
      undefined,
      "ends-in-text",
      undefined,
      undefined,
    ]);
    server.misbehave("status-401");
    expect((await Effect.runPromise(Effect.flip(model.generate(request, () => undefined)))).reason).toBe("auth");
  });

  it("says what it does not know", async () => {
    await using server = await modelServer({ script: [] });
    expect((await fetch(`${server.origin}/v1/embeddings`, { method: "POST", body: "{}" })).status).toBe(404);
    const failure = await Effect.runPromise(
      Effect.flip(named(`${server.baseUrl}#m`, {}).generate(request, () => undefined)),
    );
    expect(failure.detail).toContain("the script has no more replies");
  });
});
