import { MachineKit } from "@kumiko/machine-kit";
import { type RunInfo, type RunOutcome, userText } from "@kumiko/plugin-api";
import { type Journal, type JournalFailed, type RunHandle, RunRefused, type RunRequest } from "@kumiko/runtime-api";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type * as Scope from "effect/Scope";
import { bounded } from "./bounded.ts";
import { Conversation } from "./Conversation.ts";
import { guarded } from "./guarded.ts";
import type { Kernel } from "./Kernel.ts";
import { ResultCache } from "./ResultCache.ts";
import type { RunContext } from "./RunContext.ts";
import { RunEventHub } from "./RunEventHub.ts";
import { withText } from "./fallbackText.ts";
import { outcomeOf, outcomeOfFailure, startTurn, type TurnActor } from "./runTurn.ts";
import { type SessionEvent, type SessionIntent, sessionMachine } from "./session.machine.ts";
import { SessionLog } from "./SessionLog.ts";

/** A session's actor: its runs follow one another and share conversation, cache and journal stream. */
export interface Session {
  readonly start: (runId: string, request: RunRequest) => Effect.Effect<RunHandle, RunRefused>;
  /**
   * Waits until its actor is over (it broke, or its journal did), and tells whoever waits for a run. To be run once, by
   * whoever opened the session; a new one has to be opened then.
   */
  readonly isOver: Effect.Effect<void>;
}

/** How long `run.end` and the audit of an aborted run may take. Symptom when it binds: what they did last is missing. */
const endPatienceMillis = 5_000;

/** What is known of a run that is not over. */
interface LiveRun {
  readonly request: RunRequest;
  readonly hub: RunEventHub;
  readonly accepted: Deferred.Deferred<void, RunRefused>;
  readonly ended: Deferred.Deferred<RunOutcome>;
  actor: TurnActor | undefined;
  /** Set when the run was cancelled, even before its actor was there to be told. */
  abortReason: string | undefined;
  outcome: RunOutcome | undefined;
}

/** Opens a session in the current scope. Closing the scope aborts what runs and drops what waits. */
export const openSession = Effect.fnUntraced(function* (
  kernel: Kernel,
  journal: Journal["Service"],
  sessionKey: string,
): Effect.fn.Return<Session, JournalFailed, Scope.Scope> {
  const log = new SessionLog(yield* journal.open(sessionKey));
  const clock = yield* Effect.clockWith(Effect.succeed);
  const now = (): number => clock.currentTimeMillisUnsafe();
  const conversation = new Conversation();
  const cache = new ResultCache();
  const live = new Map<string, LiveRun>();

  const runContext = (runId: string, { hub, request }: LiveRun): RunContext => {
    let info: RunInfo = { runId, sessionKey, cwd: kernel.cwd, iteration: 0 };
    const { stable, volatile } = kernel.prompt;
    return {
      kernel,
      hub,
      log,
      conversation,
      cache,
      now,
      draft:
        request.instructions === undefined
          ? kernel.prompt
          : { stable, volatile: [...volatile, { id: "run", content: request.instructions }] },
      startIteration: (iteration) => {
        info = { ...info, iteration };
      },
      info: () => info,
    };
  };

  // Runs a turn to its end. Whatever breaks or interrupts it, there is an outcome, its calls are audited and `run.end`
  // is told; neither can hold the session up for longer than a few seconds.
  const runToEnd = (runId: string, run: LiveRun): Effect.Effect<SessionEvent> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const context = runContext(runId, run);
        const before = conversation.messages.length;
        const { cwd, model } = kernel;
        run.hub.publish({ type: "lifecycle.start", model: model.id, isRehearsal: model.isRehearsal ?? false, cwd });
        let settle = Effect.void;
        const turn = Effect.gen(function* () {
          const { actor, settleRest } = yield* startTurn(context);
          settle = settleRest;
          run.actor = actor;
          if (run.abortReason !== undefined) actor.send({ type: "run.aborted", reason: run.abortReason });
          return yield* actor.done;
        });
        const exit = yield* Effect.exit(restore(Effect.scoped(turn)));
        const outcome = withText(
          Exit.isSuccess(exit) ? outcomeOf(exit.value) : outcomeOfFailure(run.actor?.snapshot(), exit.cause),
          conversation.messages.slice(before),
        );
        run.outcome = outcome;
        yield* bounded(settle, endPatienceMillis);
        if (kernel.runEnd.length > 0) yield* bounded(tellEnd(context, outcome), endPatienceMillis);
        return { type: "run.ended", runId, status: outcome.status };
      }),
    );

  const tellEnd = (context: RunContext, outcome: RunOutcome): Effect.Effect<void> =>
    Effect.forEach(
      kernel.runEnd,
      (contribution) =>
        guarded(
          context,
          "run.end",
          () => contribution(outcome, context.info()),
          () => undefined,
        ),
      { discard: true },
    );

  const finish = (runId: string, outcome: RunOutcome): Effect.Effect<void> =>
    Effect.suspend(() => {
      const run = live.get(runId);
      if (run === undefined) return Effect.void;
      live.delete(runId);
      run.hub.publish({ type: outcome.status === "failed" ? "lifecycle.error" : "lifecycle.end", outcome });
      run.hub.end();
      return Effect.andThen(Deferred.succeed(run.accepted, undefined), Deferred.succeed(run.ended, outcome));
    });

  const aborted = (reason: string): RunOutcome => ({
    status: "aborted",
    text: "",
    reason,
    iterations: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
  });

  const perform = (intent: SessionIntent): Effect.Effect<SessionEvent | void> => {
    const run = live.get(intent.runId);
    if (run === undefined) return Effect.void;
    switch (intent.type) {
      case "intent.acknowledge":
        return Effect.asVoid(Deferred.succeed(run.accepted, undefined));
      case "intent.startRun":
        return runToEnd(intent.runId, run);
      case "intent.announceEnd":
        return finish(intent.runId, run.outcome ?? aborted("it never began"));
      case "intent.abortRun":
        return Effect.sync(() => {
          run.abortReason = intent.reason;
          run.actor?.send({ type: "run.aborted", reason: intent.reason });
        });
      case "intent.dropRun":
        conversation.forget(intent.runId);
        return finish(intent.runId, aborted(intent.reason));
      case "intent.refuseRun":
        live.delete(intent.runId);
        conversation.forget(intent.runId);
        run.hub.end();
        return Effect.asVoid(Deferred.fail(run.accepted, tooManyWaiting(sessionKey, kernel.maxWaitingRuns)));
    }
  };

  const actor = yield* MachineKit.run(sessionMachine, {
    input: { maxWaiting: kernel.maxWaitingRuns },
    perform,
    log: {
      event: (event) => {
        log.event("session", event);
        conversation.applySession(event);
      },
      intent: (intent) => log.intent("session", intent),
      // Boundaries: a message is safe before it is acknowledged, an end before it is announced.
      commitsBefore: ({ type }) => type === "intent.acknowledge" || type === "intent.announceEnd",
      commit: log.commit,
    },
  });
  // The actor ends with its scope, or when the journal fails: whoever waits is told.
  yield* Effect.addFinalizer(() =>
    Effect.forEach(
      [...live.keys()],
      (runId) => finish(runId, live.get(runId)?.outcome ?? aborted("the harness was closed")),
      {
        discard: true,
      },
    ),
  );
  const isOver = Effect.onError(actor.done, (cause) =>
    Effect.forEach([...live.keys()], (runId) => finish(runId, outcomeOfFailure(undefined, cause)), { discard: true }),
  ).pipe(Effect.ignore);

  const start = Effect.fnUntraced(function* (
    runId: string,
    request: RunRequest,
  ): Effect.fn.Return<RunHandle, RunRefused> {
    const run: LiveRun = {
      request,
      hub: new RunEventHub({ runId, sessionKey, now, observed: request.observed ?? true }),
      accepted: yield* Deferred.make<void, RunRefused>(),
      ended: yield* Deferred.make<RunOutcome>(),
      actor: undefined,
      abortReason: undefined,
      outcome: undefined,
    };
    const cancel = (reason: string): Effect.Effect<void> =>
      Effect.sync(() => void actor.send({ type: "run.cancelled", runId, reason }));
    live.set(runId, run);
    if (!actor.send({ type: "message.accepted", runId, message: userText(request.input) })) {
      live.delete(runId);
      return yield* new RunRefused({ reason: "closed", sessionKey, detail: `session ${sessionKey} is closed` });
    }
    // Whoever is interrupted here never gets the handle, so nobody else could end the run.
    yield* Effect.onInterrupt(Deferred.await(run.accepted), () => cancel("nobody waits for it any more"));
    return { runId, events: run.hub.events, wait: Deferred.await(run.ended), cancel };
  });
  return { start, isOver };
});

const tooManyWaiting = (sessionKey: string, most: number): RunRefused =>
  new RunRefused({
    reason: "too-many-waiting",
    sessionKey,
    detail: `session ${sessionKey} has ${most} runs waiting already; wait for one to end`,
  });
