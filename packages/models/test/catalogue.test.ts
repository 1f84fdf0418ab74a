import { describe, expect, it } from "vitest";
import { catalogue } from "../src/catalogue.ts";
import { knownModel } from "../src/knownModel.ts";
import { providerNamed } from "../src/providers.ts";

describe("catalogue", () => {
  it.each([...catalogue])(
    "holds figures of %s that can be true",
    (name, { contextWindow, maxOutput, prices, source }) => {
      expect(providerNamed(name.split("/")[0] ?? "")).toBeDefined();
      expect(source).toMatch(/202\d/);
      expect(contextWindow).toBeGreaterThan(8_000);
      expect(maxOutput ?? 1).toBeLessThanOrEqual(contextWindow ?? 0);
      if (prices === undefined) return;
      const { input, output, cacheRead = 0, cacheWrite = input } = prices;
      expect(output).toBeGreaterThanOrEqual(input);
      expect(cacheRead).toBeLessThan(input);
      expect(cacheWrite).toBeGreaterThanOrEqual(input);
    },
  );

  it.each([
    ["anthropic/claude-haiku-4-5", 200_000],
    ["anthropic/claude-haiku-4-5-20251001", 200_000],
    ["openai/gpt-5-mini-2025-08-07", 400_000],
    ["openai/gpt-4o-mini", 128_000],
    ["mistral/mistral-small-2506", 128_000],
    ["mistral/mistral-small-latest", 256_000],
    ["openrouter/anthropic/claude-sonnet-5.5", 1_000_000],
    ["openrouter/openai/gpt-5:nitro", 400_000],
    ["openrouter/x-ai/grok-4.6", 500_000],
    ["groq/openai/gpt-oss-20b", 131_072],
  ])("knows %s", (name, contextWindow) => {
    expect(knownModel(name)?.contextWindow).toBe(contextWindow);
  });

  it.each(["openai/gpt-5-invented", "openai/gpt-5000", "openai/", "", "nobody/x", "openrouter/nobody/x", "gpt-5"])(
    "does not guess at %s",
    (name) => {
      expect(knownModel(name)).toBeUndefined();
    },
  );

  it("takes no prices over for a router, which has its own", () => {
    expect(knownModel("openrouter/openai/gpt-5")).not.toHaveProperty("prices");
  });
});
