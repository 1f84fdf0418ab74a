import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import type { Environment } from "../src/Environment.ts";
import { makeModel, makeModels } from "../src/makeModel.ts";
import { modelFor } from "../src/modelFor.ts";
import type { ModelChoice, RemoteChoice } from "../src/ModelChoice.ts";
import { modelOverview } from "../src/modelOverview.ts";
import type { ModelSettings } from "../src/ModelsFile.ts";

const key = "sk-secret-key";
const chosen = (name: string | undefined, env: Environment = {}, settings: ModelSettings = {}): ModelChoice =>
  Result.getOrThrow(modelFor(name, env, settings));
const remote = (name: string | undefined, env: Environment = {}, settings: ModelSettings = {}): RemoteChoice => {
  const choice = chosen(name, env, settings);
  if (choice.type === "rehearsal") throw new Error("the rehearsal was chosen");
  return choice;
};
const problem = (name: string, env: Environment = {}, settings: ModelSettings = {}): string => {
  const result = modelFor(name, env, settings);
  return Result.isFailure(result) ? result.failure.message : "";
};

describe("modelFor", () => {
  it("resolves each form of a name", () => {
    expect(chosen("rehearsal")).toEqual({ type: "rehearsal" });
    expect(chosen("openai/gpt-5", { OPENAI_API_KEY: key })).toEqual({
      type: "remote",
      wire: "responses",
      provider: "openai",
      model: "gpt-5",
      baseUrl: "https://api.openai.com/v1",
      apiKey: key,
      contextWindowTokens: 400_000,
      prices: { input: 1.25, output: 10, cacheRead: 0.125 },
      maxTokensField: "max_completion_tokens",
      candidates: [],
    });
    expect(chosen("ollama/library/llama3.2:1b", { OPENAI_API_KEY: key })).toEqual({
      type: "remote",
      wire: "chat",
      provider: "ollama",
      model: "library/llama3.2:1b",
      baseUrl: "http://127.0.0.1:11434/v1",
      prices: { input: 0, output: 0 },
      candidates: [],
    });
    expect(chosen(" https://models.example:8443/v1#org/qwen3#q4 ", { KUMIKO_API_KEY: key })).toEqual({
      type: "remote",
      wire: "chat",
      provider: "models.example:8443",
      model: "org/qwen3#q4",
      baseUrl: "https://models.example:8443/v1",
      apiKey: key,
      candidates: [],
    });
  });

  it.each([
    ["anthropic/claude-opus-5-5", { ANTHROPIC_API_KEY: key }, "anthropic", "https://api.anthropic.com/v1"],
    ["google/x", { GEMINI_API_KEY: key }, "chat", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["gemini/x", { GOOGLE_API_KEY: key }, "chat", "https://generativelanguage.googleapis.com/v1beta/openai"],
    ["openrouter/anthropic/claude-opus-5.5", { OPENROUTER_API_KEY: key }, "chat", "https://openrouter.ai/api/v1"],
    ["deepseek/x", { DEEPSEEK_API_KEY: key }, "chat", "https://api.deepseek.com"],
    ["mistral/x", { MISTRAL_API_KEY: key }, "chat", "https://api.mistral.ai/v1"],
    ["groq/x", { GROQ_API_KEY: key }, "chat", "https://api.groq.com/openai/v1"],
    ["xai/x", { XAI_API_KEY: key }, "chat", "https://api.x.ai/v1"],
    ["together/x", { TOGETHER_API_KEY: key }, "chat", "https://api.together.xyz/v1"],
    ["fireworks/x", { FIREWORKS_API_KEY: key }, "chat", "https://api.fireworks.ai/inference/v1"],
    ["cerebras/x", { CEREBRAS_API_KEY: key }, "chat", "https://api.cerebras.ai/v1"],
  ])("knows the provider of %s, and sends it its own key", (name, env, wire, baseUrl) => {
    expect(remote(name, env)).toMatchObject({ wire, baseUrl, apiKey: key });
    expect(problem(name)).toContain("it needs a key");
    // Keys of others are of no use to it.
    expect(problem(name, { KUMIKO_API_KEY: key, OPENAI_API_KEY: key })).toContain("it needs a key");
  });

  it.each([
    ["ollama/m", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
    ["ollama/m", { OLLAMA_HOST: ":1234" }, "http://127.0.0.1:1234/v1"],
    ["ollama/m", { OLLAMA_HOST: "big.example:80" }, "http://big.example/v1"],
    ["ollama/m", { OLLAMA_HOST: "https://big.example/ollama/" }, "https://big.example/ollama"],
    ["lmstudio/m", {}, "http://127.0.0.1:1234/v1"],
    ["vllm/m", { VLLM_BASE_URL: "http://gpu:8000/v1" }, "http://gpu:8000/v1"],
    ["llamacpp/m", {}, "http://127.0.0.1:8080/v1"],
  ])("asks a local server of %s with %o for no key", (name, env, baseUrl) => {
    const choice = remote(name, { ...env, OPENAI_API_KEY: key });
    expect(choice.baseUrl).toBe(baseUrl);
    expect(choice).not.toHaveProperty("apiKey");
  });

  it("takes another base URL from the environment, and then needs no key and speaks Chat Completions", () => {
    expect(chosen("openai/x", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_ORG_ID: "org" })).toEqual({
      type: "remote",
      wire: "chat",
      provider: "openai",
      model: "x",
      baseUrl: "http://127.0.0.1:1/v1",
      maxTokensField: "max_completion_tokens",
      candidates: [],
    });
    const same = { OPENAI_BASE_URL: "https://api.openai.com/v1/", OPENAI_API_KEY: key };
    expect(remote("openai/x", same).wire).toBe("responses");
  });

  it("names organisation and project to OpenAI itself", () => {
    const env = { OPENAI_API_KEY: key, OPENAI_ORG_ID: "org-1", OPENAI_PROJECT_ID: "proj-1" };
    expect(remote("openai/x", env).headers).toEqual({ "openai-organization": "org-1", "openai-project": "proj-1" });
  });

  it("sends Anthropic's auth token as a bearer token, and a key before it", () => {
    expect(remote("anthropic/x", { ANTHROPIC_AUTH_TOKEN: key }).authToken).toBe(key);
    expect(remote("anthropic/x", { ANTHROPIC_AUTH_TOKEN: key })).not.toHaveProperty("apiKey");
    const both = remote("anthropic/x", { ANTHROPIC_AUTH_TOKEN: "other-token", ANTHROPIC_API_KEY: key });
    expect(both.apiKey).toBe(key);
    expect(both).not.toHaveProperty("authToken");
    expect(remote("anthropic:work/x", { ANTHROPIC_AUTH_TOKEN_WORK: key }).authToken).toBe(key);
  });

  it("never sends a provider's key to a server that is named by its URL", () => {
    const env = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key, OPENAI_API_KEY_WORK: key };
    expect(JSON.stringify(chosen("http://127.0.0.1:1/v1#m", env))).not.toContain(key);
    expect(JSON.stringify(chosen("ollama/m", env))).not.toContain(key);
  });

  it("takes the first provider with a key when none is named, else the rehearsal", () => {
    for (const name of [undefined, "", "  "]) {
      expect(chosen(name)).toEqual({ type: "rehearsal" });
      expect(chosen(name, { OPENAI_API_KEY: "  " })).toEqual({ type: "rehearsal" });
      expect(chosen(name, { OPENAI_API_KEY: key, OPENAI_MODEL: "mine" })).toMatchObject({
        provider: "openai",
        model: "mine",
      });
    }
    expect(remote(undefined, { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key }).provider).toBe("anthropic");
    expect(remote(undefined, { GROQ_API_KEY: key, XAI_API_KEY: key }).provider).toBe("xai");
    expect(remote(undefined, { ANTHROPIC_API_KEY_WORK: key })).toMatchObject({
      provider: "anthropic",
      profile: "work",
    });
  });

  it("goes through the proxy of the environment, except on this machine", () => {
    const env = { HTTPS_PROXY: "proxy.example:3128", HTTP_PROXY: "http://plain.example", OPENAI_API_KEY: key };
    expect(remote("openai/x", env).proxy).toBe("http://proxy.example:3128");
    expect(remote("http://far.example/v1#m", env).proxy).toBe("http://plain.example");
    expect(remote("ollama/m", env)).not.toHaveProperty("proxy");
  });

  it.each([
    ["opnai/gpt-5", 'there is no provider "opnai". Did you mean "openai/gpt-5"?'],
    ["rehersal", 'Did you mean "rehearsal"?'],
    ["olama", 'Did you mean "ollama/<model>"?'],
    [
      "mainframe/x",
      'there is no provider "mainframe". Known names: rehearsal, <provider>/<model> with one of anthropic',
    ],
    ["constructor/x", 'there is no provider "constructor"'],
    ["openai/gpt-5", "OPENAI_API_KEY is not set"],
    ["openai:work/gpt-5", 'there is no key for the profile "work". Set OPENAI_API_KEY_WORK.'],
    ["ollama/", "it names no model. Write ollama/<model>."],
    ["http://127.0.0.1/v1", "it names no model. Write <base URL>#<model>."],
    ["http://#m", "its base URL is none"],
    [`http://me:${key}@host/v1#m`, "holds a user name or password"],
  ])("says what is wrong with %s", (name, message) => {
    expect(problem(name)).toContain(message);
    expect(problem(name)).not.toContain(key);
  });

  describe("with several accounts", () => {
    const env = {
      ANTHROPIC_API_KEY: "sk-own-0001",
      ANTHROPIC_API_KEY_WORK: "sk-work-0001",
      ANTHROPIC_API_KEY_FILE: "/run/secrets/key",
      TEAM_KEY: "sk-team-0001",
    };
    const settings: ModelSettings = {
      profiles: { anthropic: { team: { keyVariable: "TEAM_KEY", baseUrl: "https://gate.example" } } },
    };

    it("lists every account with a key, the default one first", () => {
      const { candidates, ...first } = remote("anthropic/claude-opus-5-5", env, settings);
      expect([first, ...candidates].map(({ profile, apiKey }) => [profile, apiKey])).toEqual([
        [undefined, "sk-own-0001"],
        ["team", "sk-team-0001"],
        ["work", "sk-work-0001"],
      ]);
      expect(candidates[0]?.baseUrl).toBe("https://gate.example/v1");
    });

    it("uses the account that was named, and no other", () => {
      expect(remote("anthropic:work/x", env, settings)).toMatchObject({
        profile: "work",
        apiKey: "sk-work-0001",
        candidates: [],
      });
      expect(problem("anthropic:home/x", env, settings)).toContain("Profiles with a key: team, work.");
    });
  });

  describe("with settings", () => {
    it("lets the user's word win over the catalogue, and fill its gaps", () => {
      const settings: ModelSettings = {
        models: { "openai/gpt-5": { contextWindow: 100_000 }, "ollama/q": { maxOutput: 4_000 } },
      };
      expect(remote("openai/gpt-5", { OPENAI_API_KEY: key }, settings)).toMatchObject({
        contextWindowTokens: 100_000,
        prices: { input: 1.25 },
      });
      expect(remote("ollama/q", {}, settings).maxOutputTokens).toBe(4_000);
    });

    it("asks Anthropic's format for no more than a turn needs, unless told to", () => {
      const env = { ANTHROPIC_API_KEY: key };
      expect(remote("anthropic/claude-opus-5-5", env).maxOutputTokens).toBe(32_000);
      expect(remote("anthropic/brand-new", env).maxOutputTokens).toBe(32_000);
      const settings = { models: { "anthropic/claude-opus-5-5": { maxOutput: 128_000 } } };
      expect(remote("anthropic/claude-opus-5-5", env, settings).maxOutputTokens).toBe(128_000);
    });

    it("knows the user's own providers", () => {
      const settings: ModelSettings = {
        providers: { corp: { baseUrl: "https://llm.corp.example", wire: "anthropic", keyVariable: "CORP_KEY" } },
      };
      expect(remote("corp/claude", { CORP_KEY: key }, settings)).toMatchObject({ wire: "anthropic", apiKey: key });
      expect(problem("corp/claude", {}, settings)).toContain("CORP_KEY is not set");
      expect(problem("crop/claude", {}, settings)).toContain('Did you mean "corp/claude"?');
    });

    it("lists fallbacks after the model, each once", () => {
      const env = { OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key };
      const settings = { fallbacks: ["openai/gpt-5", "anthropic/a", "ollama/q", "openai/gpt-5"] };
      const { candidates } = remote("anthropic/a", env, settings);
      expect(candidates.map(({ provider, model }) => `${provider}/${model}`)).toEqual(["openai/gpt-5", "ollama/q"]);
      expect(problem("anthropic/a", { ANTHROPIC_API_KEY: key }, settings)).toContain("OPENAI_API_KEY is not set");
      expect(problem("ollama/q", {}, { fallbacks: ["rehearsal"] })).toContain("stands in for no model");
    });
  });

  it("is made into a model apart, and into a list of models", () => {
    expect(makeModel({ type: "rehearsal" })).toMatchObject({ id: "rehearsal/parts", isRehearsal: true });
    expect(makeModels({ type: "rehearsal" })).toHaveLength(1);
    expect(makeModel(chosen("ollama/m")).id).toBe("ollama/m");
    const models = makeModels(chosen("ollama/m", {}, { fallbacks: ["vllm/n", "lmstudio/o"] }));
    expect(models.map(({ id }) => id)).toEqual(["ollama/m", "vllm/n", "lmstudio/o"]);
  });

  it("is told beforehand, without any key", () => {
    const env = { OPENAI_API_KEY: key, OPENAI_API_KEY_WORK: "sk-work-0001" };
    const settings: ModelSettings = {
      providers: { corp: { baseUrl: "https://llm.corp.example", wire: "chat", keyVariable: "CORP_KEY" } },
      models: { "corp/big": { contextWindow: 5_000 }, "openai/gpt-5": { maxOutput: 7 } },
    };
    const overview = modelOverview(env, settings);
    expect(overview.chosen).toBe("openai/gpt-6.2-sol");
    expect(overview.providers.find(({ id }) => id === "openai")?.accounts).toEqual([
      { keyVariable: "OPENAI_API_KEY" },
      { profile: "work", keyVariable: "OPENAI_API_KEY_WORK" },
    ]);
    expect(overview.providers.at(-1)).toMatchObject({ id: "corp", keyVariables: ["CORP_KEY"], accounts: [] });
    expect(overview.models[0]).toEqual({ name: "corp/big", source: "models.yaml", contextWindow: 5_000 });
    expect(overview.models[1]).toMatchObject({ name: "openai/gpt-5", contextWindow: 400_000, maxOutput: 7 });
    expect(JSON.stringify(overview)).not.toMatch(/sk-/);
    expect(modelOverview({}).chosen).toBe("rehearsal");
  });
});
