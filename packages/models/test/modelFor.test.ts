import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import { makeModel } from "../src/makeModel.ts";
import { type Environment, modelFor } from "../src/modelFor.ts";

const key = "sk-secret-key";
const chosen = (name: string | undefined, env: Environment = {}): unknown => Result.getOrThrow(modelFor(name, env));
const problem = (name: string, env: Environment = {}): string => {
  const result = modelFor(name, env);
  return Result.isFailure(result) ? result.failure.message : "";
};

describe("modelFor", () => {
  it("resolves each form of a name", () => {
    expect(chosen("rehearsal")).toEqual({ type: "rehearsal" });
    expect(chosen("openai/gpt-5", { OPENAI_API_KEY: key })).toEqual({
      type: "openai-compatible",
      provider: "openai",
      model: "gpt-5",
      baseUrl: "https://api.openai.com/v1",
      apiKey: key,
      maxTokensField: "max_completion_tokens",
    });
    expect(chosen("ollama/library/llama3.2:1b", { OPENAI_API_KEY: key })).toEqual({
      type: "openai-compatible",
      provider: "ollama",
      model: "library/llama3.2:1b",
      baseUrl: "http://127.0.0.1:11434/v1",
      maxTokensField: "max_tokens",
    });
    expect(chosen(" https://models.example:8443/v1#org/qwen3#q4 ", { KUMIKO_API_KEY: key })).toEqual({
      type: "openai-compatible",
      provider: "models.example:8443",
      model: "org/qwen3#q4",
      baseUrl: "https://models.example:8443/v1",
      apiKey: key,
      maxTokensField: "max_tokens",
    });
  });

  it("takes another base URL from the environment, and then needs no key", () => {
    expect(chosen("openai/x", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toMatchObject({
      baseUrl: "http://127.0.0.1:1/v1",
    });
  });

  it("never sends a provider's key to a server that is named by its URL", () => {
    expect(JSON.stringify(chosen("http://127.0.0.1:1/v1#m", { OPENAI_API_KEY: key }))).not.toContain(key);
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
    expect(chosen(undefined, { OPENAI_API_KEY: key })).toMatchObject({ provider: "openai" });
  });

  it.each([
    ["opnai/gpt-5", 'there is no provider "opnai". Did you mean "openai/gpt-5"?'],
    ["rehersal", 'Did you mean "rehearsal"?'],
    ["olama", 'Did you mean "ollama/<model>"?'],
    ["mainframe/x", 'there is no provider "mainframe". Known names: rehearsal, openai/<model>'],
    ["constructor/x", 'there is no provider "constructor"'],
    ["openai/gpt-5", "OPENAI_API_KEY is not set"],
    ["ollama/", "it names no model. Write ollama/<model>."],
    ["http://127.0.0.1/v1", "it names no model. Write <base URL>#<model>."],
    ["http://#m", "its base URL is none"],
    [`http://me:${key}@host/v1#m`, "holds a user name or password"],
  ])("says what is wrong with %s", (name, message) => {
    expect(problem(name)).toContain(message);
    expect(problem(name)).not.toContain(key);
  });

  it("is made into a model apart", () => {
    expect(makeModel({ type: "rehearsal" })).toMatchObject({ id: "rehearsal/parts", isRehearsal: true });
    expect(makeModel(Result.getOrThrow(modelFor("ollama/m", {}))).id).toBe("ollama/m");
  });
});
