import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, home, modelServer, project, until } from "./support.ts";

const closing: Array<() => void> = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  cleanUp();
});
const serving = async (play: Parameters<typeof modelServer>[0]) => {
  const server = await modelServer(play);
  closing.push(server.close);
  return server;
};
const prompt = "Collect every TODO comment into issues.md";
const suspending = ["-p", prompt, "--unattended", "suspend", "--output-format", "json"];

describe("a session is kept", () => {
  it("under an id that can be typed, in a folder that is the user's alone", async () => {
    const { kumiko, sessions } = home();
    const { stdout } = await kumiko("-p", "hello", "--output-format", "json");
    const { sessionKey } = JSON.parse(stdout);
    expect(sessionKey).toMatch(/^\d{6}-\d{4}-[a-z2-9]{4}$/);
    expect(readdirSync(sessions)).toContain(`${sessionKey}.db`);
    expect(statSync(sessions).mode & 0o777).toBe(0o700);
  });

  it("and not with --no-session", async () => {
    const { kumiko, sessions } = home();
    expect((await kumiko("-p", "hello", "--no-session")).code).toBe(0);
    expect(existsSync(sessions)).toBe(false);
    const { code, stderr } = await kumiko("-p", "hello", "--no-session", "--unattended", "suspend");
    expect(code).toBe(2);
    expect(stderr).toMatch(/leave out --no-session/);
  });

  it("goes on after kill -9 in the middle of a run: nothing runs twice, the answer comes", async () => {
    const { kumiko, start } = home();
    const cwd = folder();
    let isBack = false;
    const server = await serving((n) => {
      if (n === 0) return { tool: "file_write", input: { path: "a.txt", content: "one" } };
      return isBack ? { content: "written" } : undefined;
    });
    const args = ["--cwd", cwd, "--model", server.model, "--mode", "accept-edits"];
    const child = start("-p", "write it", ...args);
    const end = ended(child);
    await until(() => server.asked() === 2, "a second call of the model");
    child.kill("SIGKILL");
    await end;
    isBack = true;
    writeFileSync(join(cwd, "a.txt"), "changed since");
    const { code, stderr, stdout } = await kumiko("-c", ...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "written\n" });
    expect(stderr).toMatch(/goes on with what was left unfinished/);
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("changed since");
    const again = await kumiko("-c", ...args);
    expect(again).toMatchObject({ code: 0, stdout: "", stderr: expect.stringMatching(/has nothing unfinished/) });
  });

  it("goes on first with what is unfinished, then with the prompt, whose answer alone is on standard output", async () => {
    const { kumiko } = home();
    const cwd = project();
    expect((await kumiko(...suspending, "--cwd", cwd)).code).toBe(6);
    const { code, stderr, stdout } = await kumiko("-c", "-p", "hello", "--cwd", cwd, "--unattended", "deny");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Hello!/);
    expect(stderr).toMatch(/could not finish the report/);
    expect(stderr).toMatch(/the run ended because/);
  });

  it("shows a damaged file that was mended", async () => {
    const { kumiko, sessions } = home();
    const first = await kumiko("-p", "hello", "--output-format", "json");
    const { sessionKey } = JSON.parse(first.stdout);
    const file = join(sessions, `${sessionKey}.db`);
    const bytes = readFileSync(file);
    const at = bytes.indexOf("message.accepted");
    bytes.write("X", at + bytes.subarray(at).indexOf("hello"));
    writeFileSync(file, bytes);
    const { code, stderr } = await kumiko("--resume", sessionKey, "-p", "hello");
    expect(`${code} ${stderr}`).toMatch(/^0 [^]*damaged[^]*mended|^2 [^]*damaged/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe("-c, --resume and --fork", () => {
  it("-c takes the latest session of this folder, and says where there is none", async () => {
    const { kumiko } = home();
    const [a, b] = [folder(), folder()];
    const ids: Array<string> = [];
    for (const cwd of [a, a, b])
      ids.push(JSON.parse((await kumiko("-p", "hello", "--cwd", cwd, "--output-format", "json")).stdout).sessionKey);
    const { stdout } = await kumiko("-c", "-p", "hello", "--cwd", a, "--output-format", "json");
    expect(JSON.parse(stdout).sessionKey).toBe(ids[1]);
    const none = await kumiko("-c", "-p", "hello", "--cwd", folder());
    expect(none.code).toBe(2);
    expect(none.stderr).toMatch(/there is no session of .* to continue/);
  });

  it("--resume takes a beginning or the last letters, and knows what was meant", async () => {
    const { kumiko } = home();
    const { sessionKey } = JSON.parse((await kumiko("-p", "hello", "--output-format", "json")).stdout);
    for (const part of [sessionKey.slice(0, 9), sessionKey.slice(-4)])
      expect((await kumiko("--resume", part)).stderr).toContain(`session ${sessionKey} has nothing unfinished`);
    const { code, stderr } = await kumiko("--resume", `${sessionKey.slice(0, -1)}a`);
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean ${sessionKey}?`);
  });

  it.each([
    ["a path", "../x"],
    ["nothing", ""],
    ["control characters", "\u001B[2J\n\u0007"],
    ["5 000 characters", "x".repeat(5_000)],
  ])("an id that is %s is no session, and harmless", async (_name, id) => {
    const { kumiko } = home();
    await kumiko("-p", "hello");
    for (const args of [
      ["--resume", id],
      ["--fork", id],
      ["answer", id],
      ["send", id, "x"],
      ["abort", id],
    ]) {
      const { code, stderr } = await kumiko(...args);
      expect({ args: args[0], code }).toEqual({ args: args[0], code: 2 });
      expect(stderr).toMatch(/there is no session|is empty/);
      expect(stderr.length).toBeLessThan(400);
      // oxlint-disable-next-line no-control-regex -- control characters are the point
      expect(stderr).not.toMatch(/[\u001B\u0007]/);
    }
  });

  it("--fork begins a session with the same past, and leaves the other as it is", async () => {
    const { kumiko } = home();
    const cwd = folder();
    const bodies: Array<string> = [];
    const server = await serving((n, body) => {
      bodies.push(body);
      return { content: `answer ${n}` };
    });
    const args = ["--cwd", cwd, "--model", server.model, "--output-format", "json"];
    const { sessionKey } = JSON.parse((await kumiko("-p", "what was said first", ...args)).stdout);
    const fork = JSON.parse((await kumiko("--fork", sessionKey, "-p", "and then", ...args)).stdout);
    expect(fork.sessionKey).not.toBe(sessionKey);
    // What it has of its past is no answer of today.
    expect(fork).toMatchObject({ text: "answer 1", status: "done" });
    expect(fork).not.toHaveProperty("earlier");
    expect(bodies[1]).toMatch(/what was said first[^]*answer 0[^]*and then/);
    await kumiko("--resume", sessionKey, "-p", "elsewhere", ...args);
    expect(bodies[2]).toContain("answer 0");
    expect(bodies[2]).not.toContain("and then");
  });

  it("works where the session worked; a folder that is gone is named", async () => {
    const { kumiko } = home();
    const cwd = project();
    const { sessionKey } = JSON.parse((await kumiko("-p", "hello", "--cwd", cwd, "--output-format", "json")).stdout);
    const args = ["--resume", sessionKey, "-p", prompt, "--mode", "accept-edits"];
    const { code, stderr } = await kumiko(...args);
    expect(code).toBe(0);
    expect(stderr).toContain(`works in ${cwd}, as before`);
    expect(existsSync(join(cwd, "issues.md"))).toBe(true);
    rmSync(cwd, { recursive: true });
    const gone = await kumiko(...args);
    expect(gone.code).toBe(2);
    expect(gone.stderr).toContain(`worked in ${cwd}, which is not there any more. Say where it is to go on: --cwd`);
    expect((await kumiko(...args, "--cwd", project())).code).toBe(0);
  });

  it("exclude one another", async () => {
    const { code, stderr } = await home().kumiko("-c", "--resume", "x", "-p", "y");
    expect(code).toBe(2);
    expect(stderr).toMatch(/exclude one another/);
  });
});

describe("where sessions cannot be kept", () => {
  const blocked = (): string => {
    const file = join(folder(), "file");
    writeFileSync(file, "");
    return file;
  };
  const readOnly = (): string => {
    const dir = join(folder(), "ro");
    mkdirSync(dir);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "none", dir]);
    closing.push(() => void execFileSync("umount", [dir]));
    return dir;
  };
  const said = /sessions cannot be kept in .*\. Set XDG_STATE_HOME to a folder that can be written, or .* --no-session/;
  const trying = async (state: string) => {
    const { ended: wait, start } = await import("./support.ts");
    const log = join(folder(), "audit.jsonl");
    return wait(start(["-p", "hello", "--audit-log", log], { XDG_STATE_HOME: state }));
  };

  it("says so, and what to do: exit 2, nothing run", async () => {
    const { code, stderr } = await trying(blocked());
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });

  it.runIf(process.platform === "linux" && process.getuid?.() === 0)("on a full and on a read-only disk", async () => {
    const dir = readOnly();
    writeFileSync(join(dir, "filler"), Buffer.alloc(40_000));
    const full = await trying(dir);
    expect(full.code).toBe(2);
    expect(full.stderr).toMatch(said);
    execFileSync("mount", ["-o", "remount,ro", dir]);
    const { code, stderr } = await trying(dir);
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });
});
