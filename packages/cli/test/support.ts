import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
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

/** A home of its own, for several processes that share their sessions. */
export const home = () => {
  const dir = folder();
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  return {
    env,
    sessions: join(dir, "state", "kumiko", "sessions"),
    start: (...args: ReadonlyArray<string>): ChildProcess => start(args, env),
    kumiko: (...args: ReadonlyArray<string>): Promise<Ended> => ended(start(args, env)),
  };
};

/** What a reply of a model that speaks Chat Completions is made of. */
export type Delta = { readonly content: string } | { readonly tool: string; readonly input: unknown };

/** A model whose n-th reply is `play(n)`, counted from 0; one without an end when there is none. */
export const modelServer = async (play: (n: number, body: string) => Delta | undefined) => {
  let asked = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (data) => (body += String(data)));
    request.on("end", () => {
      const delta = play(asked++, body);
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (delta === undefined) return response.write(": thinking\n\n");
      const said =
        "content" in delta
          ? delta
          : {
              tool_calls: [
                {
                  index: 0,
                  id: `call-${asked}`,
                  type: "function",
                  function: { name: delta.tool, arguments: JSON.stringify(delta.input) },
                },
              ],
            };
      const reason = "content" in delta ? "stop" : "tool_calls";
      for (const choice of [
        { delta: said, finish_reason: null },
        { delta: {}, finish_reason: reason },
      ])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
      return response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    model: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1#test`,
    asked: () => asked,
    close: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** Waits until something is so. */
export const until = async (isSo: () => boolean | Promise<boolean>, what: string): Promise<void> => {
  for (let n = 0; n < 600; n++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came to this: ${what}`);
};
