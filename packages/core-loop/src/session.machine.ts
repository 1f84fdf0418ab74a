import type { RunStatus, UserMessage } from "@kumiko/plugin-api";
import { assign, emit, setup } from "xstate";

export interface SessionInput {
  /** Runs that may wait behind the running one; more are refused. */
  readonly maxWaiting: number;
}

export interface SessionContext {
  readonly maxWaiting: number;
  readonly running: string | null;
  /** First come, first served. */
  readonly waiting: ReadonlyArray<string>;
}

export type SessionEvent =
  | { readonly type: "message.accepted"; readonly runId: string; readonly message: UserMessage }
  | { readonly type: "run.cancelled"; readonly runId: string; readonly reason: string }
  | { readonly type: "run.ended"; readonly runId: string; readonly status: RunStatus };

export type SessionIntent =
  | { readonly type: "intent.acknowledge"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.startRun"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.refuseRun"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.abortRun"; readonly key: string; readonly runId: string; readonly reason: string }
  | { readonly type: "intent.announceEnd"; readonly key: string; readonly runId: string }
  | { readonly type: "intent.dropRun"; readonly key: string; readonly runId: string; readonly reason: string };

/** A session: its runs one after another, in the order they were accepted. */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionIntent,
    input: {} as SessionInput,
  },
  guards: {
    isFull: ({ context }) => context.waiting.length >= context.maxWaiting,
    isRunning: ({ context, event }) => event.type === "run.cancelled" && event.runId === context.running,
    isWaiting: ({ context, event }) => event.type === "run.cancelled" && context.waiting.includes(event.runId),
    isLast: ({ context, event }) =>
      event.type === "run.ended" && event.runId === context.running && context.waiting.length === 0,
    hasNext: ({ context, event }) => event.type === "run.ended" && event.runId === context.running,
  },
  actions: {
    begin: assign({ running: ({ event }) => (event.type === "message.accepted" ? event.runId : null) }),
    enqueue: assign({
      waiting: ({ context, event }) =>
        event.type === "message.accepted" ? [...context.waiting, event.runId] : context.waiting,
    }),
    drop: assign({ waiting: ({ context, event }) => context.waiting.filter((runId) => runId !== event.runId) }),
    beginNext: assign({
      running: ({ context }) => context.waiting[0] ?? null,
      waiting: ({ context }) => context.waiting.slice(1),
    }),
    rest: assign({ running: null }),
    startRun: emit(({ context }) => {
      const runId = context.running ?? "";
      return { type: "intent.startRun" as const, key: `start ${runId}`, runId };
    }),
    acknowledge: emit(({ event: { runId } }) => ({
      type: "intent.acknowledge" as const,
      key: `acknowledge ${runId}`,
      runId,
    })),
    announceEnd: emit(({ event: { runId } }) => ({
      type: "intent.announceEnd" as const,
      key: `announce ${runId}`,
      runId,
    })),
    refuseRun: emit(({ event: { runId } }) => ({ type: "intent.refuseRun" as const, key: `refuse ${runId}`, runId })),
    abortRun: emit(({ event }) => ({
      type: "intent.abortRun" as const,
      key: `abort ${event.runId}`,
      runId: event.runId,
      reason: event.type === "run.cancelled" ? event.reason : "",
    })),
    dropRun: emit(({ event }) => ({
      type: "intent.dropRun" as const,
      key: `drop ${event.runId}`,
      runId: event.runId,
      reason: event.type === "run.cancelled" ? event.reason : "",
    })),
  },
}).createMachine({
  id: "session",
  context: ({ input }) => ({ maxWaiting: input.maxWaiting, running: null, waiting: [] }),
  initial: "idle",
  states: {
    idle: { on: { "message.accepted": { target: "running", actions: ["begin", "acknowledge", "startRun"] } } },
    running: {
      on: {
        "message.accepted": [{ guard: "isFull", actions: "refuseRun" }, { actions: ["enqueue", "acknowledge"] }],
        "run.cancelled": [
          { guard: "isRunning", actions: "abortRun" },
          { guard: "isWaiting", actions: ["drop", "dropRun"] },
        ],
        "run.ended": [
          { guard: "isLast", target: "idle", actions: ["rest", "announceEnd"] },
          { guard: "hasNext", actions: ["beginNext", "announceEnd", "startRun"] },
        ],
      },
    },
  },
});
