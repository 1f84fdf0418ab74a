import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, home, project, start, until } from "./support.ts";

afterAll(cleanUp);

const record = (over: Readonly<Record<string, unknown>>): string =>
  `${JSON.stringify({
    schemaVersion: 1,
    time: Date.parse("2026-11-30T12:00:00Z"),
    runId: "r",
    sessionKey: "261130-1200-k3f9",
    iteration: 1,
    callId: "c",
    tool: "bash",
    input: { command: "npm test" },
    disposition: "executed",
    status: "ok",
    durationMillis: 1234,
    decision: {
      verdict: "allow",
      layer: "allow-rule",
      rule: "npm test*",
      reason: "",
      risk: "read",
      resources: [],
      effects: [],
    },
    ...over,
  })}\n`;

describe("kumiko audit", () => {
  it("shows what a run wanted to do, who decided, and what became of it", async () => {
    const { kumiko } = home();
    await kumiko("-p", "Collect every TODO comment into issues.md", "--cwd", project());
    const { code, stderr, stdout } = await kumiko("audit");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}\w{4} {2}grep +TODO +allow \(workspace\) +ok in /);
    expect(stdout).toMatch(/^.* {2}file_write +issues\.md +deny \(.*\) +denied$/m);
    const denied = await kumiko("audit", "--verdict", "deny", "--json");
    const lines = denied.stdout.trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line).tool)).toEqual(["file_write"]);
    expect((await kumiko("audit", "--tool", "bash")).stderr).toMatch(/^Nothing like that is written down in /);
  });

  it("reads the files that were set aside, the last so many records, and only those that are wanted", async () => {
    const file = join(folder(), "audit.jsonl");
    const aside = file.replace(/\.jsonl$/, "-20261130T120000000Z-1.jsonl");
    writeFileSync(
      aside,
      record({ callId: "1", input: { command: "first" } }) + record({ callId: "2", sessionKey: "261130-1300-zzzz" }),
    );
    writeFileSync(file, record({ callId: "3", tool: "grep", time: Date.parse("2026-12-01T12:00:00Z") }));
    const ids = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> => {
      const { stdout } = await ended(start(["audit", "--audit-log", file, "--json", ...args]));
      return stdout
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).callId);
    };
    expect(await ids()).toEqual(["1", "2", "3"]);
    expect(await ids("--limit", "2")).toEqual(["2", "3"]);
    expect(await ids("--limit", "0")).toEqual(["1", "2", "3"]);
    expect(await ids("--session", "zzzz")).toEqual(["2"]);
    expect(await ids("--session", "261130-1200")).toEqual(["1", "3"]);
    expect(await ids("--tool", "grep", "--tool", "glob")).toEqual(["3"]);
    expect(await ids("--since", "2026-12-01")).toEqual(["3"]);
  });

  it("shows control characters escaped, keeps records with odd line ends whole, and says what is damaged", async () => {
    const file = join(folder(), "audit.jsonl");
    writeFileSync(file, `${record({ input: { command: "a\u2028b\u001b[2J\r\u202e" } })}{"half": \nnonsense\n`);
    const { code, stderr, stdout } = await ended(start(["audit", "--audit-log", file]));
    expect(code).toBe(0);
    expect(stderr).toBe("kumiko: 2 lines of the log can not be read\n");
    expect(stdout).toMatch(/a\\u2028b\\x1b\[2J\\x0d\\u202e/);
    expect(stdout.trim().split("\n")).toHaveLength(1);
  });

  it("says what is wrong with a log, and with what it was given", async () => {
    const dir = folder();
    for (const [args, said] of [
      [["--audit-log", dir], /is no regular file/],
      [["--since", "yesterday"], /write a day such as 2026-11-30/],
      [["--limit=-1"], /must be 0 or more/],
    ] as const) {
      const { code, stderr } = await ended(start(["audit", ...args]));
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) });
    }
  });

  it("follows the log, also into the next file, until it is told to stop", async () => {
    const file = join(folder(), "deep", "audit.jsonl");
    mkdirSync(dirname(file));
    writeFileSync(file, record({ callId: "old" }));
    const child = start(["audit", "--audit-log", file, "--follow", "--json", "--limit", "1"]);
    let shown = "";
    child.stdout?.on("data", (data) => (shown += String(data)));
    const end = ended(child);
    await until(() => shown.includes('"old"'), "the old record");
    appendFileSync(file, record({ callId: "new" }));
    await until(() => shown.includes('"new"'), "a new record");
    writeFileSync(`${file}.next`, record({ callId: "next" }));
    renameSync(file, `${file}.aside`);
    renameSync(`${file}.next`, file);
    await until(() => shown.includes('"next"'), "a record of the next file");
    child.kill("SIGINT");
    expect((await end).code).toBe(0);
    expect(readFileSync(`${file}.aside`, "utf8")).toContain('"new"');
  });
});
