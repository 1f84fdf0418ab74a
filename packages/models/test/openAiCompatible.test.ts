import { once } from "node:events";
import { createServer } from "node:net";
import type { ServerResponse } from "node:http";
import { languageModelConformance, registerConformance } from "@kumiko/plugin-api/testing";
import {
  type ModelCallFailed,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
  userText,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { afterAll, describe, expect, it } from "vitest";
import { ModelSettingsInvalid } from "../src/ModelSettingsInvalid.ts";
import { openAiCompatible, type OpenAiCompatibleOptions } from "../src/openAiCompatible.ts";
import type { ClosableLanguageModel } from "../src/StreamingModel.ts";
import { type Asked, chatServer, chunk, data, done, startStream, stream, usageChunk } from "./chatServer.ts";

const tools = [{ name: "echo", description: "Echoes.", inputSchema: { type: "object" } }];
const asking = (text: string): ModelRequest => ({
  system: "Be brief.",
  tools,
  messages: [userText(text)],
  toolChoice: "auto",
});

// The server answers by what the last message says.
const lastText = ({ body }: Asked): string => {
  const messages = body["messages"];
  return JSON.stringify(Array.isArray(messages) ? messages.at(-1) : "");
};

const secret = "sk-very-secret-1234";

// Every way a wire may be rude: a frame per byte, multi-byte characters cut, comments as keep-alives, CRLF.
const drip = async (response: ServerResponse, text: string): Promise<void> => {
  startStream(response);
  for (const byte of Buffer.from(text)) {
    response.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
};

const answer = async (asked: Asked, response: ServerResponse): Promise<void> => {
  const text = lastText(asked);
  if (text.includes("drip"))
    return drip(
      response,
      `: keep-alive\r\n\r\n${chunk({ role: "assistant", content: "" }).replaceAll("\n", "\r\n")}: ping\n\n${chunk({ content: "hé語😀" })}${chunk({}, "stop")}${usageChunk}${done}`,
    );
  if (text.includes("endless")) {
    startStream(response);
    response.write(chunk({ content: "first" }));
    return undefined;
  }
  if (text.includes("never closes")) {
    startStream(response);
    response.write(`${chunk({ content: "over" })}${chunk({}, "stop")}${done}`);
    return undefined;
  }
  if (text.includes("call"))
    return stream(
      response,
      chunk({ content: "I call. " }),
      chunk({ tool_calls: [{ index: 0, id: "c1", type: "function", function: { name: "echo", arguments: "" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"key":' } }] }),
      chunk({ tool_calls: [{ index: 1, id: "c2", type: "function", function: { name: "echo", arguments: "{}" } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"ü"}' } }] }),
      chunk({}, "tool_calls"),
      usageChunk,
      done,
    );
  const status = /status (\d+)/.exec(text)?.[1];
  if (status === undefined)
    return stream(response, chunk({ content: "Hello " }), chunk({ content: "there" }, "stop"), done);
  response.writeHead(Number(status), {
    "content-type": "application/json",
    "retry-after": "2",
    location: "/elsewhere",
  });
  response.end(JSON.stringify({ error: { message: `bad key ${secret} \u001b[31m` } }));
  return undefined;
};

const server = await chatServer(answer);
const model = openAiCompatible({ model: "m-1", baseUrl: server.baseUrl, apiKey: secret, provider: "test" });
const waitingServer = await chatServer(answer);
const waiting = openAiCompatible({ model: "m", baseUrl: waitingServer.baseUrl });

const ask = (request: ModelRequest, asked: ClosableLanguageModel = model): Promise<ModelReply> =>
  Effect.runPromise(asked.generate(request, () => undefined));
const failureOf = (text: string, asked: ClosableLanguageModel = model): Promise<ModelCallFailed> =>
  Effect.runPromise(Effect.flip(asked.generate(asking(text), () => undefined)));

const answering = async (
  respond: (response: ServerResponse) => void,
  options: Partial<OpenAiCompatibleOptions> = {},
): Promise<ModelCallFailed> => {
  await using own = await chatServer((_, response) => respond(response));
  const asked = openAiCompatible({ model: "m", baseUrl: own.baseUrl, ...options });
  try {
    return await failureOf("x", asked);
  } finally {
    await Effect.runPromise(asked.close);
  }
};

describe("openAiCompatible", () => {
  afterAll(async () => {
    await Effect.runPromise(model.close);
    await server[Symbol.asyncDispose]();
    await Effect.runPromise(waiting.close);
    await waitingServer[Symbol.asyncDispose]();
  });

  describe("keeps the contract", () => {
    registerConformance(
      it,
      languageModelConformance({
        model,
        text: asking("drip"),
        calls: asking("call"),
        failing: { model, request: asking("status 401"), reason: "auth", secrets: [secret] },
        endless: {
          model: waiting,
          request: asking("endless"),
          isFreed: Effect.sync(() => waitingServer.connections().open === 0),
        },
      }),
    );
  });

  it("posts to the endpoint with the key, and reads a stream cut into single bytes", async () => {
    const reply = await ask(asking("drip"));
    expect(reply).toEqual({
      message: { role: "assistant", parts: [{ type: "text", text: "hé語😀" }] },
      stopReason: "end",
      usage: { inputTokens: 30, outputTokens: 5, cacheReadTokens: 20, reasoningTokens: 2 },
    });
    const last = server.asked.at(-1);
    expect(last?.path).toBe("/v1/chat/completions");
    expect(last?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(last?.body).toMatchObject({ model: "m-1", stream: true, messages: [{ role: "system" }, { role: "user" }] });
  });

  it("tells of a call while it comes", async () => {
    const events: Array<ModelEvent> = [];
    await Effect.runPromise(model.generate(asking("call"), (event) => events.push(event)));
    expect(events.filter(({ type }) => type === "toolCall.delta")).toEqual([
      { type: "toolCall.delta", index: 1, text: '{"key":' },
      { type: "toolCall.delta", index: 2, text: "{}" },
      { type: "toolCall.delta", index: 1, text: '"ü"}' },
    ]);
  });

  it("gives a call an id of its own where the server uses one again", async () => {
    const first = asking("call");
    const { message } = await ask(first);
    const { message: again } = await ask({ ...first, messages: [...first.messages, message, userText("call")] });
    const ids = [...message.parts, ...again.parts].flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
    expect(ids).toEqual(["c1", "c2", "call_3_0", "call_3_1"]);
  });

  it("uses one connection for call after call", async () => {
    await using own = await chatServer(answer);
    const fresh = openAiCompatible({ model: "m", baseUrl: own.baseUrl });
    expect(own.connections().accepted).toBe(0);
    for (let turn = 0; turn < 20; turn++) {
      await ask(asking("call"), fresh);
      // Tools run between calls; a connection is free again one round of the event loop after its reply.
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(own.connections().accepted).toBe(1);
    await Effect.runPromise(fresh.close);
    await expect.poll(() => own.connections().open).toBe(0);
    await ask(asking("again"), fresh);
    expect(own.connections().accepted).toBe(2);
    await Effect.runPromise(fresh.close);
  });

  it.each([
    [401, "auth"],
    [403, "auth"],
    [404, "not-found"],
    [408, "timeout"],
    [413, "context-overflow"],
    [429, "rate-limit"],
    [500, "server"],
    [503, "overloaded"],
    [307, "bad-request"],
    [418, "bad-request"],
  ])("fails on status %i as %s, without key or control characters", async (status, reason) => {
    const before = server.asked.length;
    const failure = await failureOf(`status ${status}`);
    expect(failure).toMatchObject({ _tag: "ModelCallFailed", reason, status, model: "test/m-1" });
    if (reason !== "auth") expect(failure.retryAfterMillis).toBe(2000);
    expect(failure.detail).toContain("bad key [secret]");
    expect(failure.message).not.toMatch(/\p{Cc}/u);
    expect(server.asked.length).toBe(before + 1);
  });

  it("calls a stream that stops halfway a network failure", async () => {
    const clean = await answering((response) => stream(response, chunk({ content: "half" })));
    expect(clean.reason).toBe("network");
    const torn = await answering((response) => {
      startStream(response);
      response.write(chunk({ content: "half" }), () => response.destroy());
    });
    expect(torn.reason).toBe("network");
    expect(torn.detail).toContain("broke during the reply");
  });

  it("calls an answer that is no stream, or a broken one, a bad response", async () => {
    const json = await answering((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"choices":[]}');
    });
    expect(json).toMatchObject({ reason: "bad-response" });
    expect(json.detail).toContain("does not stream");
    const hidden = await answering((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"error":{"code":503,"message":"later"}}');
    });
    expect(hidden).toMatchObject({ reason: "overloaded", detail: "later" });
    expect(await answering((response) => stream(response, "data: {oops\n\n"))).toMatchObject({
      reason: "bad-response",
    });
    expect(await answering((response) => stream(response, ""))).toMatchObject({ reason: "bad-response" });
    const inside = await answering((response) => stream(response, data({ error: { message: `no ${secret}` } })), {
      apiKey: secret,
    });
    expect(inside).toMatchObject({ reason: "server", detail: "no [secret]" });
  });

  it("stops reading an event that never ends, and a failure that goes on", async () => {
    for (const status of [200, 500]) {
      let isClosed = false;
      const failure = await answering((response) => {
        response.on("close", () => (isClosed = true));
        response.writeHead(status, { "content-type": status === 200 ? "text/event-stream" : "text/plain" });
        const flood = (): void => {
          if (!response.destroyed && response.write("data: ".padEnd(1024 * 1024, "x"))) setImmediate(flood);
          else response.once("drain", flood);
        };
        flood();
      });
      expect(failure.reason).toBe(status === 200 ? "bad-response" : "server");
      await expect.poll(() => isClosed).toBe(true);
    }
  });

  it("calls a silent server a timeout", async () => {
    const failure = await answering(startStream, { idleTimeoutMillis: 50 });
    expect(failure.reason).toBe("timeout");
  });

  it.each([
    ["long comments", 200, `: ${"x".repeat(400)}\n\n`, "timeout"],
    ["pings of any shape", 200, 'data: {"type": "ping", "cost": "0"}\n\n', "timeout"],
    ["a byte of a failure at a time", 500, "x", "server"],
  ])("does not wait for ever for a server that sends %s", async (_, status, piece, reason) => {
    const failure = await answering(
      (response) => {
        response.writeHead(status, { "content-type": status === 200 ? "text/event-stream" : "text/plain" });
        const drip = setInterval(() => response.write(piece), 20);
        response.on("close", () => clearInterval(drip));
      },
      { idleTimeoutMillis: 60 },
    );
    expect(failure.reason).toBe(reason);
  });

  it("calls a closed port and a server that speaks no HTTP what they are", async () => {
    const raw = createServer((socket) => socket.resume().end("SSH-2.0-hello\r\n"));
    raw.listen(0, "127.0.0.1");
    await once(raw, "listening");
    const address = raw.address();
    const port = typeof address === "object" ? address?.port : 0;
    const talking = openAiCompatible({ model: "m", baseUrl: `http://127.0.0.1:${port}` });
    expect(await failureOf("x", talking)).toMatchObject({ reason: "bad-response" });
    await Effect.runPromise(talking.close);
    raw.close();
    await once(raw, "close");
    const closed = await failureOf("x", openAiCompatible({ model: "m", baseUrl: `http://127.0.0.1:${port}` }));
    expect(closed.reason).toBe("network");
    expect(closed.detail).toContain("Is the server running");
  });

  it("takes a reply as complete although the server keeps the stream open", async () => {
    await using own = await chatServer(answer);
    const asked = openAiCompatible({ model: "m", baseUrl: own.baseUrl });
    expect((await ask(asking("never closes"), asked)).message.parts).toEqual([{ type: "text", text: "over" }]);
    await expect.poll(() => own.connections().open, { timeout: 5000 }).toBe(0);
    await Effect.runPromise(asked.close);
  });

  it("can be interrupted before the server has answered, and before it was reached", async () => {
    await using own = await chatServer(() => undefined);
    const asked = openAiCompatible({ model: "m", baseUrl: own.baseUrl });
    const fiber = Effect.runFork(asked.generate(asking("x"), () => undefined));
    await expect.poll(() => own.asked.length).toBe(1);
    await Effect.runPromise(Fiber.interrupt(fiber));
    await expect.poll(() => own.connections().open).toBe(0);
    const early = Effect.runFork(asked.generate(asking("x"), () => undefined));
    await Effect.runPromise(Fiber.interrupt(early));
    await Effect.runPromise(asked.close);
    expect(own.asked.length).toBe(1);
  });

  it.each([
    [{ baseUrl: "localhost" }, "base URL"],
    [{ baseUrl: "ftp://x/v1" }, "base URL"],
    [{ baseUrl: `http://u:${secret}@x/v1` }, "base URL"],
    [{ apiKey: "  " }, "API key"],
    [{ apiKey: `${secret}\nx` }, "API key"],
    [{ headers: { "bad name": "x" } }, "header"],
    [{ headers: { good: `${secret}\r\nx: y` } }, "header"],
  ])("refuses settings that cannot work: %o", (options, setting) => {
    const make = (): unknown => openAiCompatible({ model: "m", baseUrl: "http://127.0.0.1/v1", ...options });
    expect(make).toThrow(ModelSettingsInvalid);
    expect(make).toThrow(setting);
    expect(make).not.toThrow(secret);
  });
});
