import { spawn } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { killSuite } from "@kumiko/journal/testing";
import { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { soak } from "../tools/soak/runs.ts";
import { turns } from "./kill/playwright.ts";

// One file, so that a start takes a tenth of a second.
const dist = resolve(import.meta.dirname, "dist");
let built = "";
beforeAll(async () => {
  mkdirSync(dist, { recursive: true });
  built = await mkdtemp(join(dist, "kill-"));
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, "kill/program.ts"),
    platform: "node",
    external: ["@lydell/node-pty", "@vscode/ripgrep"],
    resolve: { conditionNames: ["@kumiko/source", "import", "node"] },
  });
  await bundle.write({ file: join(built, "program.mjs"), format: "esm", codeSplitting: false });
  await bundle.close();
}, 60_000);
afterAll(() => rm(built, { recursive: true, force: true }));

const lines = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];

/** Files and their content, by name: what the file tools left. */
const observe = async (folder: string): Promise<Record<string, string>> => {
  const files: Record<string, string> = {};
  for (const file of globSync("**/*.txt", { cwd: join(folder, "work") }).toSorted())
    files[file] = await readFile(join(folder, "work", file), "utf8");
  return files;
};

interface Body {
  readonly type: string;
  readonly message?: {
    readonly parts?: ReadonlyArray<{ readonly callId?: string; readonly status?: string; readonly text?: string }>;
  };
  readonly status?: string;
}

const check = async (folder: string): Promise<void> => {
  expect(lines(join(folder, "invalid.log")), "requests that a provider would refuse").toEqual([]);
  const records = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Journal, (journal) => journal.read("main")),
      layerSqlite({ directory: join(folder, "sessions") }),
    ),
  );
  const bodies = records.map(({ body }) => body as unknown as Body);
  const ends = bodies.filter(({ type }) => type === "run.ended").map(({ status }) => status);
  expect(ends, "how the runs ended").toEqual(["done", "done"]);
  const said = bodies.filter(({ type }) => type === "message.accepted").map(({ message }) => message?.parts?.[0]?.text);
  expect(said, "accepted messages, once each").toEqual(["first", "second"]);
  // A command runs once at most; where it is not known whether it ran, that is what its result says.
  const results = new Map(
    bodies
      .filter(({ type }) => type === "results.recorded")
      .flatMap(({ message }) => message?.parts ?? [])
      .map(({ callId, status }) => [callId, status]),
  );
  const ran = lines(join(folder, "ran.log"));
  expect(new Set(ran).size, `a command ran twice: ${ran.join()}`).toBe(ran.length);
  for (const [turn, calls] of turns.entries())
    for (const [at, [name, input]] of calls.entries()) {
      const status = results.get(`t${turn}c${at}`);
      if (name === "bash") {
        const number = /echo (\d)/.exec(String(input["command"]))?.[1] ?? "";
        expect(["ok", "unknown"], `command ${number}`).toContain(status);
        if (status === "ok") expect(ran, "a command that is said to have run").toContain(number);
      } else expect(status, `turn ${turn}, ${name}`).toBe(input["path"] === "missing.txt" ? "error" : "ok");
    }
};

describe("a session that is killed", () => {
  it("at every commit and around every effect, and at random, ends as if nothing had happened", async () => {
    const report = await killSuite({
      start: (folder, failpoint) => {
        mkdirSync(join(folder, "work"), { recursive: true });
        const args = [
          join(built, "program.mjs"),
          folder,
          ...(failpoint === undefined ? [] : [JSON.stringify(failpoint)]),
        ];
        return spawn(process.execPath, args, {
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, NODE_COMPILE_CACHE: join(built, "cache") },
        });
      },
      observe,
      check,
      randomKills: soak.runsOr(50),
      seed: soak.seed,
    });
    console.log(`kill suite: ${JSON.stringify(report)}, seed ${soak.seed}`);
    expect(report.failpoints).toBeGreaterThan(100);
    expect(report.hits).toBeGreaterThan(0);
  }, 1_200_000);
});
