import { type AskedCall, modelServer, type WireFormat, wireFormats } from "@kumiko/models/testing";
import { isJsonObject, type Json, type JsonObject } from "@kumiko/plugin-api";
import { describe, expect, it } from "vitest";
import { inScratch } from "./inScratch.ts";
import { modelOn } from "./modelOn.ts";
import { answers, prompts, session, sessionHarness } from "./wires/session.ts";

/**
 * Requests of the session that end with a follow-up, and what is taken back of it with the next: what is said of the reply,
 * and the reply itself where it is joined or void.
 */
const followUpParts: Readonly<Record<number, number>> = { 3: 2, 5: 1, 10: 2 };

/** A request in its order, part by part, each as it is written: all that caches compare. Anthropic's markers are left out. */
const partsOf = ({ body }: AskedCall): ReadonlyArray<string> => {
  const messages: Json = body["messages"] ?? body["input"] ?? [];
  return (Array.isArray(messages) ? messages : []).filter(isJsonObject).flatMap(blocksOf);
};

// What is said twice in a row by one side is one message of several blocks on some wires.
const blocksOf = (message: JsonObject): ReadonlyArray<string> => {
  const { content, ...rest } = message;
  return Array.isArray(content)
    ? content.map((block) => `${written(rest)} ${written(block)}`)
    : [`${written(rest)} ${written(content)}`];
};

const headOf = ({ body }: AskedCall): string => {
  const { input: _input, messages: _messages, ...head } = body;
  return written(head);
};

const written = (value: unknown): string =>
  JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)) ?? "";

/** The session on one wire, each run by a harness of its own, as two processes would. */
const play = (wire: WireFormat): Promise<ReadonlyArray<AskedCall>> =>
  inScratch(async (directory) => {
    await using server = await modelServer({ script: session });
    for (const [at, prompt] of prompts.entries()) {
      const harness = sessionHarness(modelOn(wire, server), directory);
      expect(await harness.run(prompt)).toMatchObject({ status: "done", text: answers[at] });
      await harness.dispose();
    }
    return server.asked;
  });

describe("the prompt only grows", () => {
  it.each(wireFormats)("on the wire of %s: each request begins with the one before, byte for byte", async (wire) => {
    const asked = await play(wire);
    expect(asked).toHaveLength(session.length);
    // System, tools, limits: everything beside the messages.
    expect(new Set(asked.map(headOf)).size).toBe(1);
    for (const [at, call] of asked.entries()) {
      const next = asked[at + 1];
      if (next === undefined) continue;
      const parts = partsOf(call);
      const kept = parts.length - (followUpParts[at] ?? 0);
      expect(partsOf(next).slice(0, kept), `request ${at + 1} after ${at}`).toEqual(parts.slice(0, kept));
      expect(partsOf(next).length).toBeGreaterThan(kept);
    }
    const last = asked.slice(-1).flatMap(partsOf);
    for (const prompt of prompts) expect(last.filter((part) => part.includes(prompt))).toHaveLength(1);
  });
});
