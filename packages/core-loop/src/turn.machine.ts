import { noUsage, type RunStatus } from "@kumiko/plugin-api";
import { assign, emit, setup, type SnapshotFrom } from "xstate";
import { iterationCapOf } from "./IterationCap.ts";
import { isCheckpointDue } from "./judgeReply.ts";
import { defaultRetryPolicy } from "./ModelRecovery.ts";
import * as steps from "./turnSteps.ts";
import type { TurnContext, TurnEvent, TurnInput, TurnIntent } from "./TurnTypes.ts";

/**
 * One run, from the user's message to its end. An iteration is one model call; a reply with calls goes through
 * admission, execution and recording, then the next iteration begins. A call that failed is repeated after a wait, or put
 * to another model; a reply that is no answer is followed up. A limit or a detector ends the run through `closing`: one
 * last call without tools.
 */
export const turnMachine = setup({
  types: {
    context: {} as TurnContext,
    events: {} as TurnEvent,
    emitted: {} as TurnIntent,
    input: {} as TurnInput,
  },
  guards: {
    hasCalls: ({ context, event }) => steps.verdictIs("calls", context, event),
    needsFollowUp: ({ context, event }) => steps.verdictIs("followUp", context, event),
    isEmptyForSwitch: ({ context, event }) => steps.verdictIs("switch", context, event),
    isEmpty: ({ context, event }) => steps.verdictIs("empty", context, event),
    // The answer was given before the last message was read: it is no answer to that.
    mustReadOn: ({ context, event }) => steps.verdictIs("readOn", context, event),
    canRetry: ({ context, event }) => steps.recoveryIs("retry", context, event),
    canSwitch: ({ context, event }) => steps.recoveryIs("switch", context, event),
    canSwitchLater: ({ context, event }) => context.isPaused && steps.recoveryIs("switch", context, event),
    isEmptyForLater: ({ context, event }) => context.isPaused && steps.verdictIs("switch", context, event),
    wasRefused: ({ context }) => context.wasRefused,
    hasAdmitted: ({ event }) => event.type === "calls.admitted" && event.admitted.length > 0,
    isForceStop: ({ event }) => event.type === "results.recorded" && event.steering.type === "forceStop",
    isStuck: ({ context, event }) => (steps.misfitAfter(context, event)?.count ?? 0) >= steps.maxMisfits,
    isCheckpointDue: ({ context }) => isCheckpointDue(context),
    hasSteering: ({ context }) => context.steering.length > 0,
    isPaused: ({ context }) => context.isPaused,
    isAtCap: ({ context }) => context.iteration >= iterationCapOf(context),
    // The next call is a part of this iteration, or already counted.
    isRepeating: ({ context: { trouble } }) =>
      trouble.attempt > 0 || trouble.lastFailure !== null || trouble.followUp !== null,
    isSameModelNow: ({ context, event }) => steps.isStillThere(context, event),
  },
  actions: {
    buildPrompt: emit({ type: "intent.buildPrompt" as const }),
    callModel: emit(({ context: { iteration, model } }) => ({
      type: "intent.callModel" as const,
      iteration,
      ...(model === 0 ? {} : { model }),
    })),
    callModelForSummary: emit(({ context: { model, reason } }) => ({
      type: "intent.callModelForSummary" as const,
      reason: reason ?? "",
      ...(model === 0 ? {} : { model }),
    })),
    backOff: emit(
      ({
        context: {
          model,
          trouble: { attempt, lastFailure, notBefore },
        },
      }) => ({
        type: "intent.backOff" as const,
        notBefore: notBefore ?? 0,
        attempt,
        model,
        reason: lastFailure?.reason ?? ("network" as const),
        detail: lastFailure?.detail ?? "",
      }),
    ),
    announceSwitch: emit(
      ({
        context: {
          model,
          models,
          trouble: { attempt, lastFailure },
        },
      }) => ({
        type: "intent.announceSwitch" as const,
        from: lastFailure?.model ?? 0,
        to: Math.min(model, models.length - 1),
        attempt,
        reason: lastFailure?.reason ?? ("network" as const),
        detail: lastFailure?.detail ?? "",
      }),
    ),
    askForMore: emit(
      ({
        context: {
          trouble: { followUp },
        },
      }) => ({
        type: "intent.followUp" as const,
        followUp: followUp ?? { kind: "again" as const },
      }),
    ),
    admitCalls: emit(({ context }) => ({ type: "intent.admitCalls" as const, callIds: context.callIds })),
    executeCalls: emit(({ event }) => ({
      type: "intent.executeCalls" as const,
      callIds: event.type === "calls.admitted" ? event.admitted : [],
    })),
    recordResults: emit({ type: "intent.recordResults" as const }),
    awaitUnpause: emit({ type: "intent.awaitUnpause" as const }),
    injectSteering: emit(({ context }) => ({
      type: "intent.injectSteering" as const,
      messageIds: context.steering,
    })),
    rememberSteering: assign({
      steering: ({ context, event }) =>
        event.type === "message.steered" && !context.steering.includes(event.messageId)
          ? [...context.steering, event.messageId]
          : context.steering,
    }),
    // What is answered now is the message, not the refusal before it.
    forgetInjected: assign({
      wasRefused: false,
      steering: ({ context, event }) =>
        event.type === "steering.injected"
          ? context.steering.filter((id) => !event.messageIds.includes(id))
          : context.steering,
    }),
    pause: assign({ isPaused: true }),
    unpause: assign({ isPaused: false }),
    cancel: emit((_, params: { readonly key: string }) => ({ type: "intent.cancel" as const, key: params.key })),
    countIteration: assign({ iteration: ({ context }) => context.iteration + 1 }),
    takeReply: assign(steps.takeReply),
    takeCalls: assign(steps.takeCalls),
    countReply: assign(steps.countReply),
    beginFollowUp: assign(steps.beginFollowUp),
    beginCheckpoint: assign(steps.beginCheckpoint),
    takeSummary: assign(steps.takeSummary),
    // Before the reply is taken: what it continues is known only then.
    flagAnswer: assign({ flags: ({ context, event }) => steps.flagsOf(context, event) }),
    countFailure: assign(steps.countFailure),
    switchModel: assign(steps.switchModel),
    forgetFailures: assign(steps.forgetFailures),
    takeModels: assign(steps.takeModels),
    takeResults: assign(steps.takeResults),
    giveForceStopReason: assign({
      reason: ({ event }) =>
        event.type === "results.recorded" && event.steering.type === "forceStop" ? event.steering.reason : null,
    }),
    giveStuckReason: assign({
      reason: ({ context, event }) =>
        `the model gave arguments that do not fit ${steps.maxMisfits} times in the same way: ${steps.misfitAfter(context, event)?.what ?? ""}`,
    }),
    giveCapReason: assign({
      reason: ({ context }) => `the limit of ${plural(iterationCapOf(context), "iteration")} was reached`,
    }),
    giveFailure: assign({
      reason: ({ context, event }) =>
        event.type === "model.failed"
          ? `the model call failed${context.trouble.attempt > 1 ? ` ${context.trouble.attempt} times` : ""}: ${event.detail}`
          : "the model gave an empty reply, and once more when it was asked again",
    }),
    addSummaryFailure: assign({
      reason: ({ context, event }) =>
        event.type === "model.failed"
          ? `${context.reason ?? ""}; the closing summary failed: ${event.detail}`
          : context.reason,
    }),
    giveRefusal: assign({ reason: "a call it needed was refused" }),
    giveAbortReason: assign({ reason: ({ event }) => (event.type === "run.aborted" ? event.reason : null) }),
    end: assign({ status: (_, params: { readonly status: RunStatus }) => params.status }),
  },
}).createMachine({
  id: "turn",
  context: ({ input }) => ({
    runId: input.runId,
    maxIterations: input.maxIterations,
    models: input.models ?? unnamed,
    retry: input.retry ?? defaultRetryPolicy,
    iteration: 0,
    model: 0,
    trouble: steps.noTrouble,
    checkpoint: "ahead",
    misfit: null,
    usesGui: false,
    wasRefused: false,
    status: "failed",
    text: "",
    flags: none,
    reason: null,
    spent: nothingSpent,
    steering: [],
    isPaused: false,
    callIds: [],
  }),
  initial: "active",
  states: {
    active: {
      initial: "preparing",
      on: {
        "run.aborted": {
          target: "aborted",
          actions: ["giveAbortReason", { type: "end", params: { status: "aborted" } }],
        },
        "message.steered": { actions: "rememberSteering" },
        "run.paused": { actions: "pause" },
        "run.unpaused": { actions: "unpause" },
      },
      states: {
        preparing: {
          entry: "buildPrompt",
          exit: { type: "cancel", params: { key: "intent.buildPrompt" } },
          on: {
            "prompt.built": [
              { guard: "isPaused", target: "paused" },
              { target: "calling", actions: "countIteration" },
            ],
            "run.resumed": { actions: ["takeModels", "buildPrompt"] },
          },
        },
        calling: {
          entry: "callModel",
          exit: { type: "cancel", params: { key: "intent.callModel" } },
          on: {
            "reply.received": [
              {
                guard: "hasCalls",
                target: "admitting",
                actions: "takeCalls",
              },
              { guard: "needsFollowUp", target: "followingUp", actions: "beginFollowUp" },
              {
                guard: "isEmptyForLater",
                target: "paused",
                actions: ["switchModel", "announceSwitch", "countReply", "forgetFailures"],
              },
              {
                guard: "isEmptyForSwitch",
                target: "calling",
                reenter: true,
                actions: ["switchModel", "announceSwitch", "countReply", "forgetFailures"],
              },
              {
                guard: "isEmpty",
                target: "#turn.failed",
                actions: ["countReply", "giveFailure", { type: "end", params: { status: "failed" } }],
              },
              { guard: "mustReadOn", target: "injecting", actions: "takeReply" },
              {
                guard: "wasRefused",
                target: "#turn.denied",
                actions: ["flagAnswer", "takeReply", "giveRefusal", { type: "end", params: { status: "denied" } }],
              },
              {
                target: "#turn.done",
                actions: ["flagAnswer", "takeReply", { type: "end", params: { status: "done" } }],
              },
            ],
            "model.failed": [
              { guard: "canRetry", target: "backingOff", actions: "countFailure" },
              {
                guard: "canSwitchLater",
                target: "paused",
                actions: ["countFailure", "switchModel", "announceSwitch", "forgetFailures"],
              },
              {
                guard: "canSwitch",
                target: "calling",
                reenter: true,
                actions: ["countFailure", "switchModel", "announceSwitch", "forgetFailures"],
              },
              {
                target: "#turn.failed",
                actions: ["countFailure", "giveFailure", { type: "end", params: { status: "failed" } }],
              },
            ],
            // The same call once more, not another one: it counts once.
            "run.resumed": { actions: ["takeModels", "callModel"] },
          },
        },
        backingOff: {
          entry: "backOff",
          exit: { type: "cancel", params: { key: "intent.backOff" } },
          on: {
            "backOff.over": [{ guard: "isPaused", target: "paused" }, { target: "calling" }],
            // The wait is one model's; another that is asked now has not failed yet.
            "run.resumed": [
              { guard: "isSameModelNow", actions: ["takeModels", "backOff"] },
              { guard: "isPaused", target: "paused", actions: "takeModels" },
              { target: "calling", actions: "takeModels" },
            ],
          },
        },
        followingUp: {
          entry: "askForMore",
          exit: { type: "cancel", params: { key: "intent.followUp" } },
          on: {
            "followUp.added": [{ guard: "isPaused", target: "paused" }, { target: "calling" }],
            "run.resumed": { actions: ["takeModels", "askForMore"] },
          },
        },
        injecting: {
          entry: "injectSteering",
          exit: { type: "cancel", params: { key: "intent.injectSteering" } },
          on: {
            "steering.injected": [
              { guard: "isPaused", target: "paused", actions: "forgetInjected" },
              { target: "calling", actions: ["forgetInjected", "countIteration"] },
            ],
            "run.resumed": { actions: ["takeModels", "injectSteering"] },
          },
        },
        paused: {
          // It may take days: what is known so far is written down.
          entry: "awaitUnpause",
          exit: { type: "cancel", params: { key: "intent.awaitUnpause" } },
          on: {
            "run.resumed": { actions: ["takeModels", "awaitUnpause"] },
            "run.unpaused": [
              { guard: "isRepeating", target: "calling", actions: "unpause" },
              { guard: "hasSteering", target: "injecting", actions: "unpause" },
              { target: "calling", actions: ["unpause", "countIteration"] },
            ],
          },
        },
        admitting: {
          entry: "admitCalls",
          exit: { type: "cancel", params: { key: "intent.admitCalls" } },
          initial: "checking",
          on: {
            "calls.admitted": [{ guard: "hasAdmitted", target: "executing" }, { target: "recording" }],
            "run.resumed": { target: "admitting", reenter: true, actions: "takeModels" },
          },
          states: {
            checking: { on: { "question.opened": "asking" } },
            asking: { on: { "question.answered": "checking" } },
          },
        },
        executing: {
          entry: "executeCalls",
          exit: { type: "cancel", params: { key: "intent.executeCalls" } },
          // Each call is looked at anew: what ran before is known by its own events.
          on: { "calls.settled": "recording", "run.resumed": { target: "admitting", actions: "takeModels" } },
        },
        recording: {
          entry: "recordResults",
          exit: { type: "cancel", params: { key: "intent.recordResults" } },
          on: {
            "results.recorded": [
              { guard: "isForceStop", target: "closing", actions: ["takeResults", "giveForceStopReason"] },
              { guard: "isStuck", target: "closing", actions: ["takeResults", "giveStuckReason"] },
              { guard: "isAtCap", target: "closing", actions: ["takeResults", "giveCapReason"] },
              { guard: "isCheckpointDue", target: "followingUp", actions: ["takeResults", "beginCheckpoint"] },
              { guard: "hasSteering", target: "injecting", actions: "takeResults" },
              { guard: "isPaused", target: "paused", actions: "takeResults" },
              { target: "calling", actions: ["takeResults", "countIteration"] },
            ],
            "run.resumed": { target: "admitting", actions: "takeModels" },
          },
        },
        closing: {
          initial: "calling",
          states: {
            calling: {
              entry: "callModelForSummary",
              exit: { type: "cancel", params: { key: "intent.callModelForSummary" } },
              on: {
                "reply.received": {
                  target: "#turn.forceStopped",
                  actions: ["takeSummary", { type: "end", params: { status: "force-stopped" } }],
                },
                "model.failed": [
                  { guard: "canRetry", target: "backingOff", actions: "countFailure" },
                  {
                    guard: "canSwitch",
                    target: "calling",
                    reenter: true,
                    actions: ["countFailure", "switchModel", "announceSwitch", "forgetFailures"],
                  },
                  {
                    target: "#turn.forceStopped",
                    actions: [
                      "countFailure",
                      "addSummaryFailure",
                      { type: "end", params: { status: "force-stopped" } },
                    ],
                  },
                ],
                "run.resumed": { actions: ["takeModels", "callModelForSummary"] },
              },
            },
            backingOff: {
              entry: "backOff",
              exit: { type: "cancel", params: { key: "intent.backOff" } },
              on: {
                "backOff.over": "calling",
                "run.resumed": [
                  { guard: "isSameModelNow", actions: ["takeModels", "backOff"] },
                  { target: "calling", actions: "takeModels" },
                ],
              },
            },
          },
        },
      },
    },
    done: { type: "final" },
    denied: { type: "final" },
    forceStopped: { type: "final" },
    failed: { type: "final" },
    aborted: { type: "final" },
  },
});

const unnamed: TurnContext["models"] = [{ model: "" }];
const none: ReadonlyArray<never> = [];
const nothingSpent: TurnContext["spent"] = { usage: noUsage, costUsd: null, isPartial: false };

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export type TurnSnapshot = SnapshotFrom<typeof turnMachine>;
export type { Steering, TurnContext, TurnEvent, TurnInput, TurnIntent } from "./TurnTypes.ts";
