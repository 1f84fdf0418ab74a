import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Tools } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { BackgroundJobs, makeBackgroundJobs } from "../src/BackgroundJobs.node.ts";
import { bashTool } from "../src/bashTool.node.ts";
import { localTools } from "../src/plugin.ts";
import { processTool } from "../src/processTool.node.ts";
import { killAll, processesWith } from "./processesWith.ts";
import { failureOf, run, tempFolder } from "./runTool.ts";

const folder = await tempFolder();
const jobs = makeBackgroundJobs();
const bash = bashTool({ jobs });
const tool = processTool(jobs);
afterEach(() => {
  vi.doUnmock("@lydell/node-pty");
});
afterAll(async () => {
  await jobs.dispose();
  await folder[Symbol.asyncDispose]();
});

const start = async (command: string, more: { readonly pty?: boolean; readonly timeoutMillis?: number } = {}) => {
  const text = await run(bash, { command, background: true, ...more }, folder.path);
  return /^(job-[0-9a-f]+) runs/.exec(text)?.[1] ?? "";
};
const ask = (input: Record<string, string | number>): Promise<string> => run(tool, { ...input }, folder.path);

describe("background jobs", () => {
  it("start at once, are read piece by piece, and end with their exit code", async () => {
    const job = await start("echo one; until [ -e gate ]; do sleep 0.02; done; echo two; exit 3");
    expect(await ask({ action: "wait", job, text: "one" })).toMatch(/^one\n\(the text.*has come\)|^one\n\(running/);
    expect(await ask({ action: "read", job })).toMatch(/^\(no new output\)\n\(running for .*\)$/);
    expect(await ask({ action: "list" })).toContain(`${job}  running for `);
    writeFileSync(folder.at("gate"), "");
    expect(await ask({ action: "wait", job })).toMatch(/^two\n\(exit code 3, .*\)$/);
    expect(await ask({ action: "read", job })).toMatch(/^\(no new output\)\n\(exit code 3, .*\)$/);
    expect(await ask({ action: "list" })).toContain(`${job}  exit code 3  echo one`);
  });

  it("are waited for until the time is over, or the text comes that is waited for", async () => {
    const job = await start("sleep 300");
    expect(await ask({ action: "wait", job, text: "ready", timeoutMillis: 50 })).toMatch(
      /\(waited 50 ms in vain: it still runs, and has not written the text\)/,
    );
    expect(await ask({ action: "stop", job })).toMatch(
      /^\(no new output\)\n\(stopped: it was ended, with all it had started\)$/,
    );
    const talker = await start("sleep 0.1; printf 'server rea'; sleep 0.1; printf 'dy\\n'; sleep 300");
    expect(await ask({ action: "wait", job: talker, text: "ready" })).toMatch(/^server ready\n\(the text/);
    expect(await ask({ action: "stop", job: talker })).toContain("stopped");
  });

  it("time out where a time was given", async () => {
    const job = await start("sleep 300", { timeoutMillis: 50 });
    expect(await ask({ action: "wait", job })).toContain("it was ended, with all it had started");
  });

  it("keep a bounded part of what nobody reads, and say what is missing", async () => {
    const job = await start("seq 1 200000; sleep 300");
    const text = await ask({ action: "wait", job, text: "200000\n" });
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^1\n2\n[^]*\(cut: \d+ characters, \d+ lines\)\n[^]*\n200000\n/);
    await ask({ action: "stop", job });
  });

  it("belong to the session that started them", async () => {
    const job = await start("sleep 300");
    const other = makeBackgroundJobs();
    expect(other.list("session")).toEqual([]);
    expect(jobs.find("another session", job)).toBeUndefined();
    expect(jobs.list("another session")).toEqual([]);
    await ask({ action: "stop", job });
    const failure = await failureOf(tool, { action: "read", job: "job-0" }, folder.path);
    expect(failure.message).toMatch(/no job "job-0".*See action list/);
    expect((await failureOf(tool, { action: "read" }, folder.path)).message).toMatch(/read needs the id of a job/);
  });

  it("are limited in number", async () => {
    const many = makeBackgroundJobs();
    try {
      const tools = bashTool({ jobs: many });
      for (let at = 0; at < 16; at++) await run(tools, { command: "sleep 300", background: true }, folder.path);
      const failure = await failureOf(tools, { command: "sleep 300", background: true }, folder.path);
      expect(failure.message).toMatch(/16 jobs run already.*Stop one/);
    } finally {
      await many.dispose();
    }
    const late = await failureOf(bashTool({ jobs: many }), { command: "true", background: true }, folder.path);
    expect(late.message).toMatch(/ending/);
    expect(await failureOf(bashTool(), { command: "true", background: true }, folder.path)).toMatchObject({
      kind: "refused",
    });
  });

  it("say at once where they cannot start", async () => {
    const failure = await failureOf(bash, { command: "true", background: true }, folder.at("gone"));
    expect(failure.message).toMatch(/working folder is not there/);
  });

  it("end with the plugin that made them, whatever they did to stay", async () => {
    const mark = `kumiko-jobs-${process.pid}`;
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const plugin = localTools();
          const services = yield* Layer.build(plugin.layer ?? BackgroundJobs.layer);
          const tools = Tools.valuesIn(yield* Effect.provideContext(plugin.contributions, services));
          const made = tools.find(({ name }) => name === "bash");
          if (made === undefined) throw new Error("no bash");
          for (const command of ["sleep 300", "setsid sleep 300 & trap '' TERM; sleep 300; sleep 300"])
            yield* Effect.promise(() =>
              run(made, { command: `export MARK=${mark}; ${command}`, background: true }, folder.path),
            );
          while (processesWith(mark).length < 2) yield* Effect.promise(() => sleep(10));
        }),
      ),
    );
    expect(processesWith(mark)).toEqual([]);
  });
});

describe("a terminal", () => {
  it("is there where it is asked for, and only there", async () => {
    expect(await run(bash, { command: "tty; tty -s && stty size", pty: true }, folder.path)).toMatch(
      /^\/dev\/(pts\/|tty)\S+\n40 120\n\(exit code 0, /,
    );
    expect(await run(bash, { command: "test -t 1 || echo none" }, folder.path)).toMatch(/^none\n/);
    expect(await run(bash, { command: "kill -SEGV $$", pty: true }, folder.path)).toMatch(/\(ended by SIGSEGV, /);
    expect(await run(bash, { command: "exit 7", pty: true }, folder.path)).toMatch(/\(exit code 7, /);
    expect((await failureOf(bash, { command: "true", pty: true }, folder.at("gone"))).message).toMatch(/not there/);
  });

  it("is typed into, and gives plain text", async () => {
    const job = await start("read -r -p 'name? ' name; printf '\\033[31mhello %s\\033[0m\\n' \"$name\"; cat", {
      pty: true,
    });
    expect(await ask({ action: "wait", job, text: "name? " })).toMatch(/^name\? \n/);
    expect(await ask({ action: "write", job, text: "you\n" })).toMatch(/^you\nhello you\n\(running/);
    expect(await ask({ action: "write", job, text: "\u0003" })).toMatch(/SIGINT|exit code 130|running/);
    expect(await ask({ action: "wait", job })).toMatch(/ended by SIGINT|exit code 130/);
    expect((await failureOf(tool, { action: "write", job, text: "x" }, folder.path)).message).toMatch(/has ended/);
    const plain = await start("sleep 300");
    expect((await failureOf(tool, { action: "write", job: plain, text: "x" }, folder.path)).message).toMatch(
      /has no terminal.*pty/,
    );
    await ask({ action: "stop", job: plain });
  });

  it("ends with everything that was started in it", async () => {
    const mark = `kumiko-pty-${process.pid}`;
    const command = `export MARK=${mark}; trap '' TERM HUP; setsid sleep 300 & sleep 300 & (sleep 300; sleep 300)`;
    expect(await run(bash, { command, pty: true, timeoutMillis: 300 }, folder.path)).toMatch(/timed out/);
    expect(processesWith(mark)).toEqual([]);
  });

  it("takes 5 MB of output", async () => {
    const text = await run(bash, { command: "yes | head -c 5000000; echo end", pty: true }, folder.path);
    expect(text).toMatch(/\(cut: \d+ characters, \d+ lines\)[^]*\nend\n\(exit code 0, /);
  });

  it("says what is missing where it cannot be made", async () => {
    vi.doMock("@lydell/node-pty", () => {
      throw new Error("no binary package");
    });
    const failure = await failureOf(bash, { command: "true", pty: true }, folder.path);
    expect(failure.message).toMatch(/@lydell\/node-pty, cannot be loaded.*without pty/);
  });
});

describe("process", () => {
  it("judges what it does by what it may do: typing is never less than asked about", () => {
    const call = (input: Record<string, string>) => Result.getOrThrow(tool.inspect(input, "/"));
    expect(call({ action: "read", job: "job-1" })).toMatchObject({ risk: "read" });
    expect(call({ action: "read", job: "job-1" })).not.toHaveProperty("command");
    expect(call({ action: "stop", job: "job-1" })).toMatchObject({ risk: "local-write" });
    expect(call({ action: "write", job: "job-1", text: "ls\n" })).toMatchObject({
      risk: "irreversible",
      command: "ls\n",
    });
  });

  it("lists the processes and the listening ports of the machine, without arguments", async () => {
    const child = spawn("sleep", ["300.4242"], { stdio: "ignore" });
    try {
      const text = await ask({ action: "system" });
      expect(text).toMatch(/PID.*PPID.*COMMAND/);
      expect(text).not.toContain("300.4242");
    } finally {
      child.kill();
    }
    expect(await ask({ action: "ports" }).catch(String)).not.toBe("");
  });
});

describe.skipIf(process.platform !== "linux")("a harness that is killed", () => {
  it("leaves nothing running: neither a command, nor a job, nor a terminal", async () => {
    const mark = `kumiko-killed-${process.pid}`;
    const script = folder.at("harness.mjs");
    const at = (name: string): string => new URL(`../src/${name}`, import.meta.url).href;
    writeFileSync(
      script,
      `import { runCommand } from ${JSON.stringify(at("runCommand.node.ts"))};
       const signal = new AbortController().signal;
       const commands = ["sleep 300", "setsid sleep 300 & trap '' TERM; sleep 300; sleep 300", "env -i MARK=${mark} setsid -w sleep 300 >/dev/null 2>&1; true"];
       for (const command of commands)
         for (const hasTerminal of [false, true])
           void runCommand({ command: "export MARK=${mark}; " + command, cwd: "/", hasTerminal, onOutput: () => {} }, signal);
       setInterval(() => {}, 1000);`,
    );
    const child = spawn(process.execPath, ["-C", "@kumiko/source", script], {
      cwd: process.cwd(),
      stdio: "inherit",
    });
    try {
      const started = Date.now() + 20_000;
      while (processesWith(mark).length < 10 && Date.now() < started) await sleep(20);
      expect(processesWith(mark).length).toBeGreaterThanOrEqual(10);
      child.kill("SIGKILL");
      const until = Date.now() + 20_000;
      while (processesWith(mark).length > 0 && Date.now() < until) await sleep(50);
      expect(processesWith(mark)).toEqual([]);
    } finally {
      child.kill("SIGKILL");
      killAll(processesWith(mark));
    }
  });
});
