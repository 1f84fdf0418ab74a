import { readlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { constants } from "node:os";
import { PassThrough } from "node:stream";
import type { spawn as spawnTerminal } from "@lydell/node-pty";
import { ToolFailed } from "@kumiko/plugin-api";
import { noShell, type ShellExit, type StartedShell, startFailure } from "./startShell.node.ts";

/** Wide enough that most tables are not wrapped. */
const size = { cols: 120, rows: 40 };

// The terminal's own program is always there; which shell is, it finds out itself.
const chooseShell = 'command -v bash >/dev/null 2>&1 && exec bash -c -- "$1"; exec sh -c -- "$1"';

/**
 * Starts a command as `startShell` does, but with a terminal: both its outputs are one, and it can be typed into. Fails
 * with a `ToolFailed` where the native part that makes terminals is not there.
 */
export const startTerminal = async (
  command: string,
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Promise<StartedShell> => {
  const { spawn } = await load();
  const isThere = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isThere) throw await noShell(cwd);
  try {
    const terminal = spawn("/bin/sh", ["-c", chooseShell, "sh", command], {
      ...size,
      cwd,
      env: environment,
      name: environment["TERM"] ?? "xterm",
      encoding: null,
    });
    const output = new PassThrough();
    terminal.onData((data: string | Uint8Array) => output.write(data));
    let isOver = false;
    const exited = new Promise<ShellExit>((resolve) => {
      terminal.onExit(({ exitCode, signal }) => {
        isOver = true;
        output.end();
        resolve({ code: signal === undefined || signal === 0 ? exitCode : null, signal: signalName(signal) });
      });
    });
    return {
      pid: terminal.pid,
      pipe: terminalOf(terminal.pid),
      exited,
      outputs: [output],
      write: (text) => {
        if (!isOver) terminal.write(text);
      },
    };
  } catch (error) {
    throw startFailure(error);
  }
};

// Loaded when it is first wanted: most runs need no terminal.
const load = async (): Promise<{ readonly spawn: typeof spawnTerminal }> => {
  try {
    return await import("@lydell/node-pty");
  } catch (error) {
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw new ToolFailed({
      kind: "failed",
      detail: `there is no terminal here: its native part, @lydell/node-pty, cannot be loaded (${reason.slice(0, 200)}).`,
      hint: "Run the command without pty, with options that ask nothing (--yes, --batch).",
    });
  }
};

const signalName = (number: number | undefined): NodeJS.Signals | null => {
  for (const [name, value] of Object.entries(constants.signals)) if (value === number && isSignal(name)) return name;
  return null;
};

const isSignal = (name: string): name is NodeJS.Signals => name in constants.signals;

// What `/proc` calls it, where there is one: who writes to it belongs to the command.
const terminalOf = (pid: number): string | undefined => {
  try {
    const name = readlinkSync(`/proc/${pid}/fd/0`);
    return name.startsWith("/dev/pts/") ? name : undefined;
  } catch {
    return undefined;
  }
};
