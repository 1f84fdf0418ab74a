import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Fault, modelServer } from "@kumiko/models/testing";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, home, until } from "./support.ts";

afterEach(cleanUp);
const reading = { calls: [{ name: "file_read", input: { path: "a.txt" } }] };
const work = (): string => {
  const cwd = folder();
  writeFileSync(join(cwd, "a.txt"), "one line\n");
  return cwd;
};
const idIn = (stderr: string): string => /session (\d{6}-\d{4}-\w{4})/.exec(stderr)?.[1] ?? "";

describe("a run whose model fails", () => {
  it("says what is done and what helps, and a later command finishes it with another model", async () => {
    await using server = await modelServer({
      script: [reading, { text: "It has one line." }],
      faults: [undefined, "status-401"],
    });
    const at = home();
    const cwd = work();
    const model = `${server.baseUrl}#one`;
    const first = await at.kumiko("-p", "Count the lines", "--cwd", cwd, "--model", model);
    expect(first.code).toBe(1);
    expect(first.stdout).toMatch(/^The run could not be finished: [^]*file_read[^]*Not done: "Count the lines"/);
    expect(first.stderr).toMatch(/the run failed after 2 turns: the model call failed: .*the key is wrong/);
    expect(first.stderr).toContain("set KUMIKO_API_KEY to a key that it takes");
    const id = idIn(first.stderr);
    expect(first.stderr).toContain(`kumiko --resume ${id} --model ${model} goes on from here, or with another --model`);
    expect((await at.kumiko("sessions", "list", "--all")).stdout).toMatch(/ failed /);

    const second = await at.kumiko("--resume", id, "--model", `${server.baseUrl}#two`);
    expect(second).toMatchObject({ code: 0, stdout: "It has one line.\n" });
    expect(second.stderr).toContain(`the last run of session ${id} failed: the model is asked to go on with it`);
    const sent = JSON.stringify(server.asked.at(-1)?.body);
    expect(sent).toMatch(/Count the lines.*one line.*Go on with the task where it stopped\. Check what is done/);
    const third = await at.kumiko("--resume", id, "--model", model);
    expect(third.stderr).toContain("has nothing unfinished");
    expect(server.asked.length).toBe(3);
  });

  it("asks whether the server is running where none answers", async () => {
    const server = await modelServer({ script: [] });
    await server[Symbol.asyncDispose]();
    const { code, stderr } = await home().kumiko("-p", "Hi", "--model", `${server.baseUrl}#x`, "--no-session");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /failed 3 times: cannot reach .*Is the server running.*\nkumiko: a server of your own is named by/,
    );
    expect(stderr.match(/server running/g)?.length).toBe(1);
    expect(stderr).not.toContain("--resume");
  });

  it.each([
    ["status-413", /a model of a larger window/],
    ["status-404", /is the name of the model right/],
    ["status-400", /another model may do/],
  ])("helps with %s", async (fault, words) => {
    await using server = await modelServer({ script: [{ text: "-" }], faults: [fault] });
    const { code, stderr } = await home().kumiko("-p", "Hi", "--model", `${server.baseUrl}#x`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(words) });
  });

  it("is gone on with by -c after it was interrupted, and counts", async () => {
    await using server = await modelServer({
      script: [reading, { text: "Finished." }],
      faults: [undefined, "silent-before-answer"],
    });
    const at = home();
    const cwd = work();
    const args = ["--cwd", cwd, "--model", `${server.baseUrl}#one`];
    const child = at.start("-p", "Count", ...args);
    const end = ended(child);
    await until(() => server.asked.length === 2, "a second model call");
    child.kill("SIGINT");
    expect((await end).code).toBe(130);
    expect(JSON.parse((await at.kumiko("usage", "--json")).stdout).total).toMatchObject({ calls: 1 });
    const again = await at.kumiko("-c", ...args);
    expect(again).toMatchObject({
      code: 0,
      stdout: "Finished.\n",
      stderr: expect.stringMatching(/was ended: the model/),
    });
  });
});

describe("a wait", () => {
  const limited = (seconds: number): Fault => ({
    does: "asks for patience",
    expected: { failures: ["rate-limit"] },
    answer: () => ({
      status: 429,
      headers: { "retry-after": String(seconds), "content-type": "application/json" },
      body: '{"error":{"message":"too many"}}',
    }),
  });

  it("that is long is told once on standard error, with nobody looking", async () => {
    await using server = await modelServer({ script: [{ text: "-" }], faults: [limited(40)] });
    const child = home().start("-p", "Hi", "--model", `${server.baseUrl}#x`);
    let told = "";
    child.stderr?.on("data", (data) => (told += String(data)));
    const end = ended(child);
    await until(() => told.includes("\n"), "a word about the wait");
    child.kill("SIGINT");
    await end;
    expect(told).toMatch(
      /^kumiko: 127\.0\.0\.1:\d+\/x: rate limited, next attempt in (39|40) s \(2 of 10\)\nkumiko: the run was ended/,
    );
  });

  it("that is short is not, and neither is a switch", async () => {
    await using server = await modelServer({ script: [{ text: "Hello." }], faults: [limited(0), "status-401"] });
    const args = ["--model", `${server.baseUrl}#a`, "--fallback", `${server.baseUrl}#b`];
    expect(await home().kumiko("-p", "Hi", ...args)).toEqual({ code: 0, stdout: "Hello.\n", stderr: "" });
    expect(server.asked.map(({ body }) => body["model"])).toEqual(["a", "a", "b"]);
  }, 20_000);
});

describe("an answer to know something of", () => {
  it.each([
    ["refused", { text: "I will not.", stopReason: "refusal" as const }, "the model declined"],
    ["truncated", { text: "On and on", stopReason: "length" as const }, "the answer is cut at the output limit"],
    [
      "unverified",
      { text: '<tool_call>{"name":"file_read","arguments":{"path":"a.txt"}}</tool_call>' },
      "the answer claims calls that were not made",
    ],
  ])("is flagged: %s", async (flag, reply, words) => {
    await using server = await modelServer({ script: () => reply });
    const at = home();
    const args = ["-p", "Hi", "--model", `${server.baseUrl}#x`];
    expect(await at.kumiko(...args)).toMatchObject({ code: 0, stderr: `kumiko: ${words}\n` });
    const json = JSON.parse((await at.kumiko(...args, "--output-format", "json")).stdout);
    expect(json).toMatchObject({ status: "done", flags: [flag], exitCode: 0, usage: expect.anything() });
  });
});
