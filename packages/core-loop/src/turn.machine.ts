import {
  addUsage,
  type AssistantMessage,
  type KnownFile,
  type ModelFailureReason,
  noUsage,
  type RunStatus,
  type StopReason,
  textOf,
  toolCallsOf,
  type ToolMessage,
  type Usage,
} from "@kumiko/plugin-api";
import { assign, emit, setup, type SnapshotFrom } from "xstate";
import { isGuiTool } from "./IterationCap.ts";

export interface TurnInput {
  readonly runId: string;
  /** Model calls with tools, at most; `gui` applies once a tool of the GUI class was proposed. */
  readonly maxIterations: { readonly standard: number; readonly gui: number };
}

export interface TurnContext {
  readonly runId: string;
  readonly maxIterations: { readonly standard: number; readonly gui: number };
  /** Model calls made with tools on offer. */
  readonly iteration: number;
  readonly usesGui: boolean;
  /** The last results held a refusal: a final answer now means that the run ended because of it. */
  readonly wasRefused: boolean;
  readonly status: RunStatus;
  /** The latest text of the model: the answer, or the best there is. */
  readonly text: string;
  readonly reason: string | null;
  readonly usage: Usage;
  /** Messages that came on the way and that the model has not been shown yet, by their ids. */
  readonly steering: ReadonlyArray<string>;
  readonly isPaused: boolean;
  /** The calls of the last reply. */
  readonly callIds: ReadonlyArray<string>;
}

/** What the plugins made of the results: the gravest of their verdicts. */
export type Steering =
  | { readonly type: "continue" }
  | { readonly type: "nudge"; readonly text: string }
  | { readonly type: "forceStop"; readonly reason: string };

export type TurnEvent =
  | { readonly type: "prompt.built" }
  | {
      readonly type: "reply.received";
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage;
    }
  | { readonly type: "model.failed"; readonly reason: ModelFailureReason; readonly detail: string }
  | { readonly type: "question.opened"; readonly questionId: string }
  | { readonly type: "question.answered"; readonly questionId: string }
  | { readonly type: "calls.admitted"; readonly admitted: ReadonlyArray<string> }
  | { readonly type: "calls.settled" }
  | {
      readonly type: "results.recorded";
      readonly message: ToolMessage;
      readonly refusals: number;
      readonly steering: Steering;
      /** Contents the calls saw or wrote: what the session knows of files. */
      readonly files?: ReadonlyArray<KnownFile>;
    }
  /** The messages were put into the conversation. */
  | { readonly type: "steering.injected"; readonly messageIds: ReadonlyArray<string> }
  | { readonly type: "message.steered"; readonly messageId: string }
  | { readonly type: "run.paused" }
  | { readonly type: "run.unpaused" }
  /** Another process (or a later opening of the session) takes the run over where its events end. */
  | { readonly type: "run.resumed" }
  | { readonly type: "run.aborted"; readonly reason: string };

export type TurnIntent =
  | { readonly type: "intent.buildPrompt" }
  | { readonly type: "intent.callModel"; readonly iteration: number }
  | { readonly type: "intent.callModelForSummary"; readonly reason: string }
  | { readonly type: "intent.admitCalls"; readonly callIds: ReadonlyArray<string> }
  | { readonly type: "intent.executeCalls"; readonly callIds: ReadonlyArray<string> }
  | { readonly type: "intent.recordResults" }
  | { readonly type: "intent.awaitUnpause" }
  | { readonly type: "intent.injectSteering"; readonly messageIds: ReadonlyArray<string> }
  | { readonly type: "intent.cancel"; readonly key: string };

/**
 * One run, from the user's message to its end. An iteration is one model call; a reply with calls goes through
 * admission, execution and recording, then the next iteration begins. A limit or a detector ends it through `closing`:
 * one last call without tools.
 */
export const turnMachine = setup({
  types: {
    context: {} as TurnContext,
    events: {} as TurnEvent,
    emitted: {} as TurnIntent,
    input: {} as TurnInput,
  },
  guards: {
    hasCalls: ({ event }) => event.type === "reply.received" && toolCallsOf(event.message).length > 0,
    wasRefused: ({ context }) => context.wasRefused,
    hasAdmitted: ({ event }) => event.type === "calls.admitted" && event.admitted.length > 0,
    isForceStop: ({ event }) => event.type === "results.recorded" && event.steering.type === "forceStop",
    hasSteering: ({ context }) => context.steering.length > 0,
    // The answer was given before the last message was read: it is no answer to that.
    mustReadOn: ({ context }) => context.steering.length > 0 && context.iteration < capOf(context),
    isPaused: ({ context }) => context.isPaused,
    isAtCap: ({ context }) => context.iteration >= capOf(context),
  },
  actions: {
    buildPrompt: emit({ type: "intent.buildPrompt" as const }),
    callModel: emit(({ context }) => ({ type: "intent.callModel" as const, iteration: context.iteration })),
    callModelForSummary: emit(({ context }) => ({
      type: "intent.callModelForSummary" as const,
      reason: context.reason ?? "",
    })),
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
    takeReply: assign({
      callIds: ({ context, event }) =>
        event.type === "reply.received" ? toolCallsOf(event.message).map(({ id }) => id) : context.callIds,
      usage: ({ context, event }) =>
        event.type === "reply.received" ? addUsage(context.usage, event.usage) : context.usage,
      text: ({ context, event }) => (event.type === "reply.received" && textOf(event.message)) || context.text,
      usesGui: ({ context, event }) =>
        context.usesGui ||
        (event.type === "reply.received" && toolCallsOf(event.message).some(({ name }) => isGuiTool(name))),
    }),
    takeRefusals: assign({ wasRefused: ({ event }) => event.type === "results.recorded" && event.refusals > 0 }),
    giveForceStopReason: assign({
      reason: ({ event }) =>
        event.type === "results.recorded" && event.steering.type === "forceStop" ? event.steering.reason : null,
    }),
    giveCapReason: assign({
      reason: ({ context }) => `the limit of ${counted(capOf(context), "iteration")} was reached`,
    }),
    giveFailure: assign({
      reason: ({ event }) => (event.type === "model.failed" ? `the model call failed: ${event.detail}` : null),
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
    iteration: 0,
    usesGui: false,
    wasRefused: false,
    status: "failed",
    text: "",
    reason: null,
    usage: noUsage,
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
            "prompt.built": [{ guard: "isPaused", target: "paused" }, { target: "calling" }],
            "run.resumed": { actions: "buildPrompt" },
          },
        },
        calling: {
          entry: ["countIteration", "callModel"],
          exit: { type: "cancel", params: { key: "intent.callModel" } },
          on: {
            "reply.received": [
              { guard: "hasCalls", target: "admitting", actions: "takeReply" },
              { guard: "mustReadOn", target: "injecting", actions: "takeReply" },
              {
                guard: "wasRefused",
                target: "#turn.denied",
                actions: ["takeReply", "giveRefusal", { type: "end", params: { status: "denied" } }],
              },
              { target: "#turn.done", actions: ["takeReply", { type: "end", params: { status: "done" } }] },
            ],
            "model.failed": {
              target: "#turn.failed",
              actions: ["giveFailure", { type: "end", params: { status: "failed" } }],
            },
            // The same call once more, not another one: it counts once.
            "run.resumed": { actions: "callModel" },
          },
        },
        injecting: {
          entry: "injectSteering",
          exit: { type: "cancel", params: { key: "intent.injectSteering" } },
          on: {
            "steering.injected": [
              { guard: "isPaused", target: "paused", actions: "forgetInjected" },
              { target: "calling", actions: "forgetInjected" },
            ],
            "run.resumed": { actions: "injectSteering" },
          },
        },
        paused: {
          // It may take days: what is known so far is written down.
          entry: "awaitUnpause",
          exit: { type: "cancel", params: { key: "intent.awaitUnpause" } },
          on: {
            "run.resumed": { actions: "awaitUnpause" },
            "run.unpaused": [
              { guard: "hasSteering", target: "injecting", actions: "unpause" },
              { target: "calling", actions: "unpause" },
            ],
          },
        },
        admitting: {
          entry: "admitCalls",
          exit: { type: "cancel", params: { key: "intent.admitCalls" } },
          initial: "checking",
          on: {
            "calls.admitted": [{ guard: "hasAdmitted", target: "executing" }, { target: "recording" }],
            "run.resumed": { target: "admitting", reenter: true },
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
          on: { "calls.settled": "recording", "run.resumed": "admitting" },
        },
        recording: {
          entry: "recordResults",
          exit: { type: "cancel", params: { key: "intent.recordResults" } },
          on: {
            "results.recorded": [
              { guard: "isForceStop", target: "closing", actions: ["takeRefusals", "giveForceStopReason"] },
              { guard: "isAtCap", target: "closing", actions: ["takeRefusals", "giveCapReason"] },
              { guard: "hasSteering", target: "injecting", actions: "takeRefusals" },
              { guard: "isPaused", target: "paused", actions: "takeRefusals" },
              { target: "calling", actions: "takeRefusals" },
            ],
            "run.resumed": "admitting",
          },
        },
        closing: {
          entry: "callModelForSummary",
          exit: { type: "cancel", params: { key: "intent.callModelForSummary" } },
          on: {
            "reply.received": {
              target: "#turn.forceStopped",
              actions: ["takeReply", { type: "end", params: { status: "force-stopped" } }],
            },
            "model.failed": {
              target: "#turn.forceStopped",
              actions: ["addSummaryFailure", { type: "end", params: { status: "force-stopped" } }],
            },
            "run.resumed": { actions: "callModelForSummary" },
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

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

const capOf = ({ maxIterations, usesGui }: TurnContext): number =>
  usesGui ? Math.max(maxIterations.gui, maxIterations.standard) : maxIterations.standard;

export type TurnSnapshot = SnapshotFrom<typeof turnMachine>;
