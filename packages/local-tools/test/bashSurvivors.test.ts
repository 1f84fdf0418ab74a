import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { makeBackgroundJobs } from "../src/BackgroundJobs.node.ts";
import { bashTool } from "../src/bashTool.node.ts";
import { killAll, processesWith } from "./processesWith.ts";
import { callOf } from "./runTool.ts";

// Commands that start processes and do what they can to keep them. None of them ends within the time it is given.
const stubborn: ReadonlyArray<string> = [
  "sleep 300",
  "sleep 300 & sleep 300 & wait",
  "setsid sleep 300 & sleep 300",
  "(setsid sh -c 'sleep 300 & sleep 300' &); sleep 300",
  "nohup sleep 300 >/dev/null 2>&1 & sleep 300",
  "trap '' TERM; sleep 300 & wait; sleep 300",
  "trap '' TERM HUP INT; setsid bash -c \"trap '' TERM; while :; do sleep 1; done\" >/dev/null 2>&1 & while :; do sleep 1; done",
  `perl -e 'use POSIX; if (fork == 0) { setsid; if (fork == 0) { $SIG{TERM} = "IGNORE"; close STDOUT; close STDERR; sleep 300 } exit } sleep 300'`,
  `perl -e '$SIG{TERM} = sub { if (fork == 0) { POSIX::setsid(); sleep 300 } exit }; use POSIX; sleep 300'`,
  "exec >&- 2>&-; sleep 300",
  "kill -STOP $$",
  "setsid bash -c 'kill -STOP $$' & kill -STOP $$",
  "trap 'setsid sleep 300 & exit' TERM; sleep 300 & wait",
  "while :; do setsid sleep 300 & sleep 0.05; done",
  "hop() { sleep 0.02; hop & }; hop & sleep 300",
  "hop() { sleep 0.02; setsid bash -c hop & }; export -f hop; hop & sleep 300",
  "yes & setsid yes >/dev/null & cat /dev/zero",
  "sleep 300 > >(sleep 300) 2> >(sleep 300)",
  "coproc sleep 300; sleep 300",
  "env -i setsid -w sleep 300 >/dev/null 2>&1",
  "env -i bash -c 'trap \"\" TERM; setsid sleep 300 & wait; wait' >/dev/null 2>&1; sleep 300",
  "env -i setsid bash -c 'trap \"\" TERM; sleep 300; sleep 300' >/dev/null 2>&1 & sleep 300",
  "find / -xdev | while read -r line; do sleep 1; done",
  "bash -i </dev/tty; read -r line; su root -c 'sleep 300'; sleep 300",
];

// These end by themselves, at once, and leave something behind.
const leaving: ReadonlyArray<string> = [
  "sleep 300 &",
  "setsid sleep 300 & exit 3",
  "nohup sleep 300 >/dev/null 2>&1 & disown; exit 0",
  "(setsid setsid sleep 300 >/dev/null 2>&1 &)",
  `perl -e 'use POSIX; exit if fork; setsid; exit if fork; $SIG{TERM} = "IGNORE"; sleep 300'`,
  "setsid bash -c \"trap '' TERM; while :; do sleep 1; done\" & true",
  "env -i setsid sleep 300 & true",
];

const kinds = ["command", "command", "terminal", "job", "terminal job"] as const;

/** The same numbers for the same seed. */
const numbersFrom = (seed: number) => {
  let state = seed >>> 0;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const runs = process.env["KUMIKO_SOAK_RUNS"] === undefined ? 40 : soak.numRuns;

describe.skipIf(process.platform !== "linux")("bash", () => {
  it(`leaves no process alive: ${runs} random timeouts, aborts and ends`, { timeout: 3_600_000 }, async () => {
    const next = numbersFrom(soak.seed);
    const survivors: Array<string> = [];
    let slowest = 0;
    const one = async (at: number): Promise<void> => {
      // Each at least once, then by chance.
      const all = [...stubborn, ...leaving];
      const among = next(2) === 0 ? all : all.filter((command) => /hop|TERM|while/.test(command));
      const command = all[at] ?? among[next(among.length)] ?? "";
      const isLeaving = leaving.includes(command);
      const [isAbort, millis] = [next(2) === 0, 1 + next(400)];
      const mark = `kumiko-survivor-${process.pid}-${at}`;
      const jobs = makeBackgroundJobs();
      const tool = bashTool({ environment: { KUMIKO_TEST_MARK: mark }, jobs });
      const kind = kinds[next(kinds.length)];
      // The arguments carry a mark too, for those that clear their environment.
      const length = `300.0${process.pid}${String(at).padStart(4, "0")}`;
      const marked = `${command.replaceAll("sleep 300", `sleep ${length}`)} # ${mark}`;
      const timeoutMillis = isLeaving ? 60_000 : millis;
      const pty = kind === "terminal" || kind === "terminal job";
      const input = { command: marked, pty, timeoutMillis: isAbort ? 60_000 : timeoutMillis };
      const call = callOf(tool, input, tmpdir());
      let start = performance.now() + (isLeaving ? 0 : millis);
      if (kind === "job" || kind === "terminal job") {
        await Effect.runPromise(callOf(tool, { ...input, background: true }, tmpdir()));
        const [job] = jobs.list("session");
        // It ends by itself, is stopped, or ends with whoever keeps it.
        const untilOver = async (): Promise<void> => {
          for (;;) {
            if (job === undefined || job.end() !== undefined) return;
            await sleep(5);
          }
        };
        await (isLeaving ? untilOver() : sleep(millis));
        start = performance.now();
        if (isAbort) await job?.stop();
        else await untilOver();
        await jobs.dispose();
      } else if (isAbort && !isLeaving) {
        const fiber = Effect.runFork(call);
        await sleep(millis);
        start = performance.now();
        await Effect.runPromise(Fiber.interrupt(fiber));
      } else await Effect.runPromise(call);
      slowest = Math.max(slowest, performance.now() - start);
      const alive = [mark, length].flatMap(processesWith);
      if (alive.length > 0) survivors.push(`run ${at}: ${command}\n  ${alive.map(({ text }) => text).join("\n  ")}`);
      // A fault must not cost more than the test.
      for (let round = 0; round < 100 && killAll([mark, length].flatMap(processesWith)) > 0; round++);
    };

    // A process of somebody else's, and calls that overlap: each ends its own only.
    const bystander = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    let started = 0;
    const worker = async (): Promise<void> => {
      while (started < runs) await one(started++);
    };
    try {
      await Promise.all(Array.from({ length: 3 }, worker));
      console.log(`bash survivors: ${runs} runs, the slowest end took ${Math.round(slowest)} ms`);
      expect(survivors).toEqual([]);
      expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
    } finally {
      bystander.kill();
    }
  });
});
