import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { RunEvent } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { modelServer } from "@kumiko/models/testing";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, kumiko, project, start } from "./support.ts";

afterEach(cleanUp);
const prompt = "Collect every TODO comment into issues.md";
const ready = ["--mode", "accept-edits"];

describe("kumiko -p", () => {
  it("does the job, prints the answer only, and ends with 0", async () => {
    const cwd = project();
    const { code, stderr, stdout } = await kumiko("-p", prompt, "--cwd", cwd, ...ready);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/TODO comments? in \d+ modules/);
    expect(stdout).toMatch(/rehearsal/i);
    expect(readFileSync(join(cwd, "issues.md"), "utf8")).toMatch(/^# Issues/);
  });

  it("refuses the write in a pipe without --mode: exit 3, the reason on stderr, no file", async () => {
    const cwd = project();
    const { code, stderr, stdout } = await kumiko("-p", prompt, "--cwd", cwd);
    expect(code).toBe(3);
    expect(stderr).toMatch(/kumiko: the run ended because a call it needed was refused/);
    expect(stdout).toMatch(/could not finish/);
    expect(stdout).toMatch(/nobody can be asked/);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("refuses every write in plan mode", async () => {
    const cwd = project();
    const { code } = await kumiko("-p", prompt, "--cwd", cwd, "--mode", "plan");
    expect(code).toBe(3);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("lets a denial beat the mode, and an allowance do without it", async () => {
    const denied = project();
    expect((await kumiko("-p", prompt, "--cwd", denied, "--mode", "auto", "--deny", "file_write(*)")).code).toBe(3);
    expect(existsSync(join(denied, "issues.md"))).toBe(false);
    const allowed = project();
    expect((await kumiko("-p", prompt, "--cwd", allowed, "--allow", "file_write(issues.md)")).code).toBe(0);
    expect(existsSync(join(allowed, "issues.md"))).toBe(true);
  });

  it("prints one JSON object with --output-format json", async () => {
    const { code, stdout } = await kumiko("-p", prompt, "--cwd", project(), ...ready, "--output-format", "json");
    expect(code).toBe(0);
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({
      schemaVersion: 1,
      type: "result",
      status: "done",
      iterations: 3,
      isRehearsal: true,
      exitCode: 0,
      usage: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  it("prints one RunEvent a line with --output-format stream-json, the lifecycle first and last", async () => {
    const { stdout } = await kumiko("-p", prompt, "--cwd", project(), ...ready, "--output-format", "stream-json");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => Schema.decodeUnknownSync(RunEvent)(JSON.parse(line)));
    expect(events[0]?.type).toBe("lifecycle.start");
    expect(events.at(-1)).toMatchObject({ type: "lifecycle.end", outcome: { status: "done" } });
    expect(events.filter(({ type }) => type === "tool.end")).toHaveLength(2);
  });

  it("stops at --max-turns with exit 4 and says what is done", async () => {
    const { code, stderr, stdout } = await kumiko("-p", prompt, "--cwd", project(), ...ready, "--max-turns", "1");
    expect(code).toBe(4);
    expect(stderr).toMatch(/stopped after 1 turn: the limit of 1 iteration/);
    expect(stdout).toMatch(/grep/);
  });

  it("reads the prompt from standard input with -", async () => {
    const { code, stdout } = await ended(start(["-p", "-"]), "hello\n");
    expect(code).toBe(0);
    expect(stdout).toMatch(/I am Kumiko/);
  });

  it("puts AGENTS.md into what the model sees", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "AGENTS.md"), "Always answer in verse.");
    const bodies: Array<string> = [];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        bodies.push(body);
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(
          'data: {"choices":[{"index":0,"delta":{"content":"Roses."},"finish_reason":null}]}\n\n' +
            'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const model = `http://127.0.0.1:${port}/v1#poet`;
    const { code, stderr, stdout } = await kumiko("-p", "Hi", "--model", model, "--cwd", cwd);
    server.close();
    expect({ code, stderr, stdout }).toEqual({ code: 0, stderr: "", stdout: "Roses.\n" });
    expect(bodies[0]).toContain("Always answer in verse.");
  });

  it("shows the model the images of --image, and refuses what is none", async () => {
    const cwd = folder();
    const png = join(cwd, "shot of mine");
    writeFileSync(png, onePixel);
    await using server = await modelServer({ script: [{ text: "A dot." }] });
    const model = `${server.baseUrl}#a`;
    const { code, stdout } = await kumiko("-p", "What is this?", "--image", png, "--model", model, "--cwd", cwd);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "A dot.\n" });
    expect(JSON.stringify(server.asked[0]?.body)).toContain(`data:image/png;base64,${onePixel.toString("base64")}`);

    const text = join(cwd, "text.png");
    writeFileSync(text, "no image");
    for (const [path, why] of [
      [text, /--image \S+text.png is no PNG, JPEG, GIF or WebP/],
      [join(cwd, "none.png"), /--image \S+ cannot be read: ENOENT/],
      [cwd, /--image \S+ is a folder/],
      [namedPipe(), /--image \S+ is no regular file/],
    ] as const) {
      const refused = await kumiko("-p", "What is this?", "--image", path, "--model", model);
      expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(why) });
    }
    expect(server.asked).toHaveLength(1);
  });

  it("fails with 1 and the reason when the model cannot be reached", async () => {
    const { code, stderr } = await kumiko("-p", "Hi", "--model", "http://127.0.0.1:9/v1#gone");
    expect(code).toBe(1);
    expect(stderr).toMatch(/kumiko: the run failed after 1 turn: the model call failed/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const blockedFile = (): string => {
  const file = join(folder(), "file");
  writeFileSync(file, "");
  return file;
};
const namedPipe = (): string => {
  const pipe = join(folder(), "pipe");
  execFileSync("mkfifo", [pipe]);
  return pipe;
};

describe("the audit log", () => {
  it("holds a line for every proposed call, is the user's alone, and hides secrets", async () => {
    const cwd = project();
    const file = join(folder(), "deep", "audit.jsonl");
    const parts = join(cwd, "parts.yaml");
    const secret = `sk-${"a".repeat(40)}`;
    writeFileSync(
      parts,
      `- name: leak\n  when: [leak]\n  steps:\n    - call: { tool: file_write, input: { path: out.txt, content: "key ${secret}" } }\n    - call: { tool: nope, input: {} }\n    - say: done\n`,
    );
    await kumiko("-p", "leak", "--rehearsal", parts, "--cwd", cwd, ...ready, "--audit-log", file);
    const text = readFileSync(file, "utf8");
    const records = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ disposition, tool }) => `${tool} ${disposition}`)[0]).toBe("file_write executed");
    expect(records[0].decision).toMatchObject({
      verdict: "allow",
      layer: expect.any(String),
      reason: expect.any(String),
    });
    expect(text).not.toContain(secret);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(cwd, "out.txt"), "utf8")).toContain(secret);
  });

  it.each([
    ["below a file", () => join(blockedFile(), "audit.jsonl")],
    ["a folder", () => folder()],
    ["a device that is full", () => "/dev/full"],
    ["a named pipe", () => namedPipe()],
  ])("that cannot be written (%s) is found before anything runs: exit 2", async (_name, file) => {
    const cwd = project();
    const { code, stderr } = await kumiko("-p", prompt, "--cwd", cwd, ...ready, "--audit-log", file());
    expect(code).toBe(2);
    expect(stderr).toMatch(/the audit log .* cannot be written/);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });
});

describe("bad input ends with 2, a clear message, and nothing run", () => {
  const cases: ReadonlyArray<readonly [name: string, args: ReadonlyArray<string>, said: RegExp]> = [
    ["no prompt", [], /nothing to do: give a prompt with -p/],
    ["an empty prompt", ["-p", "  "], /the prompt is empty/],
    ["no such folder", ["-p", "x", "--cwd", "/no/such/folder"], /--cwd \/no\/such\/folder: there is no such folder/],
    ["a folder that is a file", ["-p", "x", "--cwd", "/etc/passwd"], /it is not a folder/],
    ["an unknown option", ["-p", "x", "--modle", "plan"], /--modle[^]*(--model|--mode)/],
    ["an unknown mode", ["-p", "x", "--mode", "yolo"], /mode[^]*plan/],
    [
      "an unknown provider",
      ["-p", "x", "--model", "opnai/gpt"],
      /there is no provider "opnai"\. Did you mean "openai\/gpt"\?/,
    ],
    ["a model without a key", ["-p", "x", "--model", "openai/gpt-5-mini"], /OPENAI_API_KEY is not set/],
    ["a rule that is the name of a tool", ["-p", "x", "--deny", "file_write"], /write "tool:file_write" for the tool/],
    ["no turns", ["-p", "x", "--max-turns", "0"], /--max-turns is 0; it must be 1 or more/],
    ["two models", ["-p", "x", "--model", "ollama/a", "--rehearsal", "b.yaml"], /give one of the two/],
    ["a part file that is not there", ["-p", "x", "--rehearsal", "/no/parts.yaml"], /\/no\/parts\.yaml[^]*ENOENT/],
    ["a rule that cannot be", ["-p", "x", "--allow", ""], /permission-engine[^]*allow/],
  ];
  for (const [name, args, said] of cases)
    it(name, async () => {
      const { code, stderr, stdout } = await kumiko(...args);
      expect(`${stdout}${stderr}`).toMatch(said);
      expect(code).toBe(2);
      expect(stderr).not.toMatch(/\n\s+at /);
    });

  it("a malformed part file: file, line, and what was expected", async () => {
    const parts = join(folder(), "parts.yaml");
    writeFileSync(parts, "- name: one\n  when: [x]\n  stepz:\n    - say: hi\n");
    const { code, stderr } = await kumiko("-p", "x", "--rehearsal", parts);
    expect(code).toBe(2);
    expect(stderr).toMatch(/parts\.yaml:3[^]*stepz[^]*steps/);
  });

  it("a prompt of 10 MB", async () => {
    const { code, stderr } = await ended(start(["-p", "-"]), "x".repeat(10_000_000));
    expect(code).toBe(2);
    expect(stderr).toMatch(/larger than 1 MB/);
  });
});

describe("what the world does to it", () => {
  it("a state folder that cannot be made, and of which the system says so in no plain way", async () => {
    const { code, stderr } = await ended(start(["-p", "hello"], { XDG_STATE_HOME: "/proc" }));
    expect(code).toBe(2);
    expect(stderr).toMatch(/sessions cannot be kept in \/proc\S*: .*--no-session/);
  });

  it("a folder it may not write into: the model is told, the run ends truthfully", async () => {
    const cwd = project();
    mkdirSync(join(cwd, "issues.md"));
    const { stdout } = await kumiko("-p", prompt, "--cwd", cwd, ...ready);
    expect(stdout).toMatch(/could not finish[^]*file_write/);
  });

  it("a closed stdout: the run ends, quietly", async () => {
    const child = start(["-p", prompt, "--cwd", project(), ...ready, "--output-format", "stream-json"]);
    child.stdout?.destroy();
    const { code, stderr } = await ended(child);
    expect(code).toBe(141);
    expect(stderr).toBe("");
  });

  it("a stdout that cannot take the answer: exit 141, in every format", async () => {
    for (const format of ["text", "json"]) {
      const child = start(["-p", "hello", "--output-format", format]);
      child.stdout?.destroy();
      expect((await ended(child)).code).toBe(141);
    }
  });

  it("a reader that is slow for a while: nothing is lost, the lifecycle ends once", async () => {
    const deltas = Array.from(
      { length: 12_000 },
      (_, n) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: n % 2 === 0 ? { content: "a" } : { reasoning_content: "b" }, finish_reason: null }] })}\n\n`,
    );
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        `${deltas.join("")}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const child = start(["-p", "x", "--model", `http://127.0.0.1:${port}/v1#slow`, "--output-format", "stream-json"]);
    child.stdout?.pause();
    setTimeout(() => child.stdout?.resume(), 2_000);
    const { code, stdout } = await ended(child);
    server.closeAllConnections();
    server.close();
    expect(code).toBe(0);
    expect(stdout.match(/"type":"lifecycle\.(end|error)"/g)).toHaveLength(1);
  });

  it.each(["SIGTERM", "SIGHUP"] as const)(
    "%s: the run is ended in good order, with its one JSON line",
    async (signal) => {
      const server = createServer((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"choices":[{"index":0,"delta":{"content":"Well"},"finish_reason":null}]}\n\n');
        child.kill(signal);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const child = start(["-p", "x", "--model", `http://127.0.0.1:${port}/v1#slow`, "--output-format", "json"]);
      const { code, stdout } = await ended(child);
      server.closeAllConnections();
      server.close();
      expect(code).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ status: "aborted", exitCode: 130 });
    },
  );

  it("Ctrl-C: the run is ended in good order, exit 130", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Well"},"finish_reason":null}]}\n\n');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const child = start(["-p", "x", "--model", `http://127.0.0.1:${port}/v1#slow`, "--output-format", "stream-json"]);
    child.stdout?.on("data", (data) => {
      if (String(data).includes("assistant.delta")) child.kill("SIGINT");
    });
    const { code, stdout } = await ended(child);
    server.closeAllConnections();
    server.close();
    expect(code).toBe(130);
    expect(stdout).toMatch(/"type":"lifecycle\.end","outcome":\{"status":"aborted"/);
  });
});
