import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Failpoint } from "./Failpoints.node.ts";
import { equal } from "../internal/equal.ts";

/** How the suite is told of a program. */
export interface KillSuiteOptions<State> {
  /**
   * Starts the program in a folder. It begins its work there, or goes on with what an earlier process left, and exits
   * with 0 when all is done. It hands `failpoint` to `Failpoints`, and prints `counts` as its last line, as JSON.
   */
  readonly start: (folder: string, failpoint: Failpoint | undefined) => ChildProcess;
  /** What the work left in a folder, where it must be the same however often the program died. */
  readonly observe: (folder: string) => Promise<State>;
  /** Throws where something happened that may not happen: an effect that came twice, a message that was lost. */
  readonly check?: (folder: string) => Promise<void>;
  /** Kills at random moments, on top of those at every failpoint. Default 50. */
  readonly randomKills?: number;
  /** Of the random moments. Default 1. */
  readonly seed?: number;
  /** Programs that run side by side. Default 2. */
  readonly concurrency?: number;
}

/** What a run of the suite did. */
export interface KillReport {
  readonly failpoints: number;
  readonly randomKills: number;
  /** Random kills that hit the program before it was done. */
  readonly hits: number;
}

/** How often a program may be started to end its work: it is killed once. */
const maxStarts = 3;

/**
 * Proves that a program survives being killed: it is run undisturbed once, then once for each failpoint (before and after
 * every append and every effect), and at random moments; each time it dies by a real `SIGKILL`, is started again, and
 * what it left must equal what the undisturbed run left. Throws at the first difference, naming the failpoint.
 *
 * A program under the suite wraps its sessions with `Failpoints.sessions` and its tools with `Failpoints.call`.
 */
export const killSuite = async <State>(options: KillSuiteOptions<State>): Promise<KillReport> => {
  const { concurrency = 2, randomKills = 50, seed = 1 } = options;
  const startedAt = performance.now();
  const whole = await inFolder(async (folder) => {
    const counts = await runToEnd(options, folder, undefined);
    await options.check?.(folder);
    return { counts, state: await options.observe(folder), millis: performance.now() - startedAt };
  });

  const failpoints = (["append", "effect"] as const).flatMap((at) =>
    Array.from({ length: whole.counts[at] }, (_, n) => n + 1).flatMap((number) =>
      (["before", "after"] as const).map((moment): Failpoint => ({ at, number, moment })),
    ),
  );
  const compare = async (folder: string, what: string): Promise<void> => {
    try {
      await options.check?.(folder);
      equal("what it left", await options.observe(folder), whole.state);
    } catch (error) {
      throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
  await forAll(failpoints, concurrency, (failpoint) =>
    inFolder(async (folder) => {
      const what = `killed ${failpoint.moment} ${failpoint.at} ${failpoint.number}`;
      const { signal } = await ended(options.start(folder, failpoint), what);
      if (signal !== "SIGKILL") throw new Error(`${what}: the program did not get there`);
      await runToEnd(options, folder, what);
      await compare(folder, what);
    }),
  );

  let hits = 0;
  const random = numbersFrom(seed);
  const moments = Array.from({ length: randomKills }, () => Math.round(random() * whole.millis * 1.1));
  await forAll(moments, concurrency, (moment) =>
    inFolder(async (folder) => {
      const what = `killed after ${moment} ms`;
      const child = options.start(folder, undefined);
      const timer = setTimeout(() => child.kill("SIGKILL"), moment);
      const { signal } = await ended(child, what);
      clearTimeout(timer);
      if (signal === "SIGKILL") hits++;
      await runToEnd(options, folder, what);
      await compare(folder, what);
    }),
  );
  return { failpoints: failpoints.length, randomKills, hits };
};

const inFolder = async <A>(work: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "kumiko-kill-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastLine: string;
}

const ended = async (child: ChildProcess, what: string): Promise<Ended> => {
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => (output += String(chunk)));
  child.stderr?.on("data", (chunk) => (errors += String(chunk)));
  const timer = setTimeout(() => child.kill("SIGTERM"), 60_000);
  await once(child, "close");
  clearTimeout(timer);
  const { exitCode: code, signalCode: signal } = child;
  if (signal !== "SIGKILL" && code !== 0)
    throw new Error(
      `${what}: the program ended with ${signal ?? code}\n${output.slice(-2_000)}${errors.slice(-4_000)}`,
    );
  return { code, signal, lastLine: output.trimEnd().split("\n").at(-1) ?? "" };
};

const runToEnd = async <State>(
  options: KillSuiteOptions<State>,
  folder: string,
  what: string | undefined,
): Promise<{ readonly append: number; readonly effect: number }> => {
  for (let start = 0; start < maxStarts; start++) {
    const { code, lastLine } = await ended(options.start(folder, undefined), what ?? "undisturbed");
    if (code !== 0) continue;
    const counts: unknown = JSON.parse(lastLine);
    if (typeof counts === "object" && counts !== null && "append" in counts && "effect" in counts)
      return { append: Number(counts.append), effect: Number(counts.effect) };
    throw new Error(`the program's last line must be the counts of its Failpoints, not ${lastLine}`);
  }
  throw new Error(`${what ?? "undisturbed"}: the program did not end within ${maxStarts} starts`);
};

const forAll = async <A>(
  items: ReadonlyArray<A>,
  concurrency: number,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of rest) await work(item);
    }),
  );
};

/** mulberry32 (Tommy Ettinger, public domain): numbers in [0, 1) that are the same for the same seed. */
const numbersFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
