import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ModelServer, modelServer } from "@kumiko/models/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, start } from "./support.ts";

const usage = { inputTokens: 12_000, outputTokens: 1_000, cacheReadTokens: 10_000 };
// 2,000 plain tokens at 1, 10,000 cached ones at 0.1 and 1,000 at 5 US$ a million.
const costUsd = 0.008;

const dir = folder();
const [here, there] = [folder(), folder()];
const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state"), KUMIKO_API_KEY: "k" };
const kumiko = (args: ReadonlyArray<string>, more: Readonly<Record<string, string>> = {}) =>
  ended(start(args, { ...env, ...more }));
const run = async (...args: ReadonlyArray<string>) =>
  JSON.parse(
    (await kumiko(["-p", "Hi", "--output-format", "json", ...(args.includes("--cwd") ? [] : ["--cwd", here]), ...args]))
      .stdout,
  );
const figures = async (args: ReadonlyArray<string> = [], more: Readonly<Record<string, string>> = {}) =>
  JSON.parse((await kumiko(["usage", "--json", ...args], more)).stdout);

let server: ModelServer;
let priced: string;
let unpriced: string;
let rehearsed: string;
beforeAll(async () => {
  server = await modelServer({ script: () => ({ text: "Hello.", usage }), faults: ["status-529"] });
  mkdirSync(join(dir, ".config", "kumiko"), { recursive: true });
  writeFileSync(
    join(dir, ".config", "kumiko", "models.yaml"),
    `providers: { corp: { baseUrl: "${server.baseUrl}", wire: chat } }\nmodels: { corp/big: { contextWindow: 99000, prices: { input: 1, output: 5, cacheRead: 0.1 } } }\n`,
  );
  const first = await run("--model", "corp/big");
  expect(first).toMatchObject({ status: "done", usage, costUsd });
  expect(first).not.toHaveProperty("costIsPartial");
  priced = first.sessionKey;
  const second = await run("--model", `${server.baseUrl}#small`, "--cwd", there);
  expect(second).toMatchObject({ status: "done", usage });
  expect(second).not.toHaveProperty("costUsd");
  unpriced = second.sessionKey;
  const third = await run();
  expect(third).toMatchObject({ isRehearsal: true, costUsd: 0 });
  rehearsed = third.sessionKey;
}, 60_000);
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  cleanUp();
});

describe("kumiko usage", () => {
  it("adds up by model, and takes no unknown price for free", async () => {
    const { rows, total, ...rest } = await figures(["--by", "model"]);
    expect(rest).toEqual({
      schemaVersion: 1,
      type: "usage",
      by: "model",
      since: null,
      sessionKey: null,
      unreadable: [],
    });
    expect(rows).toMatchObject([
      { key: "corp/big", calls: 2, failedCalls: 1, usage, costUsd, costIsPartial: false },
      { key: expect.stringMatching(/\/small$/), calls: 1, failedCalls: 0, usage, costUsd: null, costIsPartial: false },
      { key: "rehearsal/parts", costUsd: 0 },
    ]);
    expect(total).toMatchObject({ calls: 4, failedCalls: 1, costUsd, costIsPartial: true });
    const { stdout, stderr } = await kumiko(["usage", "--by", "model"]);
    expect(stderr).toBe("");
    const [heading, ...lines] = stdout.trimEnd().split("\n");
    expect(heading).toMatch(/^model +calls +failed +in +cached +out +cost$/);
    expect(lines[0]).toMatch(/^corp\/big +2 +1 +12,000 +10,000 +1,000 +\$0\.0080$/);
    expect(lines[1]).toMatch(/small +1 +0 +12,000 +10,000 +1,000 +\?$/);
    expect(lines[2]).toMatch(/^rehearsal\/parts .* \$0$/);
    expect(lines[3]).toMatch(/^total +4 +1 .* at least \$0\.0080$/);
    expect(new Set([heading, ...lines].map((line) => line?.length)).size).toBe(1);
  });

  it("adds up by session, folder and run", async () => {
    const bySession = await figures(["--by", "session"]);
    expect(bySession.rows.map(({ key }: { readonly key: string }) => key).toSorted()).toEqual(
      [priced, unpriced, rehearsed].toSorted(),
    );
    expect((await figures(["--by", "folder"])).rows).toMatchObject([
      { key: here, costUsd },
      { key: there, costUsd: null },
    ]);
    const one = await figures(["--session", priced]);
    expect(one).toMatchObject({ by: "run", sessionKey: priced, rows: [{ key: "1", prompt: "Hi", calls: 2, costUsd }] });
    expect(await figures(["--session", priced, "--by", "day"])).toMatchObject({ rows: [{ calls: 2 }] });
  });

  it("has days of where the user is", async () => {
    // These two are 25 hours apart: it is never the same day in both.
    const east = await figures([], { TZ: "Pacific/Kiritimati" });
    const west = await figures([], { TZ: "Pacific/Pago_Pago" });
    expect(east.rows[0].key > west.rows[0].key).toBe(true);
    expect(east.total).toEqual(west.total);
    expect((await figures(["--days", "2"])).total).toEqual(east.total);
    const later = await kumiko(["usage", "--since", "2999-01-01"]);
    expect(later).toMatchObject({ code: 0, stdout: "", stderr: "No model was asked since 2999-01-01.\n" });
  });

  it("counts the past of a fork once, and neither what is not kept nor what was removed", async () => {
    const before = (await figures()).total;
    const fork = (await kumiko(["--fork", priced])).stdout.trim();
    await run("--model", "corp/big", "--no-session");
    expect((await figures()).total).toEqual(before);
    expect((await figures(["--session", fork])).rows).toEqual([]);
    await run("--resume", fork, "--model", "corp/big");
    expect((await figures(["--session", fork])).rows).toMatchObject([{ key: "2", calls: 1, costUsd }]);
    await kumiko(["sessions", "rm", fork, "--yes"]);
    expect((await figures()).total).toEqual(before);
  });

  it("keeps its figures in the index, and needs none", async () => {
    const index = join(dir, "state", "kumiko", "sessions", "index.json");
    const before = await figures(["--by", "session"]);
    expect(existsSync(index)).toBe(true);
    expect(JSON.parse(readFileSync(index, "utf8"))).toMatchObject({
      version: 2,
      sessions: { [priced]: { summary: { usage: [{ model: "corp/big", tally: { calls: 2 } }] } } },
    });
    writeFileSync(index, '{"version":1,"sessions":{}}');
    expect(await figures(["--by", "session"])).toEqual(before);
  });

  it("is told by list and show too", async () => {
    const listed = JSON.parse((await kumiko(["sessions", "list", "--all", "--json"])).stdout);
    expect(listed.find(({ id }: { readonly id: string }) => id === priced)).toMatchObject({ usage, costUsd });
    const { stdout } = await kumiko(["sessions", "show", priced]);
    expect(stdout).toContain("12,000 tokens in (10,000 cached), 1,000 out, $0.0080");
    expect(stdout).toMatch(/^1\. .* done, \$0\.0080$/m);
  });

  it.each([
    [["--days", "0"], "--days is 0"],
    [["--since", "yesterday"], "write a day: 2026-11-30"],
    [["--since", "2026-02-30"], "write a day: 2026-11-30"],
    [["--since", "2026-01-01", "--days", "3"], "exclude one another"],
    [["--by", "run"], "--session <id>"],
    [["--session", "nosuch"], "there is no session"],
  ])("refuses %j", async (args, words) => {
    const { code, stderr, stdout } = await kumiko(["usage", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(words);
  });
});
