import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { afterEach, describe, expect, it } from "vitest";
import { searchForTool } from "../src/sessions/searchForTool.ts";
import { cleanUp, ended, folder, home, project, until } from "./support.ts";

afterEach(cleanUp);
const prompt = "Collect every TODO comment into issues.md";
// oxlint-disable-next-line no-control-regex -- control characters are the point
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

/** Runs a prompt and gives the id of its session. */
const run = async (at: ReturnType<typeof home>, ...args: ReadonlyArray<string>): Promise<string> =>
  JSON.parse((await at.kumiko("-p", ...args, "--output-format", "json")).stdout).sessionKey;
const listed = async (at: ReturnType<typeof home>, ...args: ReadonlyArray<string>) =>
  JSON.parse((await at.kumiko("sessions", "list", "--json", ...args)).stdout) as ReadonlyArray<{
    readonly id: string;
    readonly status: string;
    readonly isInUse: boolean;
    readonly prompt: string;
    readonly problem?: string;
  }>;

describe("kumiko sessions list", () => {
  it("shows the sessions of this folder, the latest first, and how they stand", async () => {
    const at = home();
    const cwd = project();
    const done = await run(at, "hello", "--cwd", cwd);
    const waiting = await run(at, prompt, "--cwd", cwd, "--unattended", "suspend");
    const elsewhere = await run(at, "hello", "--cwd", folder());
    const { stdout } = await at.kumiko("sessions", "list", "--cwd", cwd);
    expect(stdout).toMatch(
      new RegExp(
        `^${waiting}  \\S+ \\S+  waits for an answer  Collect every[^\\n]*\\n${done}  \\S+ \\S+  done +hello\\n$`,
      ),
    );
    expect((await listed(at, "--all")).map(({ id }) => id)).toEqual([elsewhere, waiting, done]);
    const none = await at.kumiko("sessions", "list", "--cwd", folder());
    expect(none).toMatchObject({ code: 0, stdout: "", stderr: expect.stringMatching(/3 of other folders: .* --all/) });
  });

  it("needs no index, and mistrusts a damaged one; a damaged session hides no other", async () => {
    const at = home();
    const cwd = folder();
    const [a, b] = [await run(at, "hello", "--cwd", cwd), await run(at, "hello", "--cwd", cwd)];
    const before = await listed(at, "--cwd", cwd);
    const index = join(at.sessions, "index.json");
    for (const damage of ["", "{", '{"version":99}', '{"version":1,"sessions":{"x":{"stamp":1}}}']) {
      writeFileSync(index, damage);
      expect(await listed(at, "--cwd", cwd)).toEqual(before);
    }
    rmSync(index);
    mkdirSync(index);
    expect(await listed(at, "--cwd", cwd)).toEqual(before);
    rmSync(index, { recursive: true });

    writeFileSync(join(at.sessions, `${a}.db`), "this is no session \u001B[2J");
    writeFileSync(join(at.sessions, "stray.txt"), "x");
    const after = await listed(at, "--cwd", cwd);
    expect(after.map(({ id, status }) => `${id} ${status}`)).toEqual([`${b} done`, `${a} unreadable`]);
    const { stdout } = await at.kumiko("sessions", "list", "--cwd", cwd);
    expect(stdout).toMatch(/unreadable +.*no/);
    expect((await at.kumiko("sessions", "show", a)).code).toBe(2);
    expect((await at.kumiko("sessions", "show", b)).code).toBe(0);
  });

  it("notices what changed since", async () => {
    const at = home();
    const cwd = project();
    const id = await run(at, prompt, "--cwd", cwd, "--unattended", "suspend");
    expect((await listed(at, "--cwd", cwd))[0]?.status).toBe("waiting");
    await at.kumiko("answer", id, "yes");
    expect((await listed(at, "--cwd", cwd))[0]?.status).toBe("unfinished");
    const child = at.start("-p", prompt, "--cwd", cwd, "--unattended", "wait");
    const end = ended(child);
    await until(async () => (await listed(at, "--cwd", cwd)).some(({ isInUse }) => isInUse), "a session in use");
    child.kill("SIGKILL");
    await end;
    expect((await listed(at, "--cwd", cwd)).map(({ isInUse }) => isInUse)).toEqual([false, false]);
  });
});

describe("kumiko sessions show, search, export and rm", () => {
  const evil = "\\e[2J\\u202e\\u009b2J";
  const evilSession = async (at: ReturnType<typeof home>, cwd: string): Promise<string> => {
    const parts = join(folder(), "parts.yaml");
    writeFileSync(
      parts,
      `- name: evil\n  when: [needle]\n  steps:\n    - call: { tool: file_write, input: { path: out.txt, content: "x\`\`\`\`${evil}" } }\n    - call: { tool: file_read, input: { path: out.txt } }\n    - say: "found the Haystack ${evil}"\n`,
    );
    return run(at, "needle", "--rehearsal", parts, "--cwd", cwd, "--mode", "accept-edits");
  };

  it("a transcript that nobody can steer a terminal with", async () => {
    const at = home();
    const id = await evilSession(at, folder());
    const shown = await at.kumiko("sessions", "show", id);
    expect(shown.stdout).toMatch(
      /1\. .*done, \$0\n> needle\n {2}✓ file_write path=out\.txt[^]*✓ file_read[^]*found the Haystack/,
    );
    const markdown = await at.kumiko("sessions", "export", id);
    expect(markdown.stdout).toMatch(/^# Session [^]*> needle[^]*\n`````json\n/);
    const json = await at.kumiko("sessions", "export", id, "--format", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      schemaVersion: 1,
      sessionKey: id,
      runs: [{ number: 1, status: "done", prompt: "needle" }],
    });
    const jsonl = await at.kumiko("sessions", "export", id, "--format", "jsonl");
    const records = jsonl.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1));
    const found = await at.kumiko("sessions", "search", "haystack", "--all");
    expect(found.stdout).toMatch(new RegExp(`^${id} {2}run 1 {2}answer .*Haystack`));
    const hits = JSON.parse((await at.kumiko("sessions", "search", "HAYSTACK", "--all", "--json")).stdout);
    expect(hits).toMatchObject([
      { sessionKey: id, run: 1, where: "answer", snippet: expect.stringMatching(/Haystack/) },
    ]);
    for (const { stdout } of [shown, markdown, json, jsonl, found]) expect(stdout).not.toMatch(steering);
  });

  it("lets an agent search the other sessions of its folder, or all, but not its own", async () => {
    const at = home();
    const cwd = project();
    const [first, second] = [await run(at, "needle", "--cwd", cwd), await run(at, "needle", "--cwd", cwd)];
    const elsewhere = await run(at, "needle", "--cwd", folder());
    const found = async (all: boolean, limit = 20) =>
      Effect.runPromise(searchForTool(at.sessions, { text: "NEEDLE", all, cwd, sessionKey: first, limit }));
    const keysOf = async (all: boolean) => new Set((await found(all)).hits.map(({ sessionKey }) => sessionKey));
    expect(await keysOf(false)).toEqual(new Set([second]));
    expect(await keysOf(true)).toEqual(new Set([elsewhere, second]));
    const { hits, more, unreadable } = await found(true, 1);
    expect([hits.length, more > 0, unreadable]).toEqual([1, true, 0]);
  });

  it("shows what a session waits for, and says where nothing is found", async () => {
    const at = home();
    const id = await run(at, prompt, "--cwd", project(), "--unattended", "suspend");
    const { stdout } = await at.kumiko("sessions", "show", id);
    expect(stdout).toMatch(/… file_write .* has no result yet[^]*It waits for an answer: file_write[^]*kumiko answer/);
    expect((await at.kumiko("sessions", "search", "xyzzy", "--all")).stderr).toMatch(/Nothing found/);
    expect((await at.kumiko("sessions", "search", " ", "--all")).code).toBe(2);
  });

  it("rm wants a yes, refuses what is in use, and leaves nothing", async () => {
    const at = home();
    const [a, b] = [await run(at, "hello"), await run(at, "hello")];
    writeFileSync(join(at.sessions, `${a}.db.damaged-2026`), "old");
    const unasked = await at.kumiko("sessions", "rm", a);
    expect(unasked.code).toBe(2);
    expect(unasked.stderr).toMatch(/say --yes/);
    const child = at.start("-p", prompt, "--cwd", project(), "--unattended", "wait");
    const end = ended(child);
    await until(async () => (await listed(at, "--all")).some(({ isInUse }) => isInUse), "a session in use");
    const used = (await listed(at, "--all")).find(({ isInUse }) => isInUse)?.id ?? "";
    const refused = await at.kumiko("sessions", "rm", a, used, "--yes");
    expect(refused.code).toBe(7);
    expect(existsSync(join(at.sessions, `${a}.db`))).toBe(true);
    child.kill("SIGKILL");
    await end;
    appendFileSync(join(at.sessions, `${b}.db`), "x");
    const removed = await at.kumiko("sessions", "rm", a, b, used, "--yes");
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringMatching(/Removed session [^]*Removed[^]*Removed/) });
    expect(readdirSync(at.sessions).filter((name) => name !== "index.json")).toEqual([]);
    expect(await listed(at, "--all")).toEqual([]);
    expect((await at.kumiko("sessions", "rm", "../x", "--yes")).code).toBe(2);
  });

  it("a reader that goes away is no error", async () => {
    const at = home();
    const id = await run(at, "hello");
    for (const args of [
      ["list", "--all"],
      ["show", id],
      ["export", id, "--format", "jsonl"],
      ["search", "hello", "--all"],
    ]) {
      const child = at.start("sessions", ...args);
      child.stdout?.destroy();
      expect(await ended(child)).toMatchObject({ code: 141, stderr: "" });
    }
  });

  it("reads no session of a later version, and says why", async () => {
    const at = home();
    const id = await run(at, "hello");
    const file = join(at.sessions, `${id}.db`);
    const bytes = readFileSync(file);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(file, bytes);
    const { code, stderr } = await at.kumiko("--resume", id, "-p", "hello");
    expect(code).toBe(2);
    expect(stderr).toMatch(/later version.*update/);
  });
});
