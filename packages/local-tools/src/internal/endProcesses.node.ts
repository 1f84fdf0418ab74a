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
/** How long to look without a pause for processes that are not stopped yet. */
const freezeMillis = 100;

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
  const signalled = (name: NodeJS.Signals): Promise<Look> => {
    const caught = freeze(call, look);
    signalAll(call, caught, name);
    // A stopped process would not act on it.
    if (name === "SIGTERM") signalAll(call, caught, "SIGCONT");
    return untilGone(
      call,
      look,
      () => [...seen.values()].some(isRunning),
      name === "SIGTERM" ? graceMillis : killMillis,
    );
  };
  let left = await signalled("SIGTERM");
  const until = performance.now() + killMillis;
  while (!isOver(call, left) && performance.now() < until) left = await signalled("SIGKILL");
  return { ended: [...seen.values()].filter(({ pid }) => pid !== call.root), left: left.running };
};

// Stops all of them where they are, until there are no new ones: while they run, one might start another that leaves no
// trace once its parent has ended.
const freeze = (call: CallProcesses, look: () => Look): ReadonlyArray<RunningProcess> => {
  const stopped = new Set<string>();
  const start = performance.now();
  let found = look();
  // Twice nothing new is enough: right after the first time, whoever could have started something is stopped.
  for (let quiet = 0; quiet < 2 && performance.now() - start < freezeMillis;) {
    const fresh = found.running.filter((process) => !stopped.has(idOf(process)));
    quiet = fresh.length > 0 ? 0 : found.isSure ? 2 : quiet + 1;
    signalAll(call, fresh, "SIGSTOP");
    for (const process of fresh) stopped.add(idOf(process));
    if (quiet < 2) found = look();
  }
  return found.running;
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

// Looks for all of them only when those that are known are gone: looking has its price where thousands run.
const untilGone = async (
  call: CallProcesses,
  look: () => Look,
  isAnyKnown: () => boolean,
  millis: number,
): Promise<Look> => {
  const until = performance.now() + millis;
  while ((isAnyKnown() || isGroupThere(call.root)) && performance.now() < until) await sleep(pollMillis);
  return look();
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
