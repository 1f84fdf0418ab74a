import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { userText } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import { openAiCompatible } from "../src/openAiCompatible.ts";
import { modelServer } from "../src/testing/index.ts";
import { proxyServer } from "./proxyServer.ts";

const run = promisify(execFile);
const portOf = (origin: string): number => Number(new URL(origin).port);

const ask = async (baseUrl: string, proxy: string): Promise<string> => {
  const model = openAiCompatible({ model: "m", baseUrl, proxy, apiKey: "sk-of-the-model", idleTimeoutMillis: 5_000 });
  const request = { system: "", tools: [], messages: [userText("hello")], toolChoice: "auto" as const };
  const result = await Effect.runPromise(Effect.result(model.generate(request, () => undefined)));
  await Effect.runPromise(model.close);
  return Result.isSuccess(result)
    ? JSON.stringify(result.success.message.parts)
    : `${result.failure.reason}: ${result.failure.message}`;
};

describe("proxies", () => {
  it("asks a proxy in full for plain http, with its own authorization and the model's key", async () => {
    await using server = await modelServer({ script: [{ text: "through" }] });
    await using proxy = await proxyServer({ "far.example": portOf(server.origin) });
    const said = await ask("http://far.example/v1", proxy.url.replace("//", "//user:pass%20word@"));
    expect(said).toContain("through");
    expect(proxy.asked).toEqual([
      {
        line: "POST http://far.example/v1/chat/completions",
        authorization: `Basic ${Buffer.from("user:pass word").toString("base64")}`,
      },
    ]);
    expect(server.asked[0]?.headers["authorization"]).toBe("Bearer sk-of-the-model");
  });

  it("tunnels https, and trusts what NODE_EXTRA_CA_CERTS names", async () => {
    await using server = await modelServer({ script: [{ text: "tunnelled" }], listens: "self-signed" });
    // `localhost` would not go through a proxy: the certificate names the host that the tunnel is asked for.
    await using proxy = await proxyServer({ "model.example": portOf(server.origin) });
    const folder = await mkdtemp(join(tmpdir(), "kumiko-proxy-"));
    await writeFile(join(folder, "ca.pem"), server.certificate ?? "");
    const script = new URL("askThroughProxy.ts", import.meta.url).pathname;
    const outcome = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (
        await run(process.execPath, ["-C", "@kumiko/source", script, "https://model.example/v1#m"], {
          env: { PATH: process.env["PATH"], HTTPS_PROXY: proxy.url, ...env },
        })
      ).stdout;
    expect(await outcome({ NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") })).toContain("tunnelled");
    expect(proxy.asked[0]?.line).toBe("CONNECT model.example:443");
    // Without the certificate the tunnel stands, and is not trusted.
    expect(await outcome({})).toContain("FAILED");
    expect(server.asked).toHaveLength(1);
    await rm(folder, { recursive: true });
  });

  it.each([
    ["http://far.example/v1", 407, "auth"],
    ["https://far.example/v1", 407, "auth"],
    ["https://far.example/v1", 403, "network"],
  ])("says that the proxy refuses %s with %i, without its password", async (baseUrl, status, reason) => {
    await using proxy = await proxyServer({}, status);
    const said = await ask(baseUrl, proxy.url.replace("//", "//user:hidden@"));
    expect(said).toMatch(new RegExp(`^${reason}: .*through the proxy 127\\.0\\.0\\.1:\\d+: .*${status}`));
    expect(said).not.toMatch(/hidden|user:/);
  });

  it("says that a proxy cannot be reached", async () => {
    const said = await ask("https://far.example/v1", "http://user:hidden@127.0.0.1:1");
    expect(said).toMatch(/^network: .*through the proxy 127\.0\.0\.1:1: .*ECONNREFUSED/);
    expect(said).not.toContain("hidden");
  });
});
