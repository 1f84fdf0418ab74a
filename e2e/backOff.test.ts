import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describeSession } from "@kumiko/core-loop";
import { type Fault, modelServer, type WireFormat } from "@kumiko/models/testing";
import { isJsonObject } from "@kumiko/plugin-api";
import { afterEach, describe, expect, it } from "vitest";
import { recordsIn } from "./recordsIn.ts";
import { transcriptFlaws } from "./transcriptFlaws.ts";
import { finalAnswer, job, marks } from "./weather/job.ts";

/** What the server asks for: as long as two processes need to start, and a little more. */
const waitMillis = 5_000;
/** Timers may be this much early against the clock. */
const earlyMillis = 5;
/** How long a process waits before it is killed: a wait that began anew would be that much too long, and a start. */
const waitedMillis = 1_000;
/** How late the next attempt may be: timers of a busy machine. */
const lateMillis = 1_000;
const limited: Fault = {
  does: "answers 429 and asks for a wait",
  answer: () => ({ status: 429, headers: { "retry-after": String(waitMillis / 1_000) }, body: "{}" }),
  expected: { failures: ["rate-limit"] },
};

const cleanUps: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A server that refuses the second request, a folder, and processes that work in it. */
const scene = async () => {
  const folder = await mkdtemp(join(tmpdir(), "kumiko-back-off-"));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  const askedAt: Array<number> = [];
  const server = await modelServer({
    script: (asked) => {
      askedAt.push(Date.now());
      return job(asked);
    },
    faults: [undefined, limited],
  });
  cleanUps.push(async () => server[Symbol.asyncDispose]());
  const sessions = join(folder, "sessions");
  return {
    askedAt,
    server,
    executed: () => readFileSync(join(folder, "executed.log"), "utf8").trim().split("\n"),
    session: async () => describeSession(await recordsIn(sessions)),
    process: (wire: WireFormat = "anthropic") => startProgram(folder, server.baseUrl, wire),
    savedTime: async () => notBeforeIn(await recordsIn(sessions)),
  };
};

const startProgram = (folder: string, baseUrl: string, wire: WireFormat) => {
  const program = resolve(import.meta.dirname, "backOff/program.ts");
  const child: ChildProcess = spawn(process.execPath, ["-C", "@kumiko/source", program, folder, baseUrl, wire], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout?.on("data", (data) => (stdout += String(data)));
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  const kill = (): Promise<void> => {
    child.kill("SIGKILL");
    return ended;
  };
  cleanUps.push(kill);
  return {
    kill,
    ended,
    told: () => stdout,
    /** Resolves once it waits for the time of the next attempt. */
    waits: () =>
      until(
        () => stdout.includes('"type":"model.failed"'),
        () => stdout,
      ),
  };
};

const until = async (isSo: () => boolean, state: () => string): Promise<void> => {
  for (let n = 0; n < 2_000; n++) {
    if (isSo()) return;
    await sleep(10);
  }
  throw new Error(`it never came to this; it says ${state()}`);
};

/** The times of attempts that a session has written down. */
const notBeforeIn = (records: Awaited<ReturnType<typeof recordsIn>>): ReadonlyArray<number> =>
  records.flatMap(({ body, kind }) =>
    kind === "intent" && isJsonObject(body) && body["type"] === "intent.backOff" ? [Number(body["notBefore"])] : [],
  );

describe("a process that is killed while it waits for the next attempt", { timeout: 60_000 }, () => {
  it.each([1, 2])("%i times: the time that was written down is kept by those after it", async (kills) => {
    const { askedAt, executed, process, savedTime, server, session } = await scene();
    for (let n = 0; n < kills; n++) {
      const child = process();
      await child.waits();
      await sleep(waitedMillis);
      await child.kill();
    }
    const [notBefore = 0] = await savedTime();
    expect(notBefore - (askedAt[1] ?? 0)).toBeGreaterThanOrEqual(waitMillis);
    const last = process();
    await last.ended;
    expect(last.told()).toContain(JSON.stringify(finalAnswer));
    // The two before, the refused one among them; then the job goes on, and nobody asked in between.
    expect(server.asked).toHaveLength(4);
    expect(askedAt[2]).toBeGreaterThanOrEqual(notBefore - earlyMillis);
    expect(askedAt[2]).toBeLessThan(notBefore + lateMillis);
    expect(new Set(await savedTime())).toEqual(new Set([notBefore]));
    expect(executed().toSorted()).toEqual([...marks]);
    const { messages, runs } = await session();
    expect(transcriptFlaws(messages)).toEqual([]);
    expect(runs.map(({ status }) => status)).toEqual(["done"]);
  });

  it("and started again with another model: nobody waits, the wait was the other's", async () => {
    const { askedAt, executed, process, savedTime, server } = await scene();
    const first = process("anthropic");
    await first.waits();
    await first.kill();
    const [notBefore = 0] = await savedTime();
    const second = process("responses");
    await second.ended;
    expect(second.told()).toContain(JSON.stringify(finalAnswer));
    expect(server.asked.map(({ wire }) => wire)).toEqual(["anthropic", "anthropic", "responses", "responses"]);
    expect(askedAt.at(-1)).toBeLessThan(notBefore);
    expect(executed().toSorted()).toEqual([...marks]);
  });
});
