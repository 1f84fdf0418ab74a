import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, home, modelServer, project, start, until } from "./support.ts";

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  cleanUp();
});
const prompt = "Collect every TODO comment into issues.md";

describe("kumiko answer", () => {
  it("a run that was suspended goes on with the answer of another process, and ends right", async () => {
    const { kumiko } = home();
    const cwd = project();
    const args = ["--cwd", cwd, "--output-format", "json"];
    const first = await kumiko("-p", prompt, "--unattended", "suspend", ...args);
    expect(first.code).toBe(6);
    const { question, sessionKey, status } = JSON.parse(first.stdout);
    expect(status).toBe("suspended");
    expect(question.prompt).toMatch(/file_write .*issues\.md/);

    const shown = await kumiko("answer", sessionKey);
    expect(shown.stdout).toMatch(/1\. file_write[^]*path: issues\.md[^]*# Issues[^]*decided by/);
    const unanswered = await kumiko("--resume", sessionKey);
    expect(unanswered.code).toBe(6);
    expect(unanswered.stderr).toMatch(/waits for an answer/);

    const answered = await kumiko("answer", sessionKey, "yes");
    expect(answered).toMatchObject({ code: 0, stdout: `Approved. kumiko --resume ${sessionKey} goes on.\n` });
    const resumed = await kumiko("--resume", sessionKey, "--output-format", "json");
    expect(resumed.code).toBe(0);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ status: "done", isResumed: true });
    expect(readFileSync(join(cwd, "issues.md"), "utf8")).toMatch(/^# Issues/);

    const late = await kumiko("answer", sessionKey, question.id, "no");
    expect(late.code).toBe(2);
    expect(late.stderr).toMatch(/has been answered already|no open question/);
  });

  it("takes no answer from a command of an agent", async () => {
    const { env, kumiko } = home();
    const args = ["--cwd", project(), "--output-format", "json"];
    const { sessionKey } = JSON.parse((await kumiko("-p", prompt, "--unattended", "suspend", ...args)).stdout);
    const { code, stderr } = await ended(start(["answer", sessionKey, "yes"], { ...env, KUMIKO_CALL: "x" }));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "kumiko: answering a question is a person's to do, and this is a command of an agent\n",
    });
    expect((await kumiko("--resume", sessionKey)).code).toBe(6);
  });

  it("reaches a process that waits, and one that was killed while it waited", async () => {
    const { kumiko, start } = home();
    for (const isKilled of [false, true]) {
      const cwd = project();
      const child = start("-p", prompt, "--unattended", "wait", "--cwd", cwd);
      let said = "";
      child.stderr?.on("data", (data) => (said += String(data)));
      const end = ended(child);
      await until(() => said.includes("waits for an answer"), "a question");
      const [, id = ""] = /kumiko answer (\S+) yes/.exec(said) ?? [];
      if (isKilled) {
        child.kill("SIGKILL");
        await end;
      }
      const { stdout } = await kumiko("answer", id, "no", "not", "today");
      expect(stdout).toMatch(isKilled ? /--resume/ : /it goes on there/);
      const result = isKilled ? await kumiko("--resume", id) : await end;
      expect(result.code).toBe(3);
      expect(result.stdout).toMatch(/not today/);
      expect(existsSync(join(cwd, "issues.md"))).toBe(false);
    }
  });

  it("says of a question that expired that it did", async () => {
    const { kumiko } = home();
    const args = ["--unattended", "suspend", "--question-timeout", "1s", "--output-format", "json"];
    const { stdout } = await kumiko("-p", prompt, "--cwd", project(), ...args);
    const { question, sessionKey } = JSON.parse(stdout);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { code, stderr } = await kumiko("answer", sessionKey, question.id, "yes");
    expect(code).toBe(2);
    expect(stderr).toMatch(/has expired, which counts as a no/);
    expect((await kumiko("-p", "x", "--question-timeout", "soon")).stderr).toMatch(/90s, 15m, 2h, 1d/);
  });
});

describe("two processes and one session", () => {
  it("one writes; the other is refused, and reaches it by send, pause and abort", async () => {
    const { kumiko, start } = home();
    const cwd = folder();
    const bodies: Array<string> = [];
    let isReady = false;
    const server = await modelServer((n, body) => {
      bodies.push(body);
      if (body.includes("never mind")) return { content: "as you like" };
      if (n === 0) return { tool: "file_read", input: { path: "." } };
      return isReady ? { tool: "glob", input: { pattern: `*${n}` } } : undefined;
    });
    closing.push(server.close);
    const args = ["--cwd", cwd, "--model", server.model];
    const child = start("-p", "look around", ...args, "--output-format", "json");
    const end = ended(child);
    await until(() => server.asked() === 2, "a second call of the model");
    const refused = await kumiko("-c", "-p", "me too", ...args);
    expect(refused.code).toBe(7);
    const [, id = ""] = /session (\S+) is in use/.exec(refused.stderr) ?? [];
    expect(refused.stderr).toMatch(/kumiko send .* gives it a message, kumiko abort .* ends its run/);
    expect((await kumiko("--resume", id)).code).toBe(7);

    isReady = true;
    const sent = await kumiko("send", id, "and then?", "--follow-up");
    expect(sent.stdout).toMatch(/it gets a run of its own/);
    const aborted = await kumiko("abort", id, "enough", "of", "it");
    expect(aborted.stdout).toMatch(/its run is being ended/);
    const { code, stdout } = await end;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({ status: "aborted", reason: expect.stringMatching(/enough of it/) });
  });

  it("what is sent to a run under way reaches it, or gets a run of its own in the same process", async () => {
    const { kumiko, start } = home();
    const cwd = folder();
    const bodies: Array<string> = [];
    let isSent = false;
    const server = await modelServer((n, body) => {
      bodies.push(body);
      if (n === 0) return { tool: "bash", input: { command: "until test -e go; do sleep 0.1; done" } };
      return { content: `answer ${n}` };
    });
    closing.push(server.close);
    const args = ["--cwd", cwd, "--model", server.model, "--mode", "auto", "--allow", "*"];
    const end = ended(start("-p", "look around", ...args));
    await until(async () => {
      if (isSent || server.asked() === 0) return isSent;
      const { stdout } = await kumiko("sessions", "list", "--cwd", cwd);
      const [id = ""] = stdout.split(" ");
      if (id === "") return false;
      expect((await kumiko("send", id, "leave the tests out")).stdout).toMatch(/sees it before its next model call/);
      expect((await kumiko("send", id, "then commit", "--follow-up")).code).toBe(0);
      writeFileSync(join(cwd, "go"), "");
      isSent = true;
      return true;
    }, "a session to send to");
    const { code, stdout } = await end;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "answer 1\nanswer 2\n" });
    expect(bodies[1]).toContain("leave the tests out");
    expect(bodies[1]).not.toContain("then commit");
    expect(bodies[2]).toContain("then commit");
  });

  it("an abort that nobody hears yet ends the run at the next resume", async () => {
    const { kumiko } = home();
    const cwd = project();
    const { stdout } = await kumiko("-p", prompt, "--cwd", cwd, "--unattended", "suspend", "--output-format", "json");
    const { sessionKey } = JSON.parse(stdout);
    const { stdout: said } = await kumiko("abort", sessionKey);
    expect(said).toMatch(/no process runs it[^]*ends it instead of going on/);
    const { code } = await kumiko("--resume", sessionKey, "--mode", "accept-edits");
    expect(code).toBe(130);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
    expect((await kumiko("abort", sessionKey)).stdout).toMatch(/there is nothing to abort/);
  });

  it("a message that nobody hears yet is answered at the next resume, also with nothing else to do", async () => {
    const { kumiko } = home();
    const { stdout } = await kumiko("-p", "hello", "--output-format", "json");
    const { sessionKey } = JSON.parse(stdout);
    expect((await kumiko("send", sessionKey, "hello")).stdout).toMatch(/no process has the session open/);
    expect((await kumiko("--resume", sessionKey)).stdout).toMatch(/^Hello!/);
    expect((await kumiko("--resume", sessionKey)).stderr).toMatch(/nothing unfinished/);
    expect((await kumiko("send", sessionKey, " ")).code).toBe(2);
  });

  it("a pause holds a session until it is ended", async () => {
    const { kumiko, start } = home();
    const { stdout } = await kumiko("-p", "hello", "--output-format", "json");
    const { sessionKey } = JSON.parse(stdout);
    await kumiko("pause", sessionKey);
    const child = start("--resume", sessionKey, "-p", "hello");
    const end = ended(child);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(child.exitCode).toBeNull();
    expect((await kumiko("unpause", sessionKey)).stdout).toMatch(/goes on/);
    expect(await end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Hello!/) });
  });
});
