// What the tools of a machine take over the programs they stand for, measured in the same run, alternating.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bashTool, fileEdit, fileRead, globTool, grepTool } from "@kumiko/local-tools";
import { admittedForTest } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { createRequire } from "node:module";

// The one that the tools use.
const { rgPath } = createRequire(import.meta.resolve("@kumiko/local-tools"))("@vscode/ripgrep");

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const folders = 2500;
const filesEach = 20;

const plant = (top) => {
  for (let folder = 0; folder < folders; folder++) {
    const path = join(top, `a${folder % 50}`, `b${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesEach; file++)
      writeFileSync(
        join(path, `f${file}.ts`),
        `export const x${file} = ${folder};\n`.repeat(30) + (folder % 97 === 0 && file === 3 ? "needleHere\n" : ""),
      );
  }
  writeFileSync(join(top, ".gitignore"), "dist\n*.log\n");
};

const program = (command, args, cwd) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    child.stdout.resume();
    child.once("error", reject);
    child.once("close", resolve);
  });

export const measureTools = async (rounds) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "kumiko-bench-")));
  const known = new Map();
  const context = {
    callId: "c",
    runId: "r",
    sessionKey: "s",
    cwd: top,
    permits: () => Effect.succeed(true),
    knownDigest: (path) => known.get(path),
    changes: [],
    progress: () => undefined,
  };
  const call = async (tool, input) => {
    const { execute, prepare } = Result.getOrThrow(tool.inspect(input, top));
    const changes = prepare === undefined ? [] : await Effect.runPromise(prepare(context));
    const output = await Effect.runPromise(execute(admittedForTest(tool.name, input), { ...context, changes }));
    for (const { digest, path } of output.files ?? []) known.set(path, digest);
    return output;
  };
  const samples = {};
  const timed = async (name, run) => {
    const start = performance.now();
    await run();
    (samples[name] ??= []).push(performance.now() - start);
  };
  try {
    plant(top);
    const large = join(top, "large.txt");
    const [glob, grep, bash, edit] = [globTool(), grepTool(), bashTool(), fileEdit()];
    for (let round = 0; round <= rounds * 2; round++) {
      await timed("rgFiles", () => program(rgPath, ["--no-config", "--files", "--hidden", "--glob=f7.ts"], top));
      await timed("glob", () => call(glob, { pattern: "f7.ts", max_results: 2000 }));
      await timed("rg", () => program(rgPath, ["--no-config", "-n", "--hidden", "needleHere"], top));
      await timed("grep", () => call(grep, { pattern: "needleHere" }));
      await timed("grepPattern", () => call(grep, { pattern: "needle[A-Z]\\w+" }));
      await timed("sh", () => program("sh", ["-c", "true"], top));
      await timed("bash", () => call(bash, { command: "true" }));
    }
    for (let round = 0; round < rounds; round++) {
      writeFileSync(large, "a line of twenty bytes\n".repeat(900_000) + "the one\n");
      await call(fileRead(), { path: large, limit: 1 });
      await timed("edit", () => call(edit, { path: large, edits: [{ old: "the one", new: "the other" }] }));
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
  execFileSync("sync");
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]));
};
