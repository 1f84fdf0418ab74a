import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { type BoundedOutput, makeBoundedOutput } from "./BoundedOutput.ts";
import { abortable } from "./internal/abortable.ts";
import { type CommandEnd, runCommand } from "./runCommand.node.ts";
import { makeTerminalText } from "./TerminalText.ts";

const defaultTimeoutMillis = 120_000;
const maxTimeoutMillis = 600_000;
/** Time to end what ignores SIGTERM, and to say so, before the kernel's own timeout of the call. */
const spareMillis = 10_000;
/** Characters of output that a result holds. Workload: a failing test run. Symptom: a cut in the middle, with its size. */
const maxOutputCharacters = 30_000;
/** What a person is shown at once while the command runs, and how often. */
const maxProgressCharacters = 8_000;
const progressMillis = 100;
const maxNames = 5;

const Input = Schema.Struct({
  command: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(65_536)).annotate({
    description: "Shell command, run by bash -c in the working folder.",
  }),
  timeoutMillis: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxTimeoutMillis })).annotate({
      description: `Ended after this long. Default ${defaultTimeoutMillis}, at most ${maxTimeoutMillis}.`,
    }),
  ),
});

/**
 * The tool `bash`: one shell command in the run's folder. Input is empty, there is no terminal; the output comes back
 * with the exit code. Everything the command started is ended when it ends, times out or is interrupted. A folder or a
 * variable that it changes does not last. `environment` adds variables to those commands get.
 *
 * @example
 * ```ts
 * const tool = bashTool({ environment: { CI: "1" } })
 * ```
 */
export const bashTool = ({
  environment = {},
}: { readonly environment?: Readonly<Record<string, string>> } = {}): Tool =>
  defineTool({
    name: "bash",
    description:
      "Runs a shell command in the working folder. Shows its output (both kinds, in order; long ones cut in the middle), " +
      "exit code and duration. Every call starts anew: cd and variables do not last. Input is empty, there is no terminal. " +
      "Processes left in the background are ended with the command.",
    input: Input,
    risk: "remote-write",
    recovery: "ask",
    timeoutMillis: maxTimeoutMillis + spareMillis,
    command: ({ command }) => command,
    execute: ({ command, timeoutMillis = defaultTimeoutMillis }, { cwd, progress }) =>
      abortable(
        async (signal) => {
          requireRunnable(command);
          const output = makeBoundedOutput(maxOutputCharacters);
          const live = throttled(progress);
          const reader = outputReader((text) => {
            output.push(text);
            live.push(text);
          });
          try {
            const end = await runCommand({ command, cwd, environment, timeoutMillis, onOutput: reader.push }, signal);
            reader.end();
            return resultText(output, reader.notes(), end, timeoutMillis);
          } finally {
            live.end();
          }
        },
        { waits: true },
      ),
  });

const requireRunnable = (command: string): void => {
  const problem = command.includes("\0") ? "a NUL character" : command.isWellFormed() ? undefined : "half a character";
  if (problem !== undefined)
    throw new ToolFailed({
      kind: "validation",
      detail: `the command holds ${problem}, which no shell can be given.`,
      hint: "Use an escape of the shell, such as $'\\x00' for printf.",
    });
};

interface OutputReader {
  readonly push: (bytes: Buffer, output: number) => void;
  readonly end: () => void;
  readonly notes: () => ReadonlyArray<string>;
}

// Bytes to text: each output on its own, so that no character of one is cut by the other.
const outputReader = (onText: (text: string) => void): OutputReader => {
  const parts = [0, 1].map(() => ({
    decoder: new TextDecoder("utf-8", { ignoreBOM: true }),
    terminal: makeTerminalText(),
  }));
  let isUnreadable = false;
  const push = (text: string): void => {
    if (text === "") return;
    isUnreadable ||= /[\u2400\ufffd]/.test(text);
    onText(text);
  };
  return {
    push: (bytes, output) => {
      const part = parts[output];
      if (part !== undefined) push(part.terminal.push(part.decoder.decode(bytes, { stream: true })));
    },
    end: () => {
      for (const { decoder, terminal } of parts) push(terminal.push(decoder.decode()) + terminal.end());
    },
    notes: () => [
      ...(isUnreadable ? ["(not all of it is text: NUL is shown as \u2400, what is not UTF-8 as \ufffd)"] : []),
      ...(parts.some(({ terminal }) => terminal.hasOverwritten())
        ? ["(of lines written over by carriage returns, only the last state is shown)"]
        : []),
    ],
  };
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
  { durationMillis, exit, rest }: CommandEnd,
  timeoutMillis: number,
): string => {
  const text = output.text().replace(/\n$/, "");
  const outcome =
    exit === undefined
      ? `timed out after ${shownDuration(timeoutMillis)}: it was ended, with all it had started`
      : `${exit.signal === null ? `exit code ${exit.code}` : `ended by ${exit.signal}`}, ${shownDuration(durationMillis)}`;
  return [
    text === "" ? "(no output)" : text,
    ...notes,
    ...(exit === undefined || rest.ended.length === 0
      ? []
      : [`(still running in the background when the command ended, and ended with it: ${namesOf(rest.ended)})`]),
    ...(rest.left.length === 0 ? [] : [`(could not be ended, the operating system holds it: ${namesOf(rest.left)})`]),
    `(${outcome})`,
  ].join("\n");
};

const namesOf = (processes: CommandEnd["rest"]["ended"]): string => {
  const shown = processes.slice(0, maxNames).map(({ name, pid }) => `${JSON.stringify(name).slice(1, -1)} ${pid}`);
  const more = processes.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
};

const shownDuration = (millis: number): string => {
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
};
