import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../fileFailure.ts";
import {
  type CallProcesses,
  idOf,
  isRunning,
  type Look,
  processesOf,
  type RunningProcess,
} from "./processesOf.node.ts";

/** What a program is given to tidy up after SIGTERM. */
const graceMillis = 1000;
/** What the kernel is given to end what was killed; a process in an uninterruptible wait stays longer. */
const killMillis = 900;
const pollMillis = 10;
/** Looks in a row without a pause: processes that start others while they are ended are outrun. */
const quickRounds = 20;

/** What became of the processes of a call. */
export interface Ended {
  /** All that were found running, the shell excepted. */
  readonly ended: ReadonlyArray<RunningProcess>;
  /** Those that could not be ended: they hang in the operating system. */
  readonly left: ReadonlyArray<RunningProcess>;
}

/** Ends all processes of a call: SIGTERM, and SIGKILL after a second to those that do not mind. Never fails. */
export const endProcesses = async (call: CallProcesses): Promise<Ended> => {
  const seen = new Map<string, RunningProcess>();
  const look = (): Look => {
    // What was seen once is remembered: its parents may be gone by now, and with them the trace that leads to it.
    const remembered = [...seen.values()].filter(isRunning);
    const { isSure, running } = processesOf(call);
    for (const found of running) seen.set(idOf(found), found);
    const traced = new Set(running.map(idOf));
    return { running: [...running, ...remembered.filter((process) => !traced.has(idOf(process)))], isSure };
  };
  const { running } = look();
  signalAll(call, running, "SIGTERM");
  // A stopped process would not get the signal.
  signalAll(call, running, "SIGCONT");
  let left = await untilGone(call, look, graceMillis, () => undefined);
  const kill = (found: ReadonlyArray<RunningProcess>): void => signalAll(call, found, "SIGKILL");
  for (let round = 0; round < quickRounds && !isOver(call, left); round++) {
    kill(left.running);
    left = look();
  }
  if (!isOver(call, left)) left = await untilGone(call, look, killMillis, kill);
  return { ended: [...seen.values()].filter(({ pid }) => pid !== call.root), left: left.running };
};

const isOver = ({ root }: CallProcesses, { isSure, running }: Look): boolean =>
  isSure && running.length === 0 && !isGroupThere(root);

/** Kills the group of a shell at once, without looking for what left it: for a process that is about to exit. */
export const killGroup = (root: number): void => signal(-root, "SIGKILL");

/** Whether the group of a shell has members; asked where the system has no `/proc` to tell what runs. */
export const isGroupThere = (root: number): boolean => {
  if (process.platform === "linux") return false;
  try {
    process.kill(-root, 0);
    return true;
  } catch {
    return false;
  }
};

const untilGone = async (
  call: CallProcesses,
  look: () => Look,
  millis: number,
  again: (left: ReadonlyArray<RunningProcess>) => void,
): Promise<Look> => {
  const until = performance.now() + millis;
  for (;;) {
    const start = performance.now();
    const found = look();
    if (isOver(call, found) || start >= until) return found;
    again(found.running);
    // Where thousands of processes run, looking takes its time: it must not take all of it.
    await sleep(Math.max(pollMillis, 3 * (performance.now() - start)));
  }
};

const signalAll = ({ root }: CallProcesses, running: ReadonlyArray<RunningProcess>, name: NodeJS.Signals): void => {
  // The group as a whole, so that none of it starts another one in between; but never the number of a group that is gone.
  if (running.some(({ group }) => group === root) || isGroupThere(root)) signal(-root, name);
  for (const { group, pid } of running) if (group !== root) signal(pid, name);
};

const signal = (target: number, name: NodeJS.Signals): void => {
  try {
    process.kill(target, name);
  } catch (error) {
    // Gone meanwhile, or it belongs to another user by now.
    if (!["ESRCH", "EPERM"].includes(errorCode(error))) throw error;
  }
};
