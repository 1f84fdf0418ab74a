import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describeSession } from "@kumiko/core-loop";
import { fromAiSdk } from "@kumiko/models";
import { modelServer, type ModelServer } from "@kumiko/models/testing";
import type { LanguageModel, RunOutcome } from "@kumiko/plugin-api";
import type { JournalRecord } from "@kumiko/runtime-api";
import { describe, expect, it } from "vitest";
import { inScratch } from "./inScratch.ts";
import { modelOn } from "./modelOn.ts";
import { recordsIn } from "./recordsIn.ts";
import { transcriptFlaws } from "./transcriptFlaws.ts";
import { answers, prompts, session, sessionHarness } from "./wires/session.ts";

/** Everything that can speak to the scripted server: three clients of Kumiko's own, two of the AI SDK's. */
const speakers: Readonly<Record<string, (server: ModelServer) => LanguageModel>> = {
  anthropic: (server) => modelOn("anthropic", server),
  chat: (server) => modelOn("chat", server),
  responses: (server) => modelOn("responses", server),
  "the AI SDK's Anthropic": ({ baseUrl }) =>
    fromAiSdk(createAnthropic({ baseURL: baseUrl, apiKey: "sk-test-0123456789" })("m"), { provider: "test" }),
  "the AI SDK's OpenAI-compatible": ({ baseUrl }) =>
    fromAiSdk(createOpenAICompatible({ name: "own", baseURL: baseUrl, includeUsage: true })("m"), { provider: "test" }),
};

// What is taken out before journals are compared. Everything else is the same word for word: texts, reasoning, calls and
// their ids, results, stop reasons, tokens in and out, follow-ups, decisions, the order of all of it.
const own = new Set([
  "providerData", // the wire's own
  "model", // named after the wire
  "at", // a time
]);
/** Some wires tell of these and some do not; none was used here. */
const details = new Set(["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"]);
const isOwn = (key: string, value: unknown): boolean => own.has(key) || (details.has(key) && value === 0);

/** A journal without what names a run, a model or a time. */
const durable = (records: ReadonlyArray<JournalRecord>): ReadonlyArray<unknown> => {
  const ids = [...new Set(records.flatMap(({ actor }) => (actor.startsWith("run:") ? [actor.slice(4)] : [])))];
  return records.map(({ actor, body, kind }) => {
    let text = JSON.stringify({ actor, body, kind }, (key, value: unknown) => (isOwn(key, value) ? undefined : value));
    for (const [at, id] of ids.entries()) text = text.replaceAll(id, `RUN-${at}`);
    return JSON.parse(text);
  });
};

const play = (speaker: (server: ModelServer) => LanguageModel) =>
  inScratch(async (directory) => {
    await using server = await modelServer({ script: session });
    const executed: Array<string> = [];
    const outcomes: Array<RunOutcome> = [];
    const harness = sessionHarness(speaker(server), directory, executed);
    for (const prompt of prompts) outcomes.push(await harness.run(prompt));
    await harness.dispose();
    const records = await recordsIn(directory);
    const { messages } = describeSession(records);
    return { outcomes, executed, asked: server.asked.length, records: durable(records), messages };
  });

const withoutProviderData = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "providerData" ? undefined : inner)));

describe("a session is the same on every wire", () => {
  it("goes as it is written", async () => {
    const { asked, executed, messages, outcomes } = await play((server) => modelOn("chat", server));
    expect(outcomes.map(({ status, text }) => [status, text])).toEqual(answers.map((answer) => ["done", answer]));
    expect(asked).toBe(session.length);
    expect(executed).toEqual(
      [..."abcd"].map((thing) => `look ${thing}`).concat("change d", "look e", "look f", "look g"),
    );
    expect(transcriptFlaws(messages)).toEqual([]);
    expect(JSON.stringify(messages)).toContain("It was not allowed, so I will look at another.");
    expect(JSON.stringify(messages)).not.toContain("<tool_call>");
  });

  it.each(Object.keys(speakers).filter((name) => name !== "chat"))("%s writes down what chat does", async (name) => {
    const reference = await play((server) => modelOn("chat", server));
    const other = await play(speakers[name] ?? ((server) => modelOn("chat", server)));
    expect(other.records).toEqual(reference.records);
    expect(other.records.length).toBeGreaterThan(100);
    expect(withoutProviderData(other.messages)).toEqual(withoutProviderData(reference.messages));
    expect(other.executed).toEqual(reference.executed);
  });
});
