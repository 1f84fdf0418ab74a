import type { Harness } from "@kumiko/core-loop";
import * as Effect from "effect/Effect";
import { askInTerminal } from "./askInTerminal.ts";
import { BadInput } from "./BadInput.ts";
import { type Settings, checkCommandLine } from "./checkCommandLine.ts";
import { checkRules } from "./checkRules.ts";
import { unknownFigures } from "./chooseModels.ts";
import type { CommandLine } from "./command.ts";
import { endingOf, spentLine } from "./endingOf.ts";
import { exitCodeOf, exitCodes } from "./exitCodes.ts";
import { makeHarness } from "./makeHarness.ts";
import { messageOf } from "./messageOf.ts";
import { Output } from "./Output.ts";
import { playRuns } from "./playRuns.ts";
import { oneLine } from "./printable.ts";
import { type Progress, progressTo } from "./progress.ts";
import { type EndedRun, RunView } from "./RunView.ts";
import type { SessionInUse } from "./SessionInUse.ts";
import { dim } from "./terminal.ts";
import { fork } from "./sessions/forkSession.ts";

/**
 * `kumiko -p`, `--continue`, `--resume`, `--fork`: goes on with a session or begins one, prints the answer, and sets the
 * exit code. Fails before anything ran.
 */
export const printMode = (line: CommandLine): Effect.Effect<void, BadInput | SessionInUse> =>
  Effect.gen(function* () {
    const settings = yield* checkCommandLine(line);
    const isRehearsal = settings.models[0].isRehearsal === true;
    const progress = process.stderr.isTTY ? progressTo(process.stderr, { isRehearsal }) : undefined;
    const harness = yield* Effect.try({
      try: () => makeHarness(settings, settings.isAttended ? askInTerminal(progress) : undefined),
      // A rule or an option that no package can work with.
      catch: (error) => new BadInput({ detail: messageOf(error) }),
    });
    yield* checkRules(settings, harness);
    const { from, id } = settings.session;
    const head = from === undefined ? settings.session.head : yield* fork(from, id, settings.session.directory);
    // What a fork has of its past is no news.
    yield* run({ ...settings, session: { ...settings.session, head } }, harness, progress);
  });

const run = Effect.fnUntraced(function* (
  settings: Settings,
  harness: Harness,
  progress: Progress | undefined,
): Effect.fn.Return<void, BadInput | SessionInUse> {
  const output = new Output(process.stdout);
  const controller = new AbortController();
  const interrupt = (): void => {
    // The first one ends the run in good order; who presses again wants out.
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
  };
  for (const signal of endings) process.on(signal, interrupt);
  void output.closed.then(() => controller.abort());

  const startedAt = performance.now();
  const view = new RunView(settings, output, progress);
  for (const notice of settings.notices) view.note(notice);
  // For people only: a script has no use for it.
  const unknown = progress === undefined ? undefined : unknownFigures(settings.models[0]);
  if (unknown !== undefined) view.note(unknown);
  yield* Effect.ensuring(
    playRuns(settings, harness, view, controller.signal),
    Effect.promise(async () => {
      progress?.clear();
      await harness.dispose();
    }),
  );
  yield* conclude(settings, view, output, Math.round(performance.now() - startedAt));
  for (const signal of endings) process.off(signal, interrupt);
});

/** What asks a program to end: Ctrl-C, a supervisor, a terminal that is closed. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const conclude = Effect.fnUntraced(function* (
  settings: Settings,
  view: RunView,
  output: Output,
  durationMillis: number,
): Effect.fn.Return<void> {
  const { outputFormat, session } = settings;
  const { id, type } = session;
  const last = view.ended.at(-1);
  const exitCode = last === undefined ? exitCodes.success : exitCodeOf(last.outcome.status);
  const made = { schemaVersion: 1, type: "session", sessionKey: id, status: type === "fork" ? "forked" : "idle" };
  const result =
    last === undefined
      ? { ...made, exitCode }
      : {
          schemaVersion: 1,
          type: "result",
          ...resultOf(last),
          sessionKey: id,
          ...(view.ended.length > 1 ? { earlier: view.ended.slice(0, -1).map(resultOf) } : {}),
          durationMillis,
          exitCode,
        };
  yield* Effect.promise(async () => {
    if (outputFormat === "json") await output.push(`${JSON.stringify(result)}\n`);
    else if (last === undefined && type === "fork" && outputFormat === "text") await output.push(`${id}\n`);
    await output.flush();
  });
  if (outputFormat === "text" && !output.isClosed) {
    if (last === undefined) {
      if (type === "goOn")
        say(`session ${id} has nothing unfinished. Give it something to do: kumiko --resume ${id} -p "…"`);
    } else for (const line of yield* endingOf(last, settings, view.isBeforePrompt)) say(line);
    const spent = process.stderr.isTTY ? spentLine(view, durationMillis) : undefined;
    if (spent !== undefined) process.stderr.write(`${dim(spent, process.stderr)}\n`);
  }
  process.exitCode = output.isClosed ? exitCodes.outputClosed : exitCode;
});

const resultOf = ({ outcome, questions, runId, start }: EndedRun) => ({
  ...outcome,
  model: start?.model,
  isRehearsal: start?.isRehearsal,
  runId,
  ...(start?.isResumed === undefined ? {} : { isResumed: start.isResumed }),
  ...(start?.repair === undefined ? {} : { repair: start.repair }),
  ...(outcome.status === "suspended" && questions.length > 0 ? { question: questions.at(-1) } : {}),
});

const say = (text: string): void => void process.stderr.write(`kumiko: ${oneLine(text, 2_000)}\n`);
