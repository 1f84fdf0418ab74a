import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Whose processes are meant: those of one call. */
export interface CallProcesses {
  /** The shell, which leads a session and a process group of its own. */
  readonly root: number;
  /** Stands in the environment of every process of the call, unless it was taken out. */
  readonly token: string;
  /** What the call's output pipe is called in `/proc`, where that is known. */
  readonly pipe: string | undefined;
  /** Processes that were found not to belong, or to have ended: none of them ever will. Filled by looking. */
  readonly foreign: Set<string>;
  readonly foreignNumbers: Set<number>;
  /** How often a process was found to have no environment. Filled by looking. */
  readonly bare: Map<string, number>;
}

/** A process that is just starting a program has no environment for a moment; one that is found so this often has none. */
const bareLooks = 4;
const maxLooks = 8;

/** A call whose processes have not been looked for. */
export const callProcesses = (call: Pick<CallProcesses, "pipe" | "root" | "token">): CallProcesses => ({
  ...call,
  foreign: new Set(),
  foreignNumbers: new Set(),
  bare: new Map(),
});

/** A process that runs: a zombie does not. */
export interface RunningProcess {
  readonly pid: number;
  /** Tells it from a later process with the same number. */
  readonly startTime: string;
  readonly group: number;
  readonly name: string;
}

interface Entry extends RunningProcess {
  readonly parent: number;
  readonly session: number;
  /** False: it has ended, and waits for its parent to notice. */
  readonly isRunning: boolean;
}

/** What was found of a call. */
export interface Look {
  readonly running: ReadonlyArray<RunningProcess>;
  /**
   * Whether nothing can have been missed: a process that ended while it was looked at may have started another one that
   * was not there yet when the list was made.
   */
  readonly isSure: boolean;
}

/**
 * The processes of a call that run, as far as Linux tells: the group and the session of the shell, what carries the
 * call's token, what holds its output pipe, and the descendants, groups and sessions of all these. With `isRecent` only
 * those are looked at that started after the shell by number; enough for a short call. Elsewhere: none.
 */
export const processesOf = (call: CallProcesses, options: { readonly isRecent?: boolean } = {}): Look => {
  let found = lookOnce(call, options);
  // Where much is going on, something always ends while it is looked at; right after it, there is less that is new.
  for (let again = 0; again < maxLooks && !found.isSure && found.running.length === 0; again++)
    found = lookOnce(call, options);
  return found;
};

const lookOnce = (call: CallProcesses, { isRecent = false }: { readonly isRecent?: boolean }): Look => {
  const first = isRecent && lastProcess() >= call.root ? call.root : 0;
  let isSure = true;
  const entries = processNumbers()
    .filter((pid) => pid >= first && pid !== process.pid)
    .flatMap((pid) => {
      const entry = entryOf(pid);
      if (entry?.isRunning === true) return entry;
      const isKnown = entry === undefined ? call.foreignNumbers.has(pid) : call.foreign.has(idOf(entry));
      if (!isKnown) isSure = false;
      if (entry !== undefined) call.foreign.add(idOf(entry));
      return [];
    });
  const found = new Map<number, Entry>();
  for (const entry of entries) {
    const isOurs = belongs(entry, call);
    if (isOurs === true) found.set(entry.pid, entry);
    isSure &&= isOurs !== undefined;
  }
  for (let before = -1; before < found.size;) {
    before = found.size;
    for (const entry of entries)
      if ([entry.parent, entry.session, entry.group].some((pid) => found.has(pid))) found.set(entry.pid, entry);
  }
  return { running: [...found.values()], isSure };
};

/** Tells a process from all others, also from later ones with its number. */
export const idOf = ({ pid, startTime }: RunningProcess): string => `${pid} ${startTime}`;

/** The process, if it still is the same one and runs. */
export const isRunning = ({ pid, startTime }: RunningProcess): boolean => {
  const entry = entryOf(pid);
  return entry?.isRunning === true && entry.startTime === startTime;
};

/** The number of the last process that was started anywhere; 0 where that is not told. */
export const lastProcess = (): number => Number(readOrEmpty("/proc/loadavg").trim().split(" ").at(-1) ?? 0) || 0;

const processNumbers = (): ReadonlyArray<number> => {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

const entryOf = (pid: number): Entry | undefined => {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The name stands in brackets and may hold some itself.
  const nameEnd = stat.lastIndexOf(")");
  const [state = "", parent, group, session, ...more] = stat.slice(nameEnd + 2).split(" ");
  if (nameEnd < 0) return undefined;
  return {
    pid,
    name: stat.slice(stat.indexOf("(") + 1, nameEnd),
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: more[15] ?? "",
    isRunning: state !== "Z" && state !== "X",
  };
};

// Undefined: it cannot be told yet.
const belongs = (entry: Entry, call: CallProcesses): boolean | undefined => {
  const { bare, foreign, foreignNumbers, pipe, root, token } = call;
  const { group, pid, session } = entry;
  if (pid === root || group === root || session === root) return true;
  const id = idOf(entry);
  if (foreign.has(id)) return false;
  const environment = readOrEmpty(`/proc/${pid}/environ`);
  if (environment.includes(token)) return true;
  if (pipe !== undefined && [1, 2].some((fd) => linkOrEmpty(`/proc/${pid}/fd/${fd}`) === pipe)) return true;
  const looks = (bare.get(id) ?? 0) + 1;
  // The kernel's own have neither session nor environment.
  if (environment === "" && session !== 0 && looks < bareLooks) {
    bare.set(id, looks);
    return undefined;
  }
  foreign.add(id);
  foreignNumbers.add(pid);
  return false;
};

// What a process is may be gone at any moment, or not ours to read.
const readOrEmpty = (path: string): string => {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
};

const linkOrEmpty = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
};
