import { setTimeout as sleep } from "node:timers/promises";
import type { AssistantMessage, ModelEvent, ModelReply, ModelRequest } from "@kumiko/plugin-api";
import { parseToolInput, userText } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import { anthropic } from "../src/anthropic.ts";
import { openAiCompatible } from "../src/openAiCompatible.ts";
import { openAiResponses } from "../src/openAiResponses.ts";
import type { ClosableLanguageModel } from "../src/StreamingModel.ts";
import { type Fault, faults, modelServer, type ModelServer, played, type WireFormat } from "../src/testing/index.ts";

const key = "sk-never-to-be-seen-1234";
const idleTimeoutMillis = 120;

// Parallel calls, and characters of two, three and four bytes wherever a stream may be cut.
const script = {
  reasoning: "Überlegen … 語",
  text: "Ich lese beide Dateien: 😀 ä 語.",
  calls: [
    { name: "file_read", input: { path: "größe/語😀.md", lines: [1, 2] } },
    { name: "grep", input: { pattern: "ß|日" } },
  ],
  usage: { inputTokens: 100, outputTokens: 40, cacheReadTokens: 60, cacheWriteTokens: 20, reasoningTokens: 10 },
};
const request: ModelRequest = {
  system: "Be brief.",
  tools: [{ name: "file_read", description: "Reads.", inputSchema: { type: "object" } }],
  messages: [userText("Lies.")],
  toolChoice: "auto",
};

const options = { model: "m", apiKey: key, idleTimeoutMillis };
const clients: Readonly<Record<WireFormat, (server: ModelServer) => ClosableLanguageModel>> = {
  anthropic: ({ baseUrl }) => anthropic({ ...options, baseUrl }),
  chat: ({ baseUrl }) => openAiCompatible({ ...options, baseUrl }),
  responses: ({ baseUrl }) => openAiResponses({ ...options, baseUrl }),
};

const cases = Object.entries(clients).flatMap(([wire, client]) =>
  Object.entries(faults)
    .filter(([, { wires }]) => wires === undefined || wires.some((one) => one === wire))
    .map(([name, fault]): [string, string, Fault, (server: ModelServer) => ClosableLanguageModel] => [
      name,
      wire,
      fault,
      client,
    ]),
);

/** What must have come through: prose as scripted; of each call its name and input, or that it is malformed. */
const heard = ({ parts }: AssistantMessage): ReadonlyArray<unknown> =>
  parts.map((part) => {
    if (part.type !== "tool-call") return part.type === "text" ? { text: part.text } : { reasoning: true };
    return { name: part.name, ...(part.malformed === undefined ? { input: part.input } : { malformed: true }) };
  });

const scripted = (fault: Fault | undefined, isMalformed = false): ReadonlyArray<unknown> => {
  const reply = played(fault?.reply?.(script) ?? script, 0);
  return [
    ...(reply.reasoning === "" ? [] : [{ reasoning: true }]),
    ...(reply.text === "" ? [] : [{ text: reply.text }]),
    ...reply.calls.map(({ name, argumentText }) => {
      const { input, malformed } = parseToolInput(argumentText);
      return { name, ...(isMalformed || malformed !== undefined ? { malformed: true } : { input }) };
    }),
  ];
};

const checkReply = (reply: ModelReply, events: ReadonlyArray<ModelEvent>, fault: Fault | undefined): void => {
  const { expected } = fault ?? { expected: { reply: true } };
  const stopReason = played(fault?.reply?.(script) ?? script, 0).stopReason;
  // A client may mend what a model has stumbled over, and then the call is the one that was meant.
  const mended = "reply" in expected && "malformedCalls" in expected ? [scripted(undefined)] : [];
  expect([scripted(fault), scripted(fault, true), ...mended]).toContainEqual(heard(reply.message));
  if (!("malformedCalls" in expected)) expect(heard(reply.message)).toEqual(scripted(fault));
  expect("stopReasons" in expected ? expected.stopReasons : [stopReason]).toContain(reply.stopReason);
  const calls = reply.message.parts.filter((part) => part.type === "tool-call");
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  for (const { id } of calls) expect(id).not.toBe("");
  expect(events.filter(({ type }) => type === "toolCall.start")).toHaveLength(calls.length);
  expect(reply.usage).toMatchObject({ inputTokens: 100, outputTokens: 40, cacheReadTokens: 60 });
};

const play = async (
  fault: Fault | undefined,
  client: (server: ModelServer) => ClosableLanguageModel,
): Promise<void> => {
  await using server = await modelServer({ script: [script, script], faults: [fault] });
  const model = client(server);
  const events: Array<ModelEvent> = [];
  const result = await Effect.runPromise(Effect.result(model.generate(request, (event) => events.push(event))));
  if (Result.isSuccess(result)) {
    expect(fault === undefined || fault.expected.reply === true || fault.expected.malformedCalls === true).toBe(true);
    checkReply(result.success, events, fault);
  } else {
    const { failure } = result;
    if (fault?.expected.failures?.includes(failure.reason) !== true) throw new Error(failure.message);
    expect(failure.retryAfterMillis).toBe(fault?.expected.retryAfterMillis);
    expect(JSON.stringify(failure) + failure.message).not.toContain(key.slice(0, 10));
    expect(failure.message).not.toMatch(/\p{Cc}/u);
  }
  // One request each: a client never tries again by itself.
  expect(server.asked).toHaveLength(fault?.listens === undefined ? 1 : 0);
  if (fault?.ending !== undefined || fault?.connection !== undefined)
    if (fault.connection !== "slow") await noneOpen(server);
  // After a fault the same model works again: nothing is left over from the broken call.
  if (fault?.listens === undefined) {
    const again = await Effect.runPromise(model.generate(request, () => undefined));
    expect(heard(again.message)).toEqual(scripted(undefined));
  }
  await Effect.runPromise(model.close);
  await noneOpen(server);
};

const noneOpen = async ({ connections }: ModelServer): Promise<void> => {
  for (let tries = 0; tries < 500 && connections().open > 0; tries++) await sleep(10);
  expect(connections().open).toBe(0);
};

describe("faults of model servers", () => {
  it.concurrent.each(cases)("%s on the wire of %s", async (_name, _wire, fault, client) => play(fault, client));

  it.each(Object.entries(clients))("plays a healthy server on the wire of %s", async (_wire, client) =>
    play(undefined, client),
  );

  it("names a fault that does not exist", async () => {
    await expect(modelServer({ script: [], faults: ["no-such"] })).rejects.toThrow('there is no fault "no-such"');
  });
});
