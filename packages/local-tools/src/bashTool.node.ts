import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import type { BackgroundJobs, Job } from "./BackgroundJobs.node.ts";
import { type BoundedOutput, makeBoundedOutput } from "./BoundedOutput.ts";
import { commandOutcome, shownDuration } from "./commandOutcome.ts";
import { makeCommandOutput } from "./commandOutput.ts";
import { abortable } from "./internal/abortable.ts";
import { type Command, type CommandEnd, runCommand } from "./runCommand.node.ts";

const defaultTimeoutMillis = 120_000;
const maxTimeoutMillis = 600_000;
/** Time to end what ignores SIGTERM, and to say so, before the kernel's own timeout of the call. */
const spareMillis = 10_000;
/** Characters of output that a result holds. Workload: a failing test run. Symptom: a cut in the middle, with its size. */
const maxOutputCharacters = 30_000;
/** What a person is shown at once while the command runs, and how often. */
const maxProgressCharacters = 8_000;
const progressMillis = 100;

const Input = Schema.Struct({
  command: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(65_536)).annotate({
    description: "Shell command, run by bash -c in the working folder.",
  }),
  timeoutMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTimeoutMillis })).annotate({
      description: `Ended after this long. Default ${defaultTimeoutMillis} (in the background: never), at most ${maxTimeoutMillis}.`,
    }),
  ),
  background: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Return at once with the id of a job; see process." }),
  ),
  pty: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "With a terminal, for programs that need one; not by default." }),
  ),
});

/** How {@link bashTool} is set up. */
export interface BashOptions {
  /** Variables on top of those commands get. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where commands run in the background; without it, none do. */
  readonly jobs?: BackgroundJobs["Service"];
}

/**
 * The tool `bash`: one shell command in the run's folder. Input is empty, there is no terminal unless asked for; the
 * output comes back with the exit code. Everything the command started is ended when it ends, times out or is
 * interrupted. A folder or a variable that it changes does not last. With `background` it becomes a job, whose id comes
 * back at once.
 *
 * @example
 * ```ts
 * const tool = bashTool({ environment: { CI: "1" } })
 * ```
 */
export const bashTool = ({ environment = {}, jobs }: BashOptions = {}): Tool =>
  defineTool({
    name: "bash",
    description:
      "Runs a shell command in the working folder. Shows its output (both kinds, in order; long ones cut in the middle), " +
      "exit code and duration. Every call starts anew: cd and variables do not last. Input is empty. Processes that it " +
      "leaves are ended with it: use background for servers and the like.",
    input: Input,
    risk: "remote-write",
    recovery: "ask",
    timeoutMillis: maxTimeoutMillis + spareMillis,
    command: ({ command }) => command,
    execute: ({ background = false, command, pty = false, timeoutMillis }, { cwd, progress, sessionKey }) =>
      abortable(
        async (signal) => {
          requireRunnable(command);
          const wanted = { command, cwd, environment, hasTerminal: pty };
          if (!background) return foreground(wanted, timeoutMillis ?? defaultTimeoutMillis, progress, signal);
          if (jobs === undefined) throw noJobs();
          const job = await jobs.start({ ...wanted, timeoutMillis, sessionKey });
          // An interrupted call leaves nothing behind that nobody knows of.
          if (signal.aborted) await job.stop();
          return started(job);
        },
        { waits: true },
      ),
  });

const noJobs = (): ToolFailed =>
  new ToolFailed({ kind: "refused", detail: "there are no background jobs here.", hint: "Run it without background." });

const foreground = async (
  command: Omit<Command, "onOutput">,
  timeoutMillis: number,
  progress: (text: string) => void,
  signal: AbortSignal,
): Promise<string> => {
  const output = makeBoundedOutput(maxOutputCharacters);
  const live = throttled(progress);
  const reader = makeCommandOutput((text) => {
    output.push(text);
    live.push(text);
  });
  try {
    const end = await runCommand({ ...command, timeoutMillis, onOutput: reader.push }, signal);
    reader.end();
    return resultText(output, reader.notes(), end, timeoutMillis);
  } finally {
    live.end();
  }
};

const requireRunnable = (command: string): void => {
  const problem = command.includes("\0") ? "a NUL character" : command.isWellFormed() ? undefined : "half a character";
  if (problem !== undefined)
    throw new ToolFailed({
      kind: "validation",
      detail: `the command holds ${problem}, which no shell can be given.`,
      hint: "Use an escape of the shell, such as $'\\x00' for printf.",
    });
};

const throttled = (
  progress: (text: string) => void,
): { readonly push: (text: string) => void; readonly end: () => void } => {
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const send = (): void => {
    timer = undefined;
    if (pending !== "") progress(pending);
    pending = "";
  };
  return {
    push: (text) => {
      pending = (pending + text).slice(-maxProgressCharacters);
      timer ??= setTimeout(send, progressMillis);
    },
    end: () => {
      clearTimeout(timer);
      send();
    },
  };
};

const resultText = (
  output: BoundedOutput,
  notes: ReadonlyArray<string>,
  end: CommandEnd,
  timeoutMillis: number,
): string => {
  const text = output.text().replace(/\n$/, "");
  const outcome = commandOutcome(end, `timed out after ${shownDuration(timeoutMillis)}`);
  return [text === "" ? "(no output)" : text, ...notes, ...outcome].join("\n");
};

const started = ({ hasTerminal, id }: Job): string =>
  `${id} runs in the background. process reads its output, waits for it${hasTerminal ? ", types into it" : ""} and stops it; it ends with the session's program at the latest.`;
