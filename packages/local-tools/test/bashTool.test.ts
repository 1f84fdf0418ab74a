import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { bashTool } from "../src/bashTool.node.ts";
import { withheldVariables } from "../src/commandEnvironment.node.ts";
import { processesWith } from "./processesWith.ts";
import { callOf, failureOf, newSession, run, tempFolder } from "./runTool.ts";

const folder = await tempFolder();
afterAll(() => folder[Symbol.asyncDispose]());
afterEach(() => {
  vi.unstubAllEnvs();
});
const bash = async (command: string, timeoutMillis = 20_000): Promise<string> =>
  // How long it took is not what these tests are about.
  (await run(bashTool(), { command, timeoutMillis }, folder.path)).replace(/, [\d.]+ (ms|s|min \d+ s)\)$/, ")");

describe("bash", () => {
  it("shows output of both kinds in order, and the exit code", async () => {
    expect(await bash("echo one; echo two >&2; echo three; exit 3")).toBe("one\ntwo\nthree\n(exit code 3)");
    expect(await bash("true")).toBe("(no output)\n(exit code 0)");
    expect(await bash("printf 'no line break'")).toBe("no line break\n(exit code 0)");
    expect(await bash("kill -SEGV $$")).toBe("(no output)\n(ended by SIGSEGV)");
    expect(await bash("no-such-program")).toMatch(/not found\n\(exit code 127\)/);
    expect(await run(bashTool(), { command: "true" }, folder.path)).toMatch(/^\(no output\)\n\(exit code 0, \d+ ms\)$/);
  });

  it("is Bash, and takes a command that begins with a dash for a command", async () => {
    expect(await bash("a=(1 2 3); [[ ${#a[@]} == 3 ]] && echo $BASH_VERSION")).toMatch(/^\d+\./);
    expect(await bash("-c 'echo x'")).toMatch(/-c: command not found/);
  });

  it("runs in the run's folder, anew each time", async () => {
    mkdirSync(folder.at("sub"), { recursive: true });
    expect(await bash("cd sub && pwd && x=1 && echo $PWD")).toBe(
      `${folder.at("sub")}\n${folder.at("sub")}\n(exit code 0)`,
    );
    expect(await bash('pwd; echo "x=$x"; echo $PWD')).toBe(`${folder.path}\nx=\n${folder.path}\n(exit code 0)`);
  });

  it("has an empty input and no terminal", async () => {
    expect(await bash('cat; read -r line; echo "read: $?"')).toBe("read: 1\n(exit code 0)");
    expect(await bash("tty; cat </dev/tty")).toMatch(/not a tty\n[^]*\/dev\/tty[^]*\(exit code 1\)/);
    expect(
      await bash("sudo -K; ssh-add -l </dev/null; python3 -c 'import getpass; getpass.getpass()'", 10_000),
    ).toContain("exit code");
  });

  it("lets commands open their output again by name", async () => {
    expect(await bash("echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr; echo d > /dev/fd/1")).toBe(
      "a\nb\nc\nc\nd\n(exit code 0)",
    );
  });

  it("shows the beginning and the end of long output, and says what is missing", async () => {
    const text = await bash("seq 1 100000");
    expect(text.length).toBeLessThan(31_000);
    expect(text).toMatch(/^1\n2\n3\n/);
    expect(text).toMatch(/\n99999\n100000\n\(exit code 0\)$/);
    const [, characters, lines] = /\n\(cut: (\d+) characters, (\d+) lines\)\n/.exec(text) ?? [];
    const shown = text.replace(/\(cut:.*\n/, "").replace(/\(exit code 0\)$/, "");
    expect(shown.length + Number(characters)).toBe(588_895);
    expect(shown.split("\n").length - 1 + Number(lines)).toBe(100_000);
  });

  it("keeps 100 MB of output, with line breaks or without, out of memory", async () => {
    for (const command of [
      "yes | head -c 100000000",
      "head -c 100000000 /dev/zero | tr '\\0' x",
      "head -c 20000000 /dev/urandom",
    ]) {
      const before = process.memoryUsage().heapUsed;
      const text = await bash(command, 60_000);
      expect(text.length).toBeLessThan(31_000);
      expect(text).toMatch(/\(cut: \d+ characters, \d+ lines\)/);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(90_000_000);
    }
  });

  it("shows what is no text safely, and says so", async () => {
    expect(await bash("printf 'a\\0b\\x07c\\n'")).toMatch(/^a␀b␇c\n\(not all of it is text/);
    expect(await bash("printf 'caf\\xe9\\n'")).toMatch(/^caf\ufffd\n\(not all of it is text/);
    expect(await bash("printf 'ü語😀'")).toBe("ü語😀\n(exit code 0)");
    // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
    expect(await bash("head -c 5000 /dev/urandom")).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });

  it("gives characters whole, however slowly their bytes come", async () => {
    expect(await bash("for byte in '\\xf0' '\\x9f' '\\x98' '\\x80'; do printf $byte; sleep 0.02; done")).toBe(
      "😀\n(exit code 0)",
    );
  });

  it("leaves out colours, and of lines that are written over all but the last state", async () => {
    expect(await bash("printf '\\033[1;31mred\\033[0m \\033]0;title\\007text\\n'")).toBe("red text\n(exit code 0)");
    expect(await bash("printf '10%%\\r50%%\\r100%%\\ndone\\r\\n'")).toBe(
      "100%\ndone\n(of lines written over by carriage returns, only the last state is shown)\n(exit code 0)",
    );
  });

  it("gives programs an environment without colours, pagers, prompts and keys of model providers", async () => {
    for (const name of withheldVariables) vi.stubEnv(name, `secret-${name}`);
    vi.stubEnv("openai_api_key", "secret-too");
    vi.stubEnv("STRIPE_API_KEY", "not-a-provider");
    vi.stubEnv("FORCE_COLOR", "1");
    vi.stubEnv("OLDPWD", "/elsewhere");
    const environment = await bash("env");
    for (const line of [
      "NO_COLOR=1",
      "TERM=dumb",
      "GIT_TERMINAL_PROMPT=0",
      "PAGER=cat",
      "STRIPE_API_KEY=not-a-provider",
    ])
      expect(environment.split("\n")).toContain(line);
    expect(environment).not.toMatch(/secret-|FORCE_COLOR|OLDPWD/);
    expect(environment).toMatch(/^KUMIKO_CALL=[0-9a-f]{32}$/m);
    expect(withheldVariables).toContain("ANTHROPIC_API_KEY");
    expect(await run(bashTool({ environment: { CI: "1" } }), { command: "echo $CI" }, folder.path)).toMatch(/^1\n/);
  });

  it("belongs to an outer call as well when this program runs inside of one", async () => {
    vi.stubEnv("KUMIKO_CALL", "outer");
    expect(await bash("echo $KUMIKO_CALL")).toMatch(/^outer,[0-9a-f]{32}\n/);
  });

  it("ends what takes too long, also what ignores SIGTERM, and shows what came until then", async () => {
    expect(await bash("echo begun; sleep 300", 1000)).toBe(
      "begun\n(timed out after 1.0 s: it was ended, with all it had started)",
    );
    expect(await bash("trap '' TERM; echo begun; sleep 300; sleep 300", 1000)).toMatch(/^begun\n\(timed out/);
    expect(await bash("trap 'echo tidied; exit' TERM; sleep 300 & wait", 1000)).toMatch(/^tidied\n\(timed out/);
  });

  it("stops at once when it is interrupted, also while the shell is being started", async () => {
    for (let millis = 0; millis < 12; millis++) {
      const fiber = Effect.runFork(callOf(bashTool(), { command: `sleep 300 # early-${process.pid}` }, folder.path));
      await new Promise((resolve) => setTimeout(resolve, millis));
      await Effect.runPromise(Fiber.interrupt(fiber));
      expect(processesWith(`early-${process.pid}`)).toEqual([]);
    }
  });

  it("does not wait for a child that keeps the output open, ends it, and says so", async () => {
    expect(await bash("sleep 300 & sleep 0.3; echo started")).toMatch(
      /^started\n\(still running in the background when the command ended, and ended with it: sleep \d+\)\n\(exit code 0\)$/,
    );
    expect(
      await bash("for i in 1 2 3 4 5 6 7; do setsid sleep 300 >/dev/null 2>&1 & done; sleep 0.3; echo started"),
    ).toMatch(/ended with it: (sleep \d+, ){5}2 more\)/);
  });

  it("ends when the shell ends, not when it closes its output", async () => {
    expect(await bash("exec >&- 2>&-; sleep 0.2; exit 4")).toBe("(no output)\n(exit code 4)");
  });

  it("waits for what is still in the pipe", async () => {
    expect(await bash("head -c 60000 /dev/zero | tr '\\0' x; echo end")).toMatch(/cut: 30004 characters[^]*xend\n/);
  });

  it("says why a command cannot be started", async () => {
    const gone = folder.at("gone");
    mkdirSync(gone);
    rmSync(gone, { recursive: true });
    expect((await failureOf(bashTool(), { command: "true" }, gone)).message).toMatch(/working folder is not there/);
    expect((await failureOf(bashTool(), { command: "echo a\0b" }, folder.path)).message).toContain("NUL");
    expect(await failureOf(bashTool(), { command: "echo \ud800" }, folder.path)).toMatchObject({ kind: "validation" });
    const long = `: ${"語".repeat(65_500)}`;
    expect((await failureOf(bashTool(), { command: long }, folder.path)).message).toMatch(/too long[^]*E2BIG/);
    const file = folder.at("file");
    writeFileSync(file, "");
    expect((await failureOf(bashTool(), { command: "true" }, file)).message).toMatch(/not a folder|working folder/);
  });

  it("does without bash where there is only sh", async () => {
    mkdirSync(folder.at("bin"), { recursive: true });
    symlinkSync("/bin/sh", folder.at("bin/sh"));
    vi.stubEnv("PATH", folder.at("bin"));
    expect(await bash('echo "$0"')).toBe("sh\n(exit code 0)");
    vi.stubEnv("PATH", folder.at("nowhere"));
    expect((await failureOf(bashTool(), { command: "true" }, folder.path)).message).toContain("neither bash nor sh");
  });

  it("leaves no open descriptor, whatever became of the command", async () => {
    const open = () => readdirSync("/proc/self/fd").length;
    const some = async () => {
      await bash("true");
      await bash("sleep 300 & true");
      await bash("sleep 300", 50);
      await failureOf(bashTool(), { command: "true" }, folder.at("nowhere"));
    };
    // Four calls use up one batch of pipes.
    await some();
    const before = open();
    for (let at = 0; at < 4; at++) await some();
    expect(open()).toBe(before);
  });

  it("shows people what comes while it runs, bounded", async () => {
    const seen: Array<string> = [];
    const session = { ...newSession(), progress: (text: string) => void seen.push(text) };
    await Effect.runPromise(
      callOf(bashTool(), { command: "echo one; sleep 0.3; echo two; seq 1 100000" }, folder.path, session),
    );
    expect(seen[0]).toBe("one\n");
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.join("")).toMatch(/100000\n$/);
    for (const text of seen) expect(text.length).toBeLessThanOrEqual(8000);
  });

  it("declares the command, and that nobody can tell after a crash whether it ran", () => {
    expect(Result.getOrThrow(bashTool().inspect({ command: "ls" }, folder.path))).toMatchObject({
      risk: "remote-write",
      command: "ls",
      recovery: "ask",
      resources: [],
    });
    expect(bashTool().timeoutMillis).toBeGreaterThan(600_000);
    for (const input of [{ command: "" }, { command: "ls", timeoutMillis: 600_001 }, { command: "ls", cwd: "/" }])
      expect(Result.isFailure(bashTool().inspect(input, folder.path))).toBe(true);
  });

  it("ends running commands when this process exits", async () => {
    const mark = `kumiko-exit-${process.pid}`;
    const script = `
      import { bashTool } from ${JSON.stringify(new URL("../src/bashTool.node.ts", import.meta.url).href)};
      import { callOf } from ${JSON.stringify(new URL("./runTool.ts", import.meta.url).href)};
      import * as Effect from "effect/Effect";
      Effect.runFork(callOf(bashTool(), { command: "sleep 300 & sleep 300 # ${mark}" }, "/"));
      setTimeout(() => process.exit(0), 300);
    `;
    const cwd = new URL("..", import.meta.url);
    execFileSync(process.execPath, ["-C", "@kumiko/source", "--input-type=module", "-e", script], { cwd });
    expect(processesWith(mark)).toEqual([]);
  });
});
