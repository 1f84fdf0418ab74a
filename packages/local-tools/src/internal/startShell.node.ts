import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { stat } from "node:fs/promises";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode, fileFailure } from "../fileFailure.ts";
import { shownPath } from "./shownPath.ts";
import { type OutputPipe, takePipe } from "./outputPipe.node.ts";

/** A command that has been started. */
export interface StartedShell {
  readonly pid: number;
  /** What `/proc` calls the output pipe. */
  readonly pipe: string | undefined;
  /** What it writes: one stream in which both kinds of output stand in their order, or two where there is no pipe. */
  readonly outputs: ReadonlyArray<Readable>;
  readonly exited: Promise<ShellExit>;
  /** Types a text, where there is a terminal. */
  readonly write?: (text: string) => void;
}

/** How the shell itself ended: by an exit code, or by a signal. */
export interface ShellExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * Starts a command by `bash -c`, or `sh -c` where there is no bash: in a session and a process group of its own, without
 * a terminal, its input empty. Fails with a `ToolFailed` where it cannot be started.
 */
export const startShell = async (
  command: string,
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Promise<StartedShell> => {
  const pipe = await takePipe();
  try {
    for (const shell of ["bash", "sh"]) {
      const started = await tryShell(shell, command, cwd, environment, pipe);
      if (started !== undefined) return started;
    }
    throw await noShell(cwd);
  } catch (error) {
    if (pipe !== undefined) closeSync(pipe.readEnd);
    throw startFailure(error);
  } finally {
    if (pipe !== undefined) closeSync(pipe.writeEnd);
  }
};

// Undefined: there is no such shell, or no such folder.
const tryShell = async (
  shell: string,
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  pipe: OutputPipe | undefined,
): Promise<StartedShell | undefined> => {
  const output = pipe?.writeEnd ?? "pipe";
  // After "--" a command that begins with a dash is still a command.
  const child = spawn(shell, ["-c", "--", command], { cwd, env, detached: true, stdio: ["ignore", output, output] });
  const exited = new Promise<ShellExit>((resolve) => child.once("exit", (code, signal) => resolve({ code, signal })));
  const error = await new Promise<Error | undefined>((resolve) => {
    child.once("spawn", () => resolve(undefined));
    child.once("error", resolve);
  });
  if (errorCode(error) === "ENOENT") return undefined;
  if (error !== undefined || child.pid === undefined) throw error ?? new Error("the process has no number");
  return { pid: child.pid, pipe: pipe?.name, exited, outputs: outputsOf(child, pipe) };
};

const outputsOf = (child: ChildProcess, pipe: OutputPipe | undefined): ReadonlyArray<Readable> => {
  if (pipe !== undefined) return [new Socket({ fd: pipe.readEnd, readable: true, writable: false })];
  return [child.stdout, child.stderr].filter((stream) => stream !== null);
};

/** Why no shell could be started in a folder. */
export const noShell = async (cwd: string): Promise<ToolFailed> => {
  try {
    if ((await stat(cwd)).isDirectory())
      return new ToolFailed({
        kind: "failed",
        detail: "this machine has neither bash nor sh.",
        hint: "Do without commands.",
      });
  } catch {
    // It is gone, as is said below.
  }
  return new ToolFailed({
    kind: "failed",
    detail: `${shownPath(cwd)}: the working folder is not there any more (ENOENT).`,
    hint: "Nothing can run in it; tell the user.",
  });
};

/** The failure of starting a command, in words. */
export const startFailure = (error: unknown): ToolFailed =>
  errorCode(error) === "E2BIG"
    ? new ToolFailed({
        kind: "validation",
        detail: "the command is too long for the operating system (E2BIG).",
        hint: "Write it to a file with file_write, then run that.",
      })
    : fileFailure(error);
