import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, ended, type Ended, folder, modelServer, start } from "./support.ts";

/** A configuration folder whose models.yaml holds `text`. */
const configured = (text: string): string => {
  const config = folder();
  mkdirSync(join(config, "kumiko"));
  writeFileSync(join(config, "kumiko", "models.yaml"), text);
  return config;
};
const run = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  ended(start(args, env));

describe("kumiko models", () => {
  afterAll(cleanUp);

  it("lists providers, keys by their variable, and what is known of models, and never a key", async () => {
    const { code, stderr, stdout } = await run(["models"], {
      OPENAI_API_KEY: "sk-hidden-1",
      ANTHROPIC_API_KEY_WORK: "sk-hidden-2",
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^default {4}anthropic\/claude-/);
    expect(stdout).toMatch(/settings {3}\S+\/\.config\/kumiko\/models\.yaml \(not there\)/);
    expect(stdout).toMatch(/^openai +key from OPENAI_API_KEY$/m);
    expect(stdout).toMatch(/^anthropic +key from work: ANTHROPIC_API_KEY_WORK$/m);
    expect(stdout).toMatch(/^google +no key: set GEMINI_API_KEY or GOOGLE_API_KEY$/m);
    expect(stdout).toMatch(/^ollama +needs no key$/m);
    expect(stdout).toMatch(/^openai\/gpt-5 +400000 +128000 +1\.25 +10 +0\.125$/m);
    expect(stdout).not.toContain("hidden");
  });

  it("prints JSON, with the user's own providers and models", async () => {
    const config = configured(
      "providers:\n  corp: { baseUrl: https://llm.corp.example, wire: chat }\nmodels:\n  corp/big: { contextWindow: 5000 }\n",
    );
    const { stdout } = await run(["models", "--json"], { XDG_CONFIG_HOME: config });
    const overview: unknown = JSON.parse(stdout);
    expect(overview).toMatchObject({
      chosen: "rehearsal",
      settings: { file: join(config, "kumiko", "models.yaml"), exists: true },
    });
    expect(overview).toHaveProperty("models.0", { name: "corp/big", source: "models.yaml", contextWindow: 5000 });
  });

  it("says where the user's file is wrong, before anything runs", async () => {
    const config = configured("fallback: []\n");
    for (const args of [["models"], ["-p", "Hi", "--model", "ollama/x"]]) {
      const { code, stderr } = await run(args, { XDG_CONFIG_HOME: config });
      expect(code).toBe(2);
      expect(stderr).toContain('models.yaml:1:1: unknown key "fallback": expected models, providers');
    }
  });

  it("reads no file of the project", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "models.yaml"), "fallback: []\n");
    const { code } = await run(["-p", "Hi", "--cwd", cwd]);
    expect(code).toBe(0);
  });

  it("asks a provider of the user's file", async () => {
    const server = await modelServer(() => ({ content: "From the user's own." }));
    const [baseUrl = ""] = server.model.split("#");
    const config = configured(`providers:\n  corp: { baseUrl: "${baseUrl}", wire: chat }\n`);
    const { stdout } = await run(["-p", "Hi", "--model", "corp/big"], { XDG_CONFIG_HOME: config });
    server.close();
    expect(stdout).toBe("From the user's own.\n");
  });

  it("takes fallbacks that can be resolved, and no others", async () => {
    const bad = await run(["-p", "Hi", "--model", "ollama/x", "--fallback", "openai/gpt-5"]);
    expect({ code: bad.code, stderr: bad.stderr }).toMatchObject({ code: 2 });
    expect(bad.stderr).toContain("OPENAI_API_KEY is not set");
    const rehearsed = await run(["-p", "Hi", "--model", "rehearsal", "--fallback", "ollama/x"]);
    expect(rehearsed.stderr).toContain("a rehearsal needs none");
  });
});
