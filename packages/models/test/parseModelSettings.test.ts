import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { parseModelSettings } from "../src/parseModelSettings.ts";

const parse = (text: string): Promise<unknown> => Effect.runPromise(parseModelSettings(text, "models.yaml"));
const problem = async (text: string): Promise<string> =>
  (await Effect.runPromise(Effect.flip(parseModelSettings(text, "models.yaml")))).message;

describe("parseModelSettings", () => {
  it("reads every part", async () => {
    const text = `
models:
  corp/big: { contextWindow: 200000, maxOutput: 8000, prices: { input: 1, output: 2.5, cacheRead: 0.1 } }
providers:
  corp: { baseUrl: "https://llm.corp.example/v1", wire: chat, keyVariable: CORP_KEY }
profiles:
  anthropic:
    work: { keyVariable: WORK_KEY }
  corp:
    team: { keyVariable: TEAM_KEY, baseUrl: "https://team.corp.example/v1" }
fallbacks: [corp/big, openai/gpt-6-luna]
`;
    expect(await parse(text)).toEqual({
      models: {
        "corp/big": {
          contextWindow: 200_000,
          maxOutput: 8_000,
          prices: { input: 1, output: 2.5, cacheRead: 0.1 },
        },
      },
      providers: { corp: { baseUrl: "https://llm.corp.example/v1", wire: "chat", keyVariable: "CORP_KEY" } },
      profiles: {
        anthropic: { work: { keyVariable: "WORK_KEY" } },
        corp: { team: { keyVariable: "TEAM_KEY", baseUrl: "https://team.corp.example/v1" } },
      },
      fallbacks: ["corp/big", "openai/gpt-6-luna"],
    });
    expect(await parse("")).toEqual({});
    expect(await parse("# nothing yet\n")).toEqual({});
  });

  const secret = "sk-ant-api03-abcdefghijklmnop";

  it.each([
    `providers:\n  corp: { baseUrl: https://x.example, wire: chat, keyVariable: *${secret} }`,
    `models:\n  a/b:\n    ${secret}: 1`,
    `fallbacks: [${secret}]`,
    "profiles:\n  openai:\n    work: { keyVariable: AKIAIOSFODNN7EXAMPLE }",
  ])("repeats nothing of a file that looks like a secret: %j", async (text) => {
    const failure = await Effect.runPromise(Effect.flip(parseModelSettings(text, "models.yaml")));
    expect(failure.message).not.toMatch(/sk-ant|AKIA/);
    expect(failure.line).toBeGreaterThan(0);
  });

  it("reads no file that is larger than anybody's settings", async () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `key${at}: 1`).join("\n");
    const failure = await Effect.runPromise(Effect.flip(parseModelSettings(text, "models.yaml")));
    expect(failure.message).toBe(
      "models.yaml: it is larger than anybody's settings: expected at most 32768 characters",
    );
  });

  it.each([
    ["fallbacks: [", "models.yaml:1:13: this is no valid YAML"],
    ["- a", "models.yaml:1:1: expected"],
    [
      "model:\n  a/b: {}",
      'models.yaml:1:1: unknown key "model": expected models, providers, profiles, fallbacks. Did you mean "models"?',
    ],
    [
      "models:\n  a/b:\n    window: 3",
      'models.yaml:3:5: unknown key "window": expected contextWindow, maxOutput, prices',
    ],
    ["models:\n  a/b:\n    contextWindow: -3", "models.yaml:3:5: models.a/b.contextWindow: expected"],
    ["models:\n  a/b:\n    prices: { input: cheap, output: 1 }", "models.yaml:3:15: models.a/b.prices.input: expected"],
    ["models:\n  big: {}", "models.yaml:2:3: expected a name such as openai/gpt-6-luna"],
    ["providers:\n  corp: { baseUrl: x.example, wire: chat }", "expected a URL that begins with https://"],
    ["providers:\n  corp: { baseUrl: https://a:b@x.example, wire: chat }", "without user name and password"],
    ["providers:\n  corp: { baseUrl: https://x.example, wire: grpc }", "providers.corp.wire: expected"],
    ["providers:\n  openai: { baseUrl: https://x.example, wire: chat }", "this provider is known already"],
    ["providers:\n  Corp: { baseUrl: https://x.example, wire: chat }", "expected a name of lower-case letters"],
    ["profiles:\n  corp:\n    a: { keyVariable: A }", "models.yaml:2:3: expected the name of a provider"],
    ["profiles:\n  gemini:\n    a: { keyVariable: A }", "expected the provider's own name, google"],
    ["profiles:\n  openai:\n    a: { keyVariable: my-key }", "expected the name of an environment variable"],
    ["fallbacks: ['']", "models.yaml:1:13: expected the name of a model"],
    [`profiles:\n  openai:\n    a: { keyVariable: ${secret} }`, "models.yaml:3:10: this looks like a key. Keys do not"],
    [`profiles:\n  openai:\n    a: { apiKey: ${secret} }`, 'unknown key "apiKey"'],
    [`profiles:\n  openai:\n    a: { apiKey: ${secret} }`, "Keys do not belong into this file"],
  ])("says where and what is wrong in %j", async (text, message) => {
    expect(await problem(text)).toContain(message);
    expect(await problem(text)).not.toContain(secret);
  });
});
