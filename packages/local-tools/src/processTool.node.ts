import { defineTool, type Risk, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import type { BackgroundJobs, Job } from "./BackgroundJobs.node.ts";
import { commandOutcome, shownDuration } from "./commandOutcome.ts";
import { abortable } from "./internal/abortable.ts";
import { portLines, systemLines } from "./systemProcesses.node.ts";

const defaultWaitMillis = 30_000;
const maxWaitMillis = 600_000;
const spareMillis = 10_000;
/** What was typed is answered within this, or not at once. */
const answerMillis = 2000;
/** An answer is taken for complete when nothing came for so long. */
const quietMillis = 150;
const maxCommandCharacters = 200;

const Input = Schema.Struct({
  action: Schema.Literals(["list", "read", "wait", "write", "stop", "system", "ports"]).annotate({
    description:
      "Jobs: list; read what one wrote since it was last read; wait until it ends, or writes text; write text into its " +
      "terminal (\\n is Enter, \\u0003 is Ctrl-C); stop it. The machine: system processes, listening ports.",
  }),
  job: Schema.optionalKey(Schema.String.annotate({ description: "Id that bash gave, for read, wait, write, stop." })),
  text: Schema.optionalKey(
    Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4096)).annotate({
      description: "What to wait for, or to write.",
    }),
  ),
  timeoutMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxWaitMillis })).annotate({
      description: `For wait. Default ${defaultWaitMillis}.`,
    }),
  ),
});
type Input = typeof Input.Type;

const riskOf = ({ action }: Input): Risk =>
  // What is typed may be anything that the program in the terminal can be told to do: no analysis says less.
  action === "write" ? "irreversible" : action === "stop" ? "local-write" : "read";

/**
 * The tool `process`: looks after what `bash` runs in the background, and says what else runs on the machine. What is
 * typed into a terminal is put before the gate as the command it may be, and is never allowed without being asked about.
 */
export const processTool = (jobs: BackgroundJobs["Service"]): Tool =>
  defineTool({
    name: "process",
    description: "Looks after jobs that bash runs in the background: lists, reads, waits, types, stops.",
    input: Input,
    risk: riskOf,
    timeoutMillis: maxWaitMillis + spareMillis,
    command: ({ action, text }) => (action === "write" ? text : undefined),
    execute: (input, { sessionKey }) => {
      const { action, text, timeoutMillis = defaultWaitMillis } = input;
      return abortable(async (signal) => {
        if (action === "list") return listText(jobs.list(sessionKey));
        if (action === "system") return systemLines();
        if (action === "ports") return portLines();
        const job = jobOf(jobs, sessionKey, input);
        switch (action) {
          case "read":
            return report(job);
          case "wait":
            await settled(job, timeoutMillis, signal, text);
            return report(job, waited(job, timeoutMillis, text));
          case "write":
            return typed(job, text, signal);
          case "stop":
            await job.stop();
            return report(job);
        }
      });
    },
  });

const jobOf = (jobs: BackgroundJobs["Service"], sessionKey: string, { action, job }: Input): Job => {
  if (job === undefined)
    throw new ToolFailed({ kind: "validation", detail: `${action} needs the id of a job.`, hint: "See action list." });
  const found = jobs.find(sessionKey, job);
  if (found !== undefined) return found;
  throw new ToolFailed({
    kind: "validation",
    detail: `this session has no job ${JSON.stringify(job.slice(0, 64))}.`,
    hint: "See action list. Jobs end with the program that started them.",
  });
};

const listText = (jobs: ReadonlyArray<Job>): string =>
  jobs.length === 0 ? "(no jobs)" : jobs.map((job) => `${job.id}  ${stateOf(job)}  ${shortCommand(job)}`).join("\n");

const stateOf = (job: Job): string => {
  const end = job.end();
  if (end === undefined) return `running for ${shownDuration(performance.now() - job.startedMillis)}`;
  const { exit } = end;
  return exit === undefined ? "stopped" : exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`;
};

const shortCommand = ({ command }: Job): string => {
  const shown = JSON.stringify(command).slice(1, -1);
  return shown.length > maxCommandCharacters ? `${shown.slice(0, maxCommandCharacters)}…` : shown;
};

const report = (job: Job, why?: string): string => {
  const { notes, text } = job.takeOutput();
  const end = job.end();
  return [
    text === "" ? "(no new output)" : text.replace(/\n$/, ""),
    ...notes,
    ...(why === undefined ? [] : [why]),
    ...(end === undefined ? [`(${stateOf(job)})`] : commandOutcome(end, "stopped")),
  ].join("\n");
};

const waited = (job: Job, timeoutMillis: number, text: string | undefined): string | undefined => {
  if (text !== undefined && job.hasWritten(text)) return "(the text that was waited for has come)";
  if (job.end() !== undefined) return undefined;
  return `(waited ${shownDuration(timeoutMillis)} in vain: it still runs${text === undefined ? "" : ", and has not written the text"})`;
};

// Until the job has ended or has written the text, the time is over, or the call is interrupted.
const settled = (job: Job, millis: number, signal: AbortSignal, text?: string): Promise<void> =>
  waiting(job, millis, signal, () => job.end() !== undefined || (text !== undefined && job.hasWritten(text)));

const waiting = (job: Job, millis: number, signal: AbortSignal, isDone: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      forget();
      signal.removeEventListener("abort", finish);
      resolve();
    };
    const look = (): void => {
      if (isDone()) finish();
    };
    const timer = setTimeout(finish, millis);
    const forget = job.onChange(look);
    signal.addEventListener("abort", finish);
    if (signal.aborted) finish();
    else look();
  });

const typed = async (job: Job, text: string | undefined, signal: AbortSignal): Promise<string> => {
  if (text === undefined) throw new ToolFailed({ kind: "validation", detail: "write needs a text." });
  if (job.end() !== undefined)
    throw new ToolFailed({ kind: "failed", detail: `${job.id} has ended: nothing was written.` });
  if (!job.write(text))
    throw new ToolFailed({
      kind: "refused",
      detail: `${job.id} has no terminal; its input is empty.`,
      hint: "Start it with pty: true.",
    });
  let isAnswered = false;
  const forget = job.onChange(() => {
    isAnswered = true;
  });
  await waiting(job, answerMillis, signal, () => isAnswered);
  forget();
  // The rest of the answer: until it is quiet, within the same bound.
  for (let left = answerMillis; isAnswered && left > 0 && job.end() === undefined; left -= quietMillis) {
    isAnswered = false;
    const again = job.onChange(() => {
      isAnswered = true;
    });
    await waiting(job, quietMillis, signal, () => false);
    again();
  }
  return report(job);
};
