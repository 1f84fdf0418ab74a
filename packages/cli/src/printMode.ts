import type { Harness } from "@kumiko/core-loop";
import type { RunEvent, RunOutcome } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { askInTerminal } from "./askInTerminal.ts";
import { BadInput } from "./BadInput.ts";
import { type Settings, checkCommandLine } from "./checkCommandLine.ts";
import type { CommandLine } from "./command.ts";
import { exitCodeOf, exitCodes } from "./exitCodes.ts";
import { makeHarness } from "./makeHarness.ts";
import { Output } from "./Output.ts";
import { oneLine, printable } from "./printable.ts";
import { type Progress, progressTo } from "./progress.ts";

/** `kumiko -p`: runs one prompt, prints the answer, and sets the exit code. Fails before anything ran. */
export const printMode = (line: CommandLine): Effect.Effect<void, BadInput> =>
  Effect.gen(function* () {
    const settings = yield* checkCommandLine(line);
    const isRehearsal = settings.model.isRehearsal === true;
    const progress = process.stderr.isTTY ? progressTo(process.stderr, { isRehearsal }) : undefined;
    const isAttended = process.stdin.isTTY && process.stderr.isTTY;
    const harness = yield* Effect.try({
      try: () => makeHarness(settings, isAttended ? askInTerminal(progress) : undefined),
      // A rule or an option that no package can work with.
      catch: (error) => new BadInput({ detail: error instanceof Error ? error.message : String(error) }),
    });
    yield* checkRules(settings, harness);
    yield* Effect.promise(() => run(settings, harness, progress));
  });

// A rule without brackets is about commands; one that is the name of a tool would match nothing, and protect nothing.
const checkRules = ({ allow, deny }: Settings, harness: Harness): Effect.Effect<void, BadInput> =>
  Effect.gen(function* () {
    const rules = [...allow, ...deny];
    if (rules.length === 0) return;
    const parts = yield* Effect.tryPromise({
      try: () => harness.promptReport(),
      catch: (error) => new BadInput({ detail: error instanceof Error ? error.message : String(error) }),
    });
    const tools = new Set(parts.flatMap(({ id, kind }) => (kind === "tool" ? [id] : [])));
    const mistaken = rules.find((rule) => tools.has(rule.trim()));
    if (mistaken !== undefined)
      return yield* new BadInput({
        detail: `the rule ${JSON.stringify(mistaken)} is about a command of that name; write "tool:${mistaken}" for the tool, or "${mistaken}(…)" for some of its calls`,
      });
  });

const run = async (
  { outputFormat, prompt }: Settings,
  harness: Harness,
  progress: Progress | undefined,
): Promise<void> => {
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
  let outcome: RunOutcome | undefined;
  let start: (RunEvent & { readonly type: "lifecycle.start" }) | undefined;
  try {
    for await (const event of harness.stream(prompt, { signal: controller.signal })) {
      progress?.show(event);
      if (progress === undefined && event.type === "plugin.failed" && outputFormat !== "stream-json")
        process.stderr.write(`kumiko: a plugin failed at ${event.point}: ${oneLine(event.detail, 2_000)}\n`);
      if (outputFormat === "stream-json") await output.push(`${JSON.stringify(event)}\n`);
      if (event.type === "lifecycle.start") start = event;
      if (event.type === "lifecycle.end" || event.type === "lifecycle.error") outcome = event.outcome;
    }
  } finally {
    progress?.clear();
    await harness.dispose();
  }
  if (outcome === undefined) throw new Error("the run ended without an outcome");

  const exitCode = exitCodeOf(outcome.status);
  if (outputFormat === "json")
    await output.push(
      `${JSON.stringify({
        schemaVersion: 1,
        type: "result",
        ...outcome,
        model: start?.model,
        isRehearsal: start?.isRehearsal,
        runId: start?.runId,
        sessionKey: start?.sessionKey,
        durationMillis: Math.round(performance.now() - startedAt),
        exitCode,
      })}\n`,
    );
  // What an interrupted model said last is no answer.
  else if (outputFormat === "text" && outcome.text !== "" && outcome.status !== "aborted")
    await output.push(`${process.stdout.isTTY ? printable(outcome.text.trimEnd()) : outcome.text.trimEnd()}\n`);
  await output.flush();
  if (outputFormat === "text" && outcome.reason !== undefined && !output.isClosed)
    process.stderr.write(`kumiko: ${oneLine(endOf(outcome), 2_000)}\n`);
  process.exitCode = output.isClosed ? exitCodes.outputClosed : exitCode;
  for (const signal of endings) process.off(signal, interrupt);
};

/** What asks a program to end: Ctrl-C, a supervisor, a terminal that is closed. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const endOf = ({ iterations, reason = "", status }: RunOutcome): string => {
  const turns = `${iterations} turn${iterations === 1 ? "" : "s"}`;
  switch (status) {
    case "denied":
      return `the run ended because ${reason}`;
    case "force-stopped":
      return `the run was stopped after ${turns}: ${reason}`;
    case "aborted":
      return `the run was ended after ${turns}`;
    default:
      return `the run failed after ${turns}: ${reason}`;
  }
};
