import { MachineKit, type MachineActor, replay } from "@kumiko/machine-kit";
import {
  type AssistantMessage,
  type ModelRequest,
  noUsage,
  type RunOutcome,
  toolCallsOf,
  userText,
} from "@kumiko/plugin-api";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { admitCalls } from "./admitCalls.ts";
import { callModel } from "./callModel.ts";
import type { CallSlot } from "./CallSlot.ts";
import { executeCalls } from "./executeCalls.ts";
import { followUpReason, followUpText } from "./followUpText.ts";
import { guarded, messageOf } from "./guarded.ts";
import { shapePrompt, systemPromptOf } from "./prompt.ts";
import { recordCalls, settleRest } from "./recordCalls.ts";
import type { RunContext } from "./RunContext.ts";
import { attemptsAt, defaultRetryPolicy } from "./ModelRecovery.ts";
import { modelRefOf } from "./modelsFor.ts";
import { plainEvents } from "./plainEvents.ts";
import type { RunBegan } from "./sessionRecords.ts";
import { type TurnContext, type TurnEvent, type TurnIntent, turnMachine, type TurnSnapshot } from "./turn.machine.ts";

/** What a turn's actor may fail with: the journal. Everything else is an outcome. */
export type TurnActor = MachineActor<typeof turnMachine, JournalFailed>;

/**
 * Starts a run's turn machine in the current scope, or goes on where `events`, those of an earlier process, end. Its
 * events go to the session's log and conversation. `settleRest` is for its end: it records the calls that the run left
 * without a result.
 */
export const startTurn = Effect.fnUntraced(function* (run: RunContext, resumed?: ResumedTurn) {
  const { conversation, kernel, log } = run;
  const { runId } = run.info();
  const actorName = `run:${runId}`;
  const models = run.models === kernel.models ? kernel.modelRefs : run.models.map(modelRefOf);
  const began: RunBegan = resumed?.began ?? {
    type: "run.began",
    maxIterations: kernel.iterationCap,
    models,
    ...(kernel.retry === undefined ? {} : { retry: kernel.retry }),
  };
  const input = { ...began, runId };
  const state: TurnState = { system: undefined, slots: [], send: () => false };
  const from =
    resumed === undefined ? undefined : { snapshot: replay(turnMachine, input, resumed.events).snapshot, intents: [] };
  if (from === undefined) log.event(actorName, began);
  if (from !== undefined) run.startIteration(from.snapshot.context.iteration);
  const actor: TurnActor = yield* MachineKit.run(turnMachine, {
    input,
    perform: (intent) => perform(run, state, intent),
    ...(from === undefined ? {} : { from }),
    log: {
      event: (event) => {
        log.event(actorName, event);
        conversation.applyTurn(runId, event);
      },
      intent: (intent) => log.intent(actorName, intent),
      // Boundaries: the results of the iteration before are safe before the next model call; a reply and its
      // admissions before anything runs, which execution sees to. The end is committed by the session.
      commitsBefore: (intent) =>
        intent.type === "intent.callModelForSummary" ||
        intent.type === "intent.awaitUnpause" ||
        intent.type === "intent.backOff" ||
        (intent.type === "intent.callModel" && intent.iteration > 1),
      commit: () => log.commit,
      commitsAtEnd: false,
    },
  });
  state.send = actor.send;
  yield* Effect.forkScoped(run.silence.watch);
  if (resumed !== undefined && from !== undefined) {
    const { isPaused } = from.snapshot.context;
    if (isPaused !== resumed.isPaused) actor.send({ type: resumed.isPaused ? "run.paused" : "run.unpaused" });
    if (resumed.abortReason === undefined) actor.send({ type: "run.resumed", models });
    else actor.send({ type: "run.aborted", reason: resumed.abortReason });
  }
  return { actor, settleRest: Effect.suspend(() => settleRest(run, state.slots)) };
});

/** A run as an earlier process left it. */
export interface ResumedTurn {
  readonly events: ReadonlyArray<TurnEvent>;
  /** What it began with. */
  readonly began: RunBegan | undefined;
  /** As its session knows it: the run may not have been told. */
  readonly isPaused: boolean;
  readonly abortReason: string | undefined;
}

interface TurnState {
  /** Undefined until it was built, in this process: a prompt is not written down. */
  system: string | undefined;
  slots: ReadonlyArray<CallSlot>;
  send: (event: TurnEvent) => boolean;
}

const perform = (run: RunContext, state: TurnState, intent: TurnIntent): Effect.Effect<TurnEvent | void> => {
  switch (intent.type) {
    case "intent.buildPrompt":
      return Effect.map(buildPrompt(run), (system): TurnEvent => {
        state.system = system;
        return plainEvents.promptBuilt;
      });
    case "intent.callModel":
      run.startIteration(intent.iteration);
      return Effect.flatMap(systemOf(run, state), (system) =>
        callModel(run, requestOf(run, system, "auto"), intent.model ?? 0, state.send),
      );
    case "intent.callModelForSummary":
      return Effect.flatMap(systemOf(run, state), (system) => summarise(run, system, intent, state.send));
    case "intent.backOff":
      return backOff(run, intent);
    case "intent.announceSwitch":
      return Effect.sync(() => announceSwitch(run, intent));
    case "intent.followUp": {
      const { followUp } = intent;
      const { kind } = followUp;
      run.hub.publish({ type: "loop.followUp", kind, reason: followUpReason(followUp) });
      return Effect.succeed({ type: "followUp.added", kind, text: followUpText(followUp) });
    }
    case "intent.injectSteering":
      return Effect.succeed({ type: "steering.injected", messageIds: intent.messageIds });
    case "intent.admitCalls": {
      const reply = run.conversation.lastReply;
      const slots: Array<CallSlot> = [];
      state.slots = slots;
      const signals = {
        opened: (questionId: string) => void state.send({ type: "question.opened", questionId }),
        answered: (questionId: string) => void state.send({ type: "question.answered", questionId }),
        abort: (reason: string) => void state.send({ type: "run.aborted", reason }),
      };
      return admitCalls(run, reply === undefined ? [] : toolCallsOf(reply), signals, slots).pipe(
        // The journal is gone: nothing can be kept any more, so the run ends here and its supervisor says why.
        Effect.orDie,
        Effect.map((): TurnEvent => {
          const admitted = slots.filter(({ isAdmitted }) => isAdmitted).map(({ part }) => part.id);
          return { type: "calls.admitted", admitted };
        }),
      );
    }
    case "intent.executeCalls":
      return executeCalls(run, state.slots).pipe(Effect.orDie, Effect.as(plainEvents.callsSettled));
    case "intent.recordResults":
      return recordCalls(run, state.slots);
    case "intent.awaitUnpause":
    case "intent.cancel":
      return Effect.void;
  }
};

const systemOf = (run: RunContext, state: TurnState): Effect.Effect<string> =>
  state.system === undefined
    ? Effect.tap(buildPrompt(run), (system) =>
        Effect.sync(() => {
          state.system = system;
        }),
      )
    : Effect.succeed(state.system);

const buildPrompt = (run: RunContext): Effect.Effect<string> =>
  Effect.map(
    shapePrompt(run.kernel.promptBuild, run.draft, (contribution, draft) =>
      guarded(
        run,
        "prompt.build",
        () => contribution(draft, run.info()),
        () => draft,
      ),
    ),
    systemPromptOf,
  );

const requestOf = (run: RunContext, system: string, toolChoice: ModelRequest["toolChoice"]): ModelRequest => ({
  system,
  tools: run.kernel.toolSpecs,
  messages: run.conversation.messages,
  toolChoice,
});

// The time is an absolute one: whoever goes on with the run waits for the rest of it. Never longer than any wait may be:
// a clock that was set back meanwhile does not make it a month.
const backOff = (
  run: RunContext,
  { attempt, detail, model, notBefore, reason }: TurnIntent & { readonly type: "intent.backOff" },
): Effect.Effect<TurnEvent> =>
  Effect.suspend(() => {
    const attempts = attemptsAt({ reason, isFirst: run.info().iteration <= 1 }, run.kernel.retry ?? defaultRetryPolicy);
    const failed = { type: "model.failed", model: nameOf(run, model), reason, detail, attempt } as const;
    run.hub.publish({ ...failed, attempts, retryAt: notBefore });
    const { maxMillis, maxRetryAfterMillis } = run.kernel.retry ?? defaultRetryPolicy;
    const longest = Math.max(maxMillis, maxRetryAfterMillis);
    const waitMillis = Math.min(Math.max(0, notBefore - run.now()), longest);
    return Effect.delay(Effect.succeed(plainEvents.backOffOver), waitMillis);
  });

const announceSwitch = (
  run: RunContext,
  { attempt, detail, from, reason, to }: TurnIntent & { readonly type: "intent.announceSwitch" },
): void => {
  run.hub.publish({ type: "model.failed", model: nameOf(run, from), reason, detail, attempt });
  run.hub.publish({ type: "model.switched", from: nameOf(run, from), to: nameOf(run, to), reason: detail });
};

/** Tells of the failed model call that ended a run, if one did: the others were told when they were repeated. */
export const announceLastFailure = (run: RunContext, { context: { status, trouble } }: TurnSnapshot): void => {
  const { attempt, lastFailure } = trouble;
  if (lastFailure === null || (status !== "failed" && status !== "force-stopped")) return;
  const { detail, model, reason } = lastFailure;
  run.hub.publish({ type: "model.failed", model: nameOf(run, model), reason, detail, attempt });
};

const nameOf = ({ models }: RunContext, index: number): string => {
  const { id = "", profile } = models[index] ?? {};
  return profile === undefined ? id : `${id} (${profile})`;
};

const summarise = (
  run: RunContext,
  system: string,
  { model = 0, reason }: TurnIntent & { readonly type: "intent.callModelForSummary" },
  send: (event: TurnEvent) => void,
): Effect.Effect<TurnEvent> => {
  run.hub.publish({ type: "loop.forceStop", reason });
  const request = requestOf(run, system, "none");
  const instruction = userText(
    `The run ends here because ${reason}. You cannot call tools any more. Say in plain text what is done, what is not, and what you would do next. Claim only what a tool result shows.`,
  );
  return Effect.map(
    callModel(run, { ...request, messages: [...request.messages, instruction] }, model, send),
    (event) => (event.type === "reply.received" ? { ...event, message: withoutCalls(event.message) } : event),
  );
};

// Some models call tools even when told that they cannot; such a call is never looked at.
const withoutCalls = (message: AssistantMessage): AssistantMessage =>
  toolCallsOf(message).length === 0
    ? message
    : { role: "assistant", parts: message.parts.filter(({ type }) => type !== "tool-call") };

/** How a run ended, read off its last snapshot. */
export const outcomeOf = ({ context }: TurnSnapshot): RunOutcome => ({
  status: context.status,
  text: context.text,
  ...(context.reason === null ? {} : { reason: context.reason }),
  ...spentIn(context),
  ...(context.flags.length === 0 ? {} : { flags: context.flags }),
});

/** What a run has cost, as its outcome says it. */
export const spentIn = ({
  iteration,
  spent: { costUsd, isPartial, usage },
}: TurnContext): Pick<RunOutcome, "costIsPartial" | "costUsd" | "iterations" | "usage"> => ({
  iterations: iteration,
  usage,
  ...(costUsd === null ? {} : { costUsd }),
  ...(costUsd === null || !isPartial ? {} : { costIsPartial: true }),
});

/** The outcome of a run whose actor broke: what it had, and what broke it. */
export const outcomeOfFailure = (snapshot: TurnSnapshot | undefined, cause: Cause.Cause<unknown>): RunOutcome => ({
  status: Cause.hasInterruptsOnly(cause) ? "aborted" : "failed",
  text: snapshot?.context.text ?? "",
  reason: Cause.hasInterruptsOnly(cause) ? "the harness was closed" : messageOf(Cause.squash(cause)),
  ...(snapshot === undefined ? { iterations: 0, usage: noUsage } : spentIn(snapshot.context)),
});
