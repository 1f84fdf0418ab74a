// The bundled command line against `node -e 0` and the floor: start-up, first model request, peak memory.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const bin = "packages/cli/bin/kumiko.cjs";
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** Runs a program to its end: when it began, how long it took, its peak resident memory in kB. */
const timed = (args, env = {}) =>
  new Promise((resolve, reject) => {
    const began = performance.timeOrigin + performance.now();
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe", "ipc"].slice(0, 3),
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: "1", ...env },
    });
    let peakKb = 0;
    const watch = setInterval(() => {
      try {
        const [, kb] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
        if (kb !== undefined) peakKb = Math.max(peakKb, Number(kb));
      } catch {
        // It has ended; what was read last counts.
      }
    }, 2);
    let errors = "";
    child.stderr.on("data", (data) => (errors += data));
    child.on("error", reject);
    child.on("exit", (code) => {
      clearInterval(watch);
      if (code === 0) resolve({ began, wall: performance.timeOrigin + performance.now() - began, peakKb });
      else reject(new Error(`${args.join(" ")} ended with ${code}: ${errors}`));
    });
  });

export const measureCli = async (server, rounds) => {
  const work = mkdtempSync(join(tmpdir(), "kumiko-bench-"));
  for (let n = 0; n < 25; n++) writeFileSync(join(work, `f${n}.txt`), `${"x".repeat(1024)}\n`);
  const floor = join(work, "floor.mjs");
  writeFileSync(
    floor,
    `import { setup } from ${JSON.stringify(new URL("./floor.mjs", import.meta.url).pathname)};
     import { readFile } from "node:fs/promises";
     const tool = { name: "file_read", description: "Reads.", execute: ({ path }) => readFile(${JSON.stringify(work)} + "/" + path, "utf8") };
     const session = setup({ baseUrl: process.argv[2], tool });
     console.log(await session()); process.exit(0);`,
  );
  const base = `${server.url}/t20p1/v1`;
  const kinds = {
    node: ["-e", "0"],
    version: [bin, "--version"],
    help: [bin, "--help"],
    floor: [floor, base],
    prompt: [bin, "-p", "Go.", "--model", `${base}#scripted`, "--cwd", work, "--audit-log", join(work, "audit.jsonl")],
  };
  const samples = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round <= rounds; round++)
    for (const [kind, args] of Object.entries(kinds)) {
      await server.reset();
      const sample = await timed(args);
      const { firstAt } = await server.stats();
      if (round > 0) samples[kind].push({ ...sample, first: firstAt - sample.began });
    }
  rmSync(work, { recursive: true });
  const of = (kind, field) => median(samples[kind].map((sample) => sample[field]));
  return {
    nodeMs: of("node", "wall"),
    versionMs: of("version", "wall"),
    helpMs: of("help", "wall"),
    firstRequestMs: of("prompt", "first"),
    floorFirstRequestMs: of("floor", "first"),
    promptMs: of("prompt", "wall"),
    floorMs: of("floor", "wall"),
    peakMb: of("prompt", "peakKb") / 1024,
    floorPeakMb: of("floor", "peakKb") / 1024,
  };
};
