import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { modelServer as faultyServer } from "@kumiko/models/testing";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, ended, folder, modelServer, project, shellLine, start } from "./support.ts";

afterEach(cleanUp);

/** Runs a command with a real terminal; each time its output matches, the answer is typed. */
const inTerminal = (
  args: ReadonlyArray<string>,
  answers: ReadonlyArray<readonly [when: RegExp, typed: string | ((screen: string) => Promise<unknown>)]>,
  home: string = folder(),
  columns = "100",
): Promise<{ readonly code: number | null; readonly screen: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn("script", ["-qec", shellLine(args), "/dev/null"], {
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"],
        HOME: home,
        XDG_STATE_HOME: join(home, "state"),
        TERM: "xterm",
        COLUMNS: columns,
      },
    });
    let screen = "";
    let unseen = "";
    const open = [...answers];
    child.stdout.on("data", (data) => {
      screen += String(data);
      unseen += String(data);
      const [next] = open;
      if (next === undefined || !next[0].test(unseen)) return;
      open.shift();
      unseen = "";
      if (typeof next[1] === "string") child.stdin.write(next[1]);
      else void next[1](screen);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, screen }));
  });

const args = (cwd: string): ReadonlyArray<string> => ["-p", "Collect every TODO comment into issues.md", "--cwd", cwd];

// `script` gives a process a terminal; its options are those of Linux.
describe.runIf(process.platform === "linux")("at a terminal", () => {
  it("says that it is a rehearsal, shows calls, asks before the write with what would be written, and writes on yes", async () => {
    const cwd = project();
    const { code, screen } = await inTerminal(args(cwd), [[/Allow it\?/, "y\r"]]);
    expect(screen).toMatch(/This is a rehearsal/);
    expect(screen).toMatch(/✓ grep/);
    expect(screen).toMatch(/file_write[^]*issues\.md[^]*# Issues[^]*Allow it\?/);
    expect(screen).toMatch(/✓ file_write/);
    expect(code).toBe(0);
    expect(existsSync(join(cwd, "issues.md"))).toBe(true);
  });

  it("says once that a model's window and price are not known", async () => {
    const server = await modelServer(() => ({ content: "Hello." }));
    const { screen } = await inTerminal(["-p", "Hi", "--model", server.model], []);
    server.close();
    expect(screen.match(/the context window and the price of 127\.0\.0\.1:\d+\/test are not known/g)).toHaveLength(1);
  });

  it("counts down to the next attempt, tells a switch, and ends with what it took", async () => {
    await using server = await faultyServer({ script: [{ text: "Hello." }], faults: ["status-529", "status-401"] });
    const [a, b] = [`${server.baseUrl}#a`, `${server.baseUrl}#b`];
    const { code, screen } = await inTerminal(["-p", "Hi", "--model", a, "--fallback", b], []);
    expect(code).toBe(0);
    expect(screen).toMatch(/127\.0\.0\.1:\d+\/a: overloaded, next attempt in 1 s \(2 of 8\)/);
    expect(screen).toMatch(/! asking \S+\/b instead of \S+\/a: /);
    // No price is known, so none is told.
    expect(screen).toMatch(/Hello\.\r\n\S*1 turn, 30 tokens in, 5 out, \d+\.\d s/);
  });

  it("does not write on no, and gives the model the reason", async () => {
    const cwd = project();
    const { code, screen } = await inTerminal(args(cwd), [[/Allow it\?/, "no, because it is Friday\r"]]);
    expect(screen).toMatch(/it is Friday/);
    expect(code).toBe(3);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("shows all of what would be written, and takes neither a slip nor what was typed ahead for an answer", async () => {
    const cwd = project();
    const { code, screen } = await inTerminal(args(cwd), [
      [/This is a rehearsal/, "y\r"],
      [/Allow it\?/, "ok\r"],
      [/Allow it\?/, "v\r"],
      [/Allow it\?/, "n\r"],
    ]);
    expect(screen).toMatch(/more lines: v shows them/);
    expect(screen).toMatch(/src\/web\/index\.html[^]*say how many products/);
    expect(code).toBe(3);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("lets no model steer the terminal, by answer, reason or argument", async () => {
    const cwd = project();
    const parts = join(folder(), "parts.yaml");
    const evil = "\\e[2J\\e]0;owned\\a\\u202e";
    writeFileSync(
      parts,
      `- name: evil\n  when: [evil]\n  steps:\n    - call: { tool: file_write, input: { path: "a${evil}", content: "x${evil}" } }\n    - say: "done ${evil}"\n  otherwise: "no ${evil}"\n`,
    );
    const { screen } = await inTerminal(["-p", "evil", "--rehearsal", parts, "--cwd", cwd], [[/Allow it\?/, "n\r"]]);
    expect(screen).toContain("\\x1b[2J");
    expect(screen).not.toContain("\u001B[2J");
    expect(screen).not.toContain("\u001B]0");
    expect(screen).not.toContain("\u202E");
  });

  it("ends on Ctrl-C at the question: exit 130, nothing written", async () => {
    const cwd = project();
    const { code } = await inTerminal(args(cwd), [[/Allow it\?/, "\u0003"]]);
    expect(code).toBe(130);
    expect(existsSync(join(cwd, "issues.md"))).toBe(false);
  });

  it("takes the question back when somebody answers it elsewhere, and goes on", async () => {
    const cwd = project();
    const dir = folder();
    const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
    const elsewhere = async (): Promise<void> => {
      const list = await ended(start(["sessions", "list", "--cwd", cwd], env));
      const [id = ""] = list.stdout.split(" ");
      await ended(start(["answer", id, "yes"], env));
    };
    const { code, screen } = await inTerminal(args(cwd), [[/Allow it\?/, elsewhere]], dir);
    expect(screen).toMatch(/the question is settled, from elsewhere[^]*✓ file_write/);
    expect(code).toBe(0);
    expect(existsSync(join(cwd, "issues.md"))).toBe(true);
  });

  it("lists sessions within the width of the terminal, says where to go on, and asks before it removes", async () => {
    const cwd = project();
    const dir = folder();
    const denied = await inTerminal(args(cwd), [[/Allow it\?/, "n\r"]], dir);
    expect(denied.screen).toMatch(/session (\d{6}-\d{4}-\w{4}): kumiko --resume \1 -p/);
    const list = await inTerminal(["sessions", "list", "--cwd", cwd], [], dir);
    const [line = ""] = list.screen.trimEnd().split(/\r?\n/);
    expect(line.length).toBeLessThanOrEqual(100);
    const [id = ""] = line.split(" ");
    const slim = await inTerminal(["sessions", "list", "--cwd", cwd], [], dir, "40");
    const [short = ""] = slim.screen.trimEnd().split(/\r?\n/);
    expect(short).toMatch(/^\S+ {2}denied {2}Collect/);
    expect(short.length).toBe(40);
    const kept = await inTerminal(["sessions", "rm", id], [[/for good\?/, "\r"]], dir);
    expect(kept.screen).toMatch(/Nothing was removed/);
    const gone = await inTerminal(["sessions", "rm", id], [[/for good\?/, "y\r"]], dir);
    expect(gone.screen).toMatch(/Removed session/);
  });
});
