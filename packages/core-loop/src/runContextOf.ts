import type { RunInfo } from "@kumiko/plugin-api";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type { Kernel } from "./Kernel.ts";
import type { LiveRun } from "./LiveRun.ts";
import { modelsFor } from "./modelsFor.ts";
import { SilenceWatch } from "./SilenceWatch.ts";
import type { RunContext } from "./RunContext.ts";

/** The context of one run of a session. */
export const runContextOf = ({
  kernel,
  run,
  runId,
  sessionKey,
  suspension,
  ...shared
}: {
  readonly kernel: Kernel;
  readonly run: LiveRun;
  readonly runId: string;
  readonly sessionKey: string;
  /** Told why the run is suspended. */
  readonly suspension: Deferred.Deferred<string>;
} & Pick<RunContext, "log" | "conversation" | "cache" | "files" | "earlierCalls" | "now">): RunContext => {
  const { hub, request } = run;
  let info: RunInfo = { runId, sessionKey, cwd: kernel.cwd, iteration: 0 };
  const { stable, volatile } = kernel.prompt;
  return {
    ...shared,
    kernel,
    silence: new SilenceWatch(kernel.silence),
    models: modelsFor(kernel.models, request) ?? kernel.models,
    hub,
    draft:
      request.instructions === undefined
        ? kernel.prompt
        : { stable, volatile: [...volatile, { id: "run", content: request.instructions }] },
    startIteration: (iteration) => {
      info = { ...info, iteration };
    },
    info: () => info,
    suspend: (question) =>
      // What is about to be ended does not wait.
      run.abortReason === undefined
        ? Effect.andThen(Deferred.succeed(suspension, `it waits for an answer: ${question.prompt}`), Effect.never)
        : Effect.never,
  };
};
