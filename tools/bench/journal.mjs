// What keeping sessions in files costs where it could grow: resuming a long one, appending to a long one, many at a time.
// Prints its figures as JSON. usage: journal.mjs [session <folder> <key> <turns>]
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { defineHarness } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { permissionEngine } from "@kumiko/permission-engine";
import { defineTool, fromJsonSchema } from "@kumiko/plugin-api";
import { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";

const run = promisify(execFile);
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** A model that calls a tool so many times, then answers; tells when it is asked. */
const scripted = (turns, onRequest = () => {}) => ({
  id: "scripted/bench",
  generate: ({ messages }) =>
    Effect.sync(() => {
      onRequest();
      const turn = messages.filter(({ role }) => role === "assistant").length;
      const parts =
        turn < turns
          ? [{ type: "tool-call", id: `c${turn}`, name: "echo", input: { key: `k${turn}` } }]
          : [{ type: "text", text: "done." }];
      return {
        message: { role: "assistant", parts },
        stopReason: turn < turns ? "tool-calls" : "end",
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    }),
});
const harnessOn = (directory, model) =>
  defineHarness({
    model,
    permissions: permissionEngine(),
    tools: [
      defineTool({
        name: "echo",
        description: "-",
        input: fromJsonSchema({ type: "object", properties: { key: { type: "string" } }, required: ["key"] }),
        risk: "read",
        execute: ({ key }) => key + "x".repeat(1024),
      }),
    ],
    cwd: "/",
    maxIterations: 100_000,
    sessions: layerSqlite({ directory }),
  });

const runSession = async (directory, sessionKey, turns) => {
  const harness = harnessOn(directory, scripted(turns));
  await harness.run("Go.", { sessionKey });
  await harness.dispose();
};
/** From asking for a run to the first model request, in milliseconds. */
const firstRequest = async (directory, sessionKey) => {
  let at = 0;
  const harness = harnessOn(
    directory,
    scripted(0, () => (at ||= performance.now())),
  );
  const startedAt = performance.now();
  await harness.run("And?", { sessionKey });
  await harness.dispose();
  return at - startedAt;
};
/** Microseconds an append, median, when the stream holds so many records. */
const appendMicros = (directory, key, records) =>
  Effect.gen(function* () {
    const writer = yield* (yield* Journal).open(key);
    const entry = { actor: "session", kind: "event", body: { type: "counted", text: "x".repeat(500) } };
    for (let at = 0; at < records; at += 10) yield* writer.append(Array.from({ length: 10 }, () => entry));
    const micros = [];
    for (let n = 0; n < 500; n++) {
      const startedAt = performance.now();
      yield* writer.append([entry]);
      micros.push((performance.now() - startedAt) * 1000);
    }
    return median(micros);
  }).pipe(Effect.scoped, Effect.provide(layerSqlite({ directory })), Effect.runPromise);

const [, , what, ...given] = process.argv;
if (what === "session") {
  const [directory, key, turns] = given;
  await runSession(directory, "warm", 1);
  const before = process.cpuUsage();
  await runSession(directory, key, Number(turns));
  const { system, user } = process.cpuUsage(before);
  process.stdout.write(String((system + user) / 1000));
} else {
  const directory = mkdtempSync(join(tmpdir(), "kumiko-bench-"));
  try {
    await runSession(directory, "long", 1000);
    await firstRequest(directory, "warm");
    const fresh = [];
    const resumed = [];
    for (let round = 0; round < 5; round++) {
      fresh.push(await firstRequest(directory, `new${round}`));
      resumed.push(await firstRequest(directory, "long"));
    }
    const session = async (key) => {
      const args = [import.meta.filename, "session", join(directory, key), key, "100"];
      return Number((await run(process.execPath, args)).stdout);
    };
    const alone = [await session("p0"), await session("p0b"), await session("p0c")];
    const together = await Promise.all(Array.from({ length: 50 }, (_, n) => session(`p${n + 1}`)));
    console.log(
      JSON.stringify({
        newMillis: median(fresh),
        resumedMillis: median(resumed),
        megabytes: statSync(join(directory, "long.db")).size / 1e6,
        earlyMicros: await appendMicros(directory, "early", 1_000),
        lateMicros: await appendMicros(directory, "late", 20_000),
        aloneMillis: median(alone),
        togetherMillis: median(together),
      }),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
