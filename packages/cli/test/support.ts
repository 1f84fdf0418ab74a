import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
const examples = fileURLToPath(new URL("../../../examples/todo-project", import.meta.url));
const made: Array<string> = [];

/** A folder of its own for a test, removed by `cleanUp`. */
export const folder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), "kumiko-cli-"));
  made.push(dir);
  return dir;
};

/** The example project, copied, without a report. */
export const project = (): string => {
  const dir = folder();
  cpSync(examples, dir, { recursive: true });
  rmSync(join(dir, "issues.md"), { force: true });
  return dir;
};

export const cleanUp = (): void => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line from its sources, with a home and state folder of its own. */
export const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): ChildProcess => {
  const home = folder();
  return spawn(process.execPath, ["-C", "@kumiko/source", main, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: home, XDG_STATE_HOME: join(home, "state"), ...env },
  });
};

/** Waits for the end of a process, giving it `input` to read. */
export const ended = (child: ChildProcess, input = ""): Promise<Ended> =>
  new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout?.on("data", (data) => (stdout += String(data)));
    child.stderr?.on("data", (data) => (stderr += String(data)));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });

export const kumiko = (...args: ReadonlyArray<string>): Promise<Ended> => ended(start(args));

/** A command for `script`, which gives it a terminal: quoted for sh. */
export const shellLine = (args: ReadonlyArray<string>): string =>
  [process.execPath, "-C", "@kumiko/source", main, ...args].map((arg) => `'${arg.replaceAll("'", "'\\''")}'`).join(" ");
