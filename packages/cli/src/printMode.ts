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
    yield* Effect.promise(() => run(settings, harness, progress));
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
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  void output.closed.then(() => controller.abort());

  const startedAt = performance.now();
  let outcome: RunOutcome | undefined;
  let start: (RunEvent & { readonly type: "lifecycle.start" }) | undefined;
  try {
    for await (const event of harness.stream(prompt, { signal: controller.signal })) {
      progress?.show(event);
      if (outputFormat === "stream-json") await output.write(`${JSON.stringify(event)}\n`);
      if (event.type === "lifecycle.start") start = event;
      if (event.type === "lifecycle.end" || event.type === "lifecycle.error") outcome = event.outcome;
    }
  } finally {
    progress?.clear();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    await harness.dispose();
  }
  if (outcome === undefined) throw new Error("the run ended without an outcome");

  process.exitCode = output.isClosed ? exitCodes.outputClosed : exitCodeOf(outcome.status);
  if (outputFormat === "json")
    await output.write(
      `${JSON.stringify({
        schemaVersion: 1,
        type: "result",
        ...outcome,
        model: start?.model,
        isRehearsal: start?.isRehearsal,
        runId: start?.runId,
        sessionKey: start?.sessionKey,
        durationMillis: Math.round(performance.now() - startedAt),
        exitCode: process.exitCode,
      })}\n`,
    );
  else if (outputFormat === "text") {
    if (outcome.text !== "") await output.write(`${outcome.text.trimEnd()}\n`);
    if (outcome.reason !== undefined && !output.isClosed) process.stderr.write(`kumiko: ${endOf(outcome)}\n`);
  }
};

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
