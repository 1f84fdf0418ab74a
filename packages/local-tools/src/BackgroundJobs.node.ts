import { randomBytes } from "node:crypto";
import { ToolFailed } from "@kumiko/plugin-api";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { type BoundedOutput, makeBoundedOutput } from "./BoundedOutput.ts";
import { makeCommandOutput } from "./commandOutput.ts";
import { type Command, type CommandEnd, runCommand } from "./runCommand.node.ts";

/** Of one session. Workload: a server, a watcher, a build, a few terminals. Symptom: the start fails and says so. */
const maxRunning = 16;
/** Of all sessions of a harness. */
const maxRunningInAll = 64;
/** Jobs that ended and can still be read; the oldest is forgotten first. */
const maxEnded = 64;
/** Characters of output kept until they are read. */
const maxUnreadCharacters = 30_000;
/** Of what was not read, so many characters are looked through for a text that is waited for. */
const maxRecentCharacters = 65_536;

/** A command that runs while the agent goes on. */
export interface Job {
  readonly id: string;
  readonly sessionKey: string;
  readonly command: string;
  readonly hasTerminal: boolean;
  readonly startedMillis: number;
  /** Undefined while it runs. */
  readonly end: () => CommandEnd | undefined;
  /** What it wrote since this was last asked, bounded, with notes. */
  readonly takeOutput: () => { readonly text: string; readonly notes: ReadonlyArray<string> };
  /** Whether a text stands in what was not taken yet. */
  readonly hasWritten: (text: string) => boolean;
  /** Tells of output and of the end, until the function returned is called. */
  readonly onChange: (listener: () => void) => () => void;
  /** Types into its terminal. False: it has none, or has ended. */
  readonly write: (text: string) => boolean;
  /** Ends it with all it started. */
  readonly stop: () => Promise<CommandEnd>;
}

/** What a job is started with. */
export interface JobStart extends Pick<Command, "command" | "cwd" | "environment" | "timeoutMillis"> {
  readonly sessionKey: string;
  readonly hasTerminal: boolean;
}

/** The jobs of a harness, each seen by its own session only. All are ended with the harness. */
export class BackgroundJobs extends Context.Service<
  BackgroundJobs,
  {
    readonly start: (job: JobStart) => Promise<Job>;
    readonly list: (sessionKey: string) => ReadonlyArray<Job>;
    readonly find: (sessionKey: string, id: string) => Job | undefined;
    /** Ends all of them; none starts any more. */
    readonly dispose: () => Promise<void>;
  }
>()("@kumiko/local-tools/BackgroundJobs") {
  static readonly layer = Layer.effect(
    BackgroundJobs,
    Effect.acquireRelease(
      Effect.sync(() => makeBackgroundJobs()),
      (jobs) => Effect.promise(() => jobs.dispose()),
    ),
  );
}

/**
 * Makes a set of jobs; whoever makes it disposes of it.
 *
 * @example
 * ```ts
 * const jobs = makeBackgroundJobs()
 * const { id } = await jobs.start({ command: "sleep 60", cwd: "/", sessionKey: "s", hasTerminal: false })
 * await jobs.dispose()
 * ```
 */
export const makeBackgroundJobs = (): BackgroundJobs["Service"] => {
  const jobs = new Map<string, Job>();
  let isOver = false;
  const running = (): ReadonlyArray<Job> => [...jobs.values()].filter((job) => job.end() === undefined);

  return {
    start: async (wanted) => {
      const now = running();
      const own = now.filter(({ sessionKey }) => sessionKey === wanted.sessionKey);
      if (isOver) throw refused("the harness is ending: nothing is started any more.");
      if (own.length >= maxRunning || now.length >= maxRunningInAll)
        throw refused(`${now.length} jobs run already.`, "Stop one with process, action stop.");
      const job = await startJob(wanted);
      jobs.set(job.id, job);
      if (isOver) await job.stop();
      const ended = [...jobs.values()].filter((other) => other.end() !== undefined);
      for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) jobs.delete(id);
      return job;
    },
    list: (sessionKey) => [...jobs.values()].filter((job) => job.sessionKey === sessionKey),
    find: (sessionKey, id) => {
      const job = jobs.get(id);
      return job?.sessionKey === sessionKey ? job : undefined;
    },
    dispose: async () => {
      isOver = true;
      await Promise.all(running().map((job) => job.stop()));
    },
  };
};

const refused = (detail: string, hint?: string): ToolFailed =>
  new ToolFailed({ kind: "refused", detail, ...(hint === undefined ? {} : { hint }) });

const startJob = async (wanted: JobStart): Promise<Job> => {
  const { command, cwd, environment, hasTerminal, sessionKey, timeoutMillis } = wanted;
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  let unread: BoundedOutput | undefined;
  let recent = "";
  const output = makeCommandOutput((text) => {
    unread ??= makeBoundedOutput(maxUnreadCharacters);
    unread.push(text);
    recent = (recent + text).slice(-maxRecentCharacters);
    changed();
  });
  const started = Promise.withResolvers<((text: string) => void) | undefined>();
  let end: CommandEnd | undefined;
  const over = runCommand(
    {
      command,
      cwd,
      ...(environment === undefined ? {} : { environment }),
      timeoutMillis,
      hasTerminal,
      onOutput: output.push,
      onStart: started.resolve,
    },
    controller.signal,
  ).then((found) => {
    output.end();
    end = found;
    changed();
    return found;
  });
  over.catch(started.reject);
  const write = await started.promise;
  return {
    id: `job-${randomBytes(3).toString("hex")}`,
    sessionKey,
    command,
    hasTerminal,
    startedMillis: performance.now(),
    end: () => end,
    takeOutput: () => {
      const text = unread?.text() ?? "";
      unread = undefined;
      recent = "";
      return { text, notes: text === "" ? [] : output.notes() };
    },
    hasWritten: (text) => recent.includes(text),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    write: (text) => {
      if (write === undefined || end !== undefined) return false;
      write(text);
      return true;
    },
    stop: () => {
      controller.abort();
      return over;
    },
  };
};
