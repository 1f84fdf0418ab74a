import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { makeBackgroundJobs } from "../src/BackgroundJobs.node.ts";
import { bashTool } from "../src/bashTool.node.ts";
import { clipboardTool } from "../src/clipboardTool.node.ts";
import { notifyTool } from "../src/notifyTool.node.ts";
import { waitForTool } from "../src/waitForTool.node.ts";
import { callOf, failureOf, run, tempFolder } from "./runTool.ts";

const folder = await tempFolder();
const jobs = makeBackgroundJobs();
afterAll(async () => {
  await jobs.dispose();
  await folder[Symbol.asyncDispose]();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder.at("xclip"), { force: true });
  rmSync(folder.at("notify-send"), { force: true });
});
// Programs of a desktop, as far as they matter here: there is none where tests run.
const program = (name: string, script: string): void => {
  writeFileSync(folder.at(name), `#!/bin/sh\n${script}\n`);
  chmodSync(folder.at(name), 0o755);
  vi.stubEnv("PATH", `${folder.path}:/usr/bin:/bin`);
};

describe.skipIf(process.platform === "darwin")("clipboard", () => {
  const tool = clipboardTool();
  it("hands the text over by input, never as an argument, and reads it back", async () => {
    vi.stubEnv("DISPLAY", ":0");
    vi.stubEnv("WAYLAND_DISPLAY", undefined);
    program(
      "xclip",
      `echo "$*" >>${folder.at("arguments")}; case "$*" in *-o) cat ${folder.at("clip")};; *) cat >${folder.at("clip")}; sleep 300 & echo $! >${folder.at("keeper")} ;; esac`,
    );
    expect(await run(tool, { action: "write", text: "s3cret\n$(id)" }, folder.path)).toBe(
      "(12 characters are in the clipboard)",
    );
    // What keeps the clipboard's content is not ended with the call.
    expect(() => process.kill(Number(readFileSync(folder.at("keeper"), "utf8")), "SIGKILL")).not.toThrow();
    expect(readFileSync(folder.at("clip"), "utf8")).toBe("s3cret\n$(id)");
    expect(await run(tool, { action: "read" }, folder.path)).toBe("s3cret\n$(id)");
    expect(readFileSync(folder.at("arguments"), "utf8")).not.toContain("s3cret");
    writeFileSync(folder.at("clip"), "");
    expect(await run(tool, { action: "read" }, folder.path)).toBe("(there is no text in the clipboard)");
    expect((await failureOf(tool, { action: "write" }, folder.path)).message).toMatch(/needs a text/);
  });

  it("says what is missing where there is no desktop", async () => {
    vi.stubEnv("DISPLAY", undefined);
    vi.stubEnv("WAYLAND_DISPLAY", undefined);
    const failure = await failureOf(tool, { action: "read" }, folder.path);
    expect(failure.message).toMatch(/no clipboard here.*Show the text/);
  });

  it("says why it could not be written", async () => {
    vi.stubEnv("DISPLAY", ":0");
    vi.stubEnv("WAYLAND_DISPLAY", undefined);
    program("xclip", "echo 'cannot open display' >&2; exit 1");
    expect((await failureOf(tool, { action: "write", text: "x" }, folder.path)).message).toMatch(/cannot open display/);
  });
});

describe.skipIf(process.platform === "darwin")("notify", () => {
  it("notifies on the desktop, with the text as it is and not as options or markup", async () => {
    program("notify-send", `printf '%s|' "$@" >${folder.at("notified")}`);
    expect(await run(notifyTool(), { title: "--help\u001b", text: "<b>1 & 2</b>" }, folder.path)).toBe(
      "(the user was notified on the desktop)",
    );
    expect(readFileSync(folder.at("notified"), "utf8")).toBe("--app-name=kumiko|--|--help |&lt;b>1 &amp; 2&lt;/b>|");
  });

  it("rings where there is no desktop, and says so", async () => {
    program("notify-send", "echo 'no bus' >&2; exit 1");
    let rings = 0;
    const ring = (): boolean => ++rings > 0;
    expect(await run(notifyTool({ ring }), { title: "done" }, folder.path)).toBe(
      "(no desktop notification: no bus; the terminal's bell was rung)",
    );
    expect(rings).toBe(1);
    vi.stubEnv("PATH", folder.at("nowhere"));
    expect(await run(notifyTool({ ring: () => false }), { title: "done" }, folder.path)).toBe(
      "(the user could not be notified: there is no notify-send, and there is no terminal whose bell could ring)",
    );
  });
});

describe("wait_for", () => {
  const tool = waitForTool(jobs);
  const wait = (input: Record<string, string | number>): Promise<string> => run(tool, { ...input }, folder.path);

  it("waits for files that come, go and change", async () => {
    const file = folder.at("file");
    const soon = (change: () => void): void => void setTimeout(change, 60);
    expect(await wait({ for: "file_exists", path: "file", timeoutMillis: 30 })).toBe(
      "(not within 30 ms: it is not there)",
    );
    soon(() => writeFileSync(file, "a"));
    expect(await wait({ for: "file_exists", path: "file" })).toMatch(/^\(it is so, after /);
    soon(() => writeFileSync(file, "longer"));
    expect(await wait({ for: "file_changed", path: "file" })).toMatch(/^\(it is so/);
    expect(await wait({ for: "file_changed", path: "file", timeoutMillis: 30 })).toMatch(/it is as it was/);
    expect(await wait({ for: "file_gone", path: "file", timeoutMillis: 30 })).toMatch(/it is still there/);
    soon(() => rmSync(file));
    expect(await wait({ for: "file_gone", path: "file" })).toMatch(/^\(it is so/);
    expect(existsSync(file)).toBe(false);
  });

  it("waits for ports and answers", async () => {
    let status = 503;
    const server = createServer((_, response) => response.writeHead(status).end());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    try {
      expect(await wait({ for: "port_open", port })).toMatch(/^\(it is so/);
      const url = `http://127.0.0.1:${port}/`;
      expect(await wait({ for: "http_status", url, timeoutMillis: 30 })).toBe(
        "(not within 30 ms: the last answer was 503)",
      );
      expect(await wait({ for: "http_status", url, status: 503 })).toMatch(/^\(it is so/);
      setTimeout(() => {
        status = 204;
      }, 60);
      expect(await wait({ for: "http_status", url })).toMatch(/^\(it is so/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(await wait({ for: "port_open", port, timeoutMillis: 30 })).toBe("(not within 30 ms: ECONNREFUSED)");
    expect(await wait({ for: "http_status", url: `http://127.0.0.1:${port}/`, timeoutMillis: 30 })).toMatch(
      /ECONNREFUSED/,
    );
  });

  it("waits for jobs, and for time to pass", async () => {
    const started = await run(bashTool({ jobs }), { command: "sleep 0.1", background: true }, folder.path);
    const job = started.split(" ")[0] ?? "";
    expect(await wait({ for: "job_ended", job, timeoutMillis: 1 })).toMatch(/it still runs/);
    expect(await wait({ for: "job_ended", job })).toMatch(/^\(it is so/);
    expect(await wait({ for: "time", timeoutMillis: 40 })).toMatch(/^\(it is so, after \d+ ms\)$/);
  });

  it("says what it needs, and ends when it is interrupted", async () => {
    for (const [input, field] of [
      [{ for: "port_open" }, "port"],
      [{ for: "job_ended", job: "job-1" }, "job"],
      [{ for: "file_gone" }, "path"],
      [{ for: "http_status" }, "url"],
    ] as const)
      expect((await failureOf(tool, input, folder.path)).message).toContain(`${field}: `);
    const fiber = Effect.runFork(callOf(tool, { for: "file_exists", path: "never" }, folder.path));
    await sleep(20);
    await Effect.runPromise(Fiber.interrupt(fiber));
  });
});
