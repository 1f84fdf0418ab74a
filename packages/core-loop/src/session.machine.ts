import type { RunStatus, UserMessage } from "@kumiko/plugin-api";
import { assign, emit, setup } from "xstate";

export interface SessionInput {
  /** Messages that may wait, for the running run or behind it; more are refused. */
  readonly maxWaiting: number;
}

export interface SessionContext {
  readonly maxWaiting: number;
  readonly running: string | null;
  /** First come, first served. */
  readonly waiting: ReadonlyArray<string>;
  /** Messages for the running run, by their ids; it has seen them or will. */
  readonly steering: ReadonlyArray<string>;
  readonly isPaused: boolean;
  /** Why the running run is to end; it may not have heard of it. */
  readonly abortReason: string | null;
}

export type SessionEvent =
  | {
      readonly type: "message.accepted";
      /** Of the run that the message starts; of a steering message, the message's own. */
      readonly runId: string;
      readonly message: UserMessage;
      /** `steer`: for the run under way, if there is one. Default `follow-up`: for a run of its own. */
      readonly delivery?: "steer" | "follow-up";
      readonly instructions?: string;
      /** The model its run is to begin with. */
      readonly model?: string;
      readonly profile?: string;
    }
  | { readonly type: "run.cancelled"; readonly runId: string; readonly reason: string }
  | {
      readonly type: "run.ended";
      readonly runId: string;
      readonly status: RunStatus;
      /** Steering messages that the run saw; all others get runs of their own. */
      readonly seen?: ReadonlyArray<string>;
    }
  | { readonly type: "session.paused" }
  | { readonly type: "session.unpaused" };

export type SessionIntent =
  | { readonly type: "intent.acknowledge"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.startRun"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.refuseRun"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.abortRun"; readonly key: string; readonly runId: string; readonly reason: string }
  | { readonly type: "intent.announceEnd"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.dropRun"; readonly key: string; readonly runId: string; readonly reason: string }
  | { readonly type: "intent.steerRun"; readonly key: string; readonly runId: string; readonly messageId: string }
  | { readonly type: "intent.pauseRun"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.unpauseRun"; readonly key: string; readonly runId: string };

const runIdOf = (event: SessionEvent): string => ("runId" in event ? event.runId : "");

const unseenBy = (
  { steering }: SessionContext,
  { seen = [] }: SessionEvent & { readonly type: "run.ended" },
): ReadonlyArray<string> => steering.filter((id) => !seen.includes(id));

/** A session: its runs one after another, in the order they were accepted. */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionIntent,
    input: {} as SessionInput,
  },
  guards: {
    isFull: ({ context }) => context.waiting.length + context.steering.length >= context.maxWaiting,
    isSteering: ({ event }) => event.type === "message.accepted" && event.delivery === "steer",
    isRunning: ({ context, event }) => event.type === "run.cancelled" && event.runId === context.running,
    isWaiting: ({ context, event }) => event.type === "run.cancelled" && context.waiting.includes(event.runId),
    isHeld: ({ context, event }) => event.type === "run.ended" && event.runId === context.running && context.isPaused,
    isLast: ({ context, event }) =>
      event.type === "run.ended" &&
      event.runId === context.running &&
      context.waiting.length === 0 &&
      unseenBy(context, event).length === 0,
    hasNext: ({ context, event }) => event.type === "run.ended" && event.runId === context.running,
    hasWaiting: ({ context }) => context.waiting.length > 0,
  },
  actions: {
    rememberAbort: assign({
      abortReason: ({ context, event }) =>
        context.abortReason ?? (event.type === "run.cancelled" ? event.reason : null),
    }),
    begin: assign({ running: ({ event }) => (event.type === "message.accepted" ? event.runId : null) }),
    enqueue: assign({
      waiting: ({ context, event }) =>
        event.type === "message.accepted" ? [...context.waiting, event.runId] : context.waiting,
    }),
    steer: assign({
      steering: ({ context, event }) =>
        event.type === "message.accepted" ? [...context.steering, event.runId] : context.steering,
    }),
    drop: assign({ waiting: ({ context, event }) => context.waiting.filter((runId) => runId !== runIdOf(event)) }),
    // What a run was told and never saw was said before anything that waits.
    keepUnseen: assign({
      waiting: ({ context, event }) =>
        event.type === "run.ended" ? [...unseenBy(context, event), ...context.waiting] : context.waiting,
      steering: [],
      abortReason: null,
    }),
    beginNext: assign({
      running: ({ context }) => context.waiting[0] ?? null,
      waiting: ({ context }) => context.waiting.slice(1),
    }),
    rest: assign({ running: null }),
    pause: assign({ isPaused: true }),
    unpause: assign({ isPaused: false }),
    startRun: emit(({ context }) => {
      const runId = context.running ?? "";
      return { type: "intent.startRun" as const, key: `start ${runId}`, runId };
    }),
    acknowledge: emit(({ event }) => ({
      type: "intent.acknowledge" as const,
      key: `acknowledge ${runIdOf(event)}`,
      runId: runIdOf(event),
    })),
    announceEnd: emit(({ event }) => ({
      type: "intent.announceEnd" as const,
      key: `announce ${runIdOf(event)}`,
      runId: runIdOf(event),
    })),
    refuseRun: emit(({ event }) => ({
      type: "intent.refuseRun" as const,
      key: `refuse ${runIdOf(event)}`,
      runId: runIdOf(event),
    })),
    abortRun: emit(({ event }) => ({
      type: "intent.abortRun" as const,
      key: `abort ${runIdOf(event)}`,
      runId: runIdOf(event),
      reason: event.type === "run.cancelled" ? event.reason : "",
    })),
    dropRun: emit(({ event }) => ({
      type: "intent.dropRun" as const,
      key: `drop ${runIdOf(event)}`,
      runId: runIdOf(event),
      reason: event.type === "run.cancelled" ? event.reason : "",
    })),
    steerRun: emit(({ context, event }) => ({
      type: "intent.steerRun" as const,
      key: `steer ${runIdOf(event)}`,
      runId: context.running ?? "",
      messageId: runIdOf(event),
    })),
    pauseRun: emit(({ context }) => ({
      type: "intent.pauseRun" as const,
      key: `pause ${context.running ?? ""}`,
      runId: context.running ?? "",
    })),
    unpauseRun: emit(({ context }) => ({
      type: "intent.unpauseRun" as const,
      key: `unpause ${context.running ?? ""}`,
      runId: context.running ?? "",
    })),
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({
    maxWaiting: input.maxWaiting,
    running: null,
    waiting: [],
    steering: [],
    isPaused: false,
    abortReason: null,
  }),
  initial: "idle",
  states: {
    idle: {
      on: {
        "message.accepted": { target: "running", actions: ["begin", "acknowledge", "startRun"] },
        "session.paused": { target: "held", actions: "pause" },
      },
    },
    held: {
      on: {
        "message.accepted": [{ guard: "isFull", actions: "refuseRun" }, { actions: ["enqueue", "acknowledge"] }],
        "run.cancelled": { guard: "isWaiting", actions: ["drop", "dropRun"] },
        "session.unpaused": [
          { guard: "hasWaiting", target: "running", actions: ["unpause", "beginNext", "startRun"] },
          { target: "idle", actions: "unpause" },
        ],
      },
    },
    running: {
      on: {
        "message.accepted": [
          { guard: "isFull", actions: "refuseRun" },
          { guard: "isSteering", actions: ["steer", "acknowledge", "steerRun"] },
          { actions: ["enqueue", "acknowledge"] },
        ],
        "run.cancelled": [
          { guard: "isRunning", actions: ["rememberAbort", "abortRun"] },
          { guard: "isWaiting", actions: ["drop", "dropRun"] },
        ],
        "run.ended": [
          { guard: "isHeld", target: "held", actions: ["keepUnseen", "rest", "announceEnd"] },
          { guard: "isLast", target: "idle", actions: ["keepUnseen", "rest", "announceEnd"] },
          { guard: "hasNext", actions: ["keepUnseen", "beginNext", "announceEnd", "startRun"] },
        ],
        "session.paused": { actions: ["pause", "pauseRun"] },
        "session.unpaused": { actions: ["unpause", "unpauseRun"] },
      },
    },
  },
});
