import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineHarness } from "@kumiko/core-loop";
import { localTools } from "@kumiko/local-tools";
import { rehearsal } from "@kumiko/models";
import { permissionEngine } from "@kumiko/permission-engine";
import { Audit, type AuditRecord, definePlugin, type Plugin, RunEnd } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { afterEach, describe, expect, it } from "vitest";

const made: Array<string> = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

type Watching = Plugin<string, never, never>;

// Plays steps in a folder with one file, and tells what each call came to.
const play = async (steps: string, allow: ReadonlyArray<string> = [], more: ReadonlyArray<Watching> = []) => {
  const cwd = mkdtempSync(join(tmpdir(), "kumiko-tools-"));
  made.push(cwd);
  writeFileSync(join(cwd, "notes.txt"), "one\ntwo\n");
  const audit: Array<AuditRecord> = [];
  const auditing = definePlugin({
    name: "audit",
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    contributes: () => [Audit.add((record) => Effect.sync(() => void audit.push(record)))],
  });
  const harness = defineHarness({
    model: rehearsal({ parts: `- name: work\n  when: [work]\n  steps:\n${steps}    - say: "{{ last.text }}"\n` }),
    permissions: permissionEngine({ mode: "accept-edits", allow }),
    plugins: [localTools({ root: cwd }), auditing(), ...more],
  });
  const { text } = await harness.run("Work");
  await harness.dispose();
  return {
    calls: audit.map(({ disposition, tool }) => `${tool} ${disposition}`),
    content: readFileSync(join(cwd, "notes.txt"), "utf8"),
    text,
  };
};

const read = "    - call: { tool: file_read, input: { path: notes.txt } }\n";
const edit = (old: string, added: string): string =>
  `    - call: { tool: file_edit, input: { path: notes.txt, edits: [{ old: "${old}", new: "${added}" }] } }\n`;

describe("the local tools in a session", () => {
  it("edit a file that was read, and again after that", async () => {
    const { content, text } = await play(read + edit("one", "1") + edit("two", "2"));
    expect(content).toBe("1\n2\n");
    expect(text).toContain("-two\n+2");
  });

  it("edit no file that was never read", async () => {
    // The first is refused; the model reads, as it is told to, and asks again.
    const { calls, content } = await play(edit("one", "1"));
    expect(calls).toEqual(["file_edit executed", "file_read executed", "file_edit executed"]);
    expect(content).toBe("1\ntwo\n");
  });

  it("edit no file that a command changed since it was read", async () => {
    const change = '    - call: { tool: bash, input: { command: "sed -i s/two/three/ notes.txt" } }\n';
    const { content, text } = await play(read + change + edit("one", "1"), ["sed *"]);
    expect(content).toBe("one\nthree\n");
    expect(text).toContain("changed on disk since this session last read or wrote it");
  });

  it("run commands that the gate allows, and no others", async () => {
    const command = (text: string): string => `    - call: { tool: bash, input: { command: "${text}" } }\n`;
    const allowed = await play(command("ls; exit 3"), ["ls", "exit *"]);
    expect(allowed.text).toMatch(/notes\.txt\n\(exit code 3, /);
    const denied = await play(command("rm notes.txt"));
    expect(denied.calls).not.toContain("bash executed");
    expect(denied.content).toBe("one\ntwo\n");
  });

  it("start jobs that last beyond the call and end with the harness", async () => {
    const length = `300.${process.pid}`;
    const isRunning = (): boolean =>
      spawnSync("ps", ["-Ao", "args"], { encoding: "utf8" }).stdout.split("\n").includes(`sleep ${length}`);
    let during: boolean | undefined;
    const looking = definePlugin({
      name: "looking",
      version: "0.0.0",
      api: 1,
      config: Schema.Struct({}),
      contributes: () => [RunEnd.add(() => Effect.sync(() => void (during = isRunning())))],
    });
    const job = `    - call: { tool: bash, input: { command: "sleep ${length}", background: true } }\n`;
    const waiting = `    - call: { tool: process, input: { action: list } }\n`;
    const { text } = await play(job + waiting, ["sleep *"], [looking()]);
    expect(text).toMatch(/^job-\w+ {2}running for .* {2}sleep 300/);
    expect(during).toBe(true);
    expect(isRunning()).toBe(false);
  });

  it("lead no request to a metadata address, neither by name nor by a redirect", async () => {
    const server = createServer((_, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    try {
      const request = (url: string): string => `    - call: { tool: http, input: { url: "${url}" } }\n`;
      const direct = await play(request("http://169.254.169.254/latest/meta-data"), ["tool:http"]);
      expect(direct.calls).toEqual(["http denied"]);
      const led = await play(request(`http://127.0.0.1:${port}/`), ["tool:http"]);
      expect(led.calls).toEqual(["http executed"]);
      expect(led.text).toContain("169.254.169.254, which this call may not talk to");
    } finally {
      server.close();
    }
  });
});
