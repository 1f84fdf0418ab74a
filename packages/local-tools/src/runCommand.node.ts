import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { commandEnvironment } from "./commandEnvironment.node.ts";
import { endProcesses, type Ended, isGroupThere } from "./internal/endProcesses.node.ts";
import { guard, guardShell, unguard } from "./internal/guardian.node.ts";
import { type CallProcesses, callProcesses, lastProcess, processesOf } from "./internal/processesOf.node.ts";
import { type ShellExit, startShell } from "./internal/startShell.node.ts";
import { startTerminal } from "./internal/startTerminal.node.ts";

/** After the shell has ended: what was written is read, but a child that keeps the pipe open is not waited for. */
const drainMillis = 200;
/** A call that took less than this is looked after the quick way. */
const shortMillis = 5000;

/** A command to run. */
export interface Command {
  readonly command: string;
  readonly cwd: string;
  /** Absent: as long as it takes. */
  readonly timeoutMillis?: number | undefined;
  /** Whether it gets a terminal. */
  readonly hasTerminal?: boolean;
  /** Variables on top of those every command gets. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets the bytes of each of its outputs as they come. */
  readonly onOutput: (bytes: Buffer, output: number) => void;
  /** Told once it runs; types into its terminal, where it has one. */
  readonly onStart?: (write: ((text: string) => void) | undefined) => void;
}

/** What became of a command. */
export interface CommandEnd {
  /** Undefined: it was ended by the timeout or the abort. */
  readonly exit: ShellExit | undefined;
  readonly durationMillis: number;
  /** What still ran when the shell had ended, or was ended with it. */
  readonly rest: Ended;
}

/**
 * Runs a shell command to its end, the timeout or the abort. Nothing that it started is alive afterwards: neither
 * processes that left its group nor those that ignore SIGTERM. Fails with a `ToolFailed` where it cannot be started.
 *
 * @example
 * ```ts
 * const command = { command: "exit 3", cwd: "/", timeoutMillis: 60_000, onOutput: () => undefined }
 * const { exit } = await runCommand(command, new AbortController().signal)
 * exit // => { code: 3, signal: null }
 * ```
 */
export const runCommand = async (
  { command, cwd, environment = {}, hasTerminal = false, onOutput, onStart, timeoutMillis }: Command,
  signal: AbortSignal,
): Promise<CommandEnd> => {
  signal.throwIfAborted();
  const token = randomBytes(16).toString("hex");
  const start = performance.now();
  const added = hasTerminal ? { TERM: "xterm", ...environment } : environment;
  const place = { cwd, environment: commandEnvironment(process.env, cwd, token, added) };
  guard(token);
  const shell = await (hasTerminal ? startTerminal : startShell)(command, place).catch((error: unknown) => {
    unguard(token);
    throw error;
  });
  guardShell(token, shell.pid);
  const call = callProcesses({ root: shell.pid, token, pipe: shell.pipe });
  const closed = Promise.all(shell.outputs.map((output, index) => reading(output, (bytes) => onOutput(bytes, index))));
  const stop = stopping(signal, timeoutMillis);
  onStart?.(shell.write);
  try {
    const exit = await Promise.race([shell.exited, stop.reached]);
    const durationMillis = performance.now() - start;
    if (exit !== undefined) await within(drainMillis, [closed, stop.reached]);
    const rest =
      exit === undefined || isAnyLeft(call, durationMillis) ? await endProcesses(call) : { ended: [], left: [] };
    await within(drainMillis, [closed]);
    return { exit, durationMillis, rest };
  } finally {
    stop.forget();
    unguard(token);
    for (const output of shell.outputs) output.destroy();
  }
};

// Resolves when everything was read, whether the output ended or broke.
const reading = (output: Readable, onBytes: (bytes: Buffer) => void): Promise<void> =>
  new Promise((resolve) => {
    output.on("data", onBytes);
    output.on("error", () => resolve());
    output.on("close", () => resolve());
  });

// The first of these, but no longer than that.
const within = async (millis: number, promises: ReadonlyArray<Promise<unknown>>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis);
  });
  await Promise.race([...promises, over]);
  clearTimeout(timer);
};

const stopping = (signal: AbortSignal, timeoutMillis: number | undefined) => {
  let forget = (): void => undefined;
  const reached = new Promise<undefined>((resolve) => {
    const stop = (): void => resolve(undefined);
    const timer = timeoutMillis === undefined ? undefined : setTimeout(stop, timeoutMillis);
    signal.addEventListener("abort", stop);
    // It may have come while the shell was being started.
    if (signal.aborted) stop();
    forget = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
  });
  return { reached, forget: () => forget() };
};

// Most commands start no process that outlives them, and many none at all.
const isAnyLeft = (call: CallProcesses, durationMillis: number): boolean => {
  if (isGroupThere(call.root)) return true;
  if (lastProcess() === call.root) return false;
  const { isSure, running } = processesOf(call, { isRecent: durationMillis < shortMillis });
  return !isSure || running.length > 0;
};
