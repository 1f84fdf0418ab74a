import { readdirSync, readFileSync } from "node:fs";

export interface MarkedProcess {
  readonly pid: number;
  /** Number and arguments. */
  readonly text: string;
}

/**
 * The processes that run and have a text in their environment or their arguments, found in the plainest way. A zombie
 * has neither.
 */
export const processesWith = (text: string): ReadonlyArray<MarkedProcess> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "latin1");
        const isIt = command.includes(text) || readFileSync(`/proc/${pid}/environ`, "latin1").includes(text);
        if (!isIt || command === "") return [];
        return [{ pid: Number(pid), text: `${pid} ${command.replaceAll("\0", " ").slice(0, 200)}` }];
      } catch {
        return [];
      }
    });

/** Kills processes that a test started; how many there were. */
export const killAll = (processes: ReadonlyArray<MarkedProcess>): number => {
  for (const { pid } of processes) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  return processes.length;
};
