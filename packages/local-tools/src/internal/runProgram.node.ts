import { spawn } from "node:child_process";
import { errorCode } from "../fileFailure.ts";

const maxMillis = 10_000;

/** What a program gave. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly output: Buffer;
  readonly problem: string;
}

/**
 * Runs a program of the desktop to its end, or ten seconds at most, with a text as its input; undefined: there is no such
 * program. What it leaves running keeps running: that is how clipboards of X11 and Wayland keep their content.
 */
export const runProgram = (
  [program = "", ...args]: ReadonlyArray<string>,
  {
    input = "",
    maxBytes,
    signal,
  }: { readonly input?: string; readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<ProgramEnd | undefined> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], signal, timeout: maxMillis });
    const output: Array<Buffer> = [];
    let length = 0;
    let problem = "";
    child.stdout.on("data", (piece: Buffer) => {
      length += piece.length;
      if (length - piece.length <= maxBytes) output.push(piece);
      else child.kill();
    });
    child.stderr.on("data", (piece: Buffer) => {
      problem = (problem + piece.toString("utf8")).slice(-1000);
    });
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => (errorCode(error) === "ENOENT" ? resolve(undefined) : reject(error)));
    // Not "close": what it left running may hold its output open.
    child.once("exit", (code) => {
      setImmediate(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        resolve({ code, output: Buffer.concat(output), problem: problem.trim() });
      });
    });
    child.stdin.end(input);
  });
