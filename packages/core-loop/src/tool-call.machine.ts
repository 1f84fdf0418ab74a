import type { AuditDisposition, Json, Recovery, SavedChange, ToolOutput, ToolStatus } from "@kumiko/plugin-api";
import { assign, emit, setup } from "xstate";

export interface ToolCallContext {
  /** Rewrites by plugins so far: one is allowed. */
  readonly rewrites: number;
  /** The rules want the user asked. */
  readonly rulesAsk: boolean;
  /** The input the user said yes to, by digest; absent: nobody was asked. */
  readonly approvedDigest: string | null;
  readonly status: ToolStatus;
  readonly disposition: AuditDisposition;
}

/** The texts and outputs are for whoever takes the run over: the machine does not look at them. */
export type ToolCallEvent =
  | { readonly type: "call.rejected" }
  | { readonly type: "call.reused"; readonly status: ToolStatus }
  | { readonly type: "call.accepted" }
  | { readonly type: "rules.allowed" }
  | { readonly type: "rules.asked" }
  | { readonly type: "rules.refused" }
  | { readonly type: "plugins.passed" }
  | { readonly type: "plugins.asked" }
  | { readonly type: "plugins.rewrote" }
  | { readonly type: "plugins.blocked" }
  | { readonly type: "user.approved"; readonly inputDigest: string }
  | { readonly type: "user.denied" }
  /** An earlier process began this call, and nobody wrote down how it ended. */
  | { readonly type: "call.foundOpen" }
  /** The look-up says that it did not happen: it is a new call, for the rules as well. */
  | { readonly type: "call.notDone" }
  | { readonly type: "call.outcomeUnknown" }
  /** With `changes`, even if there are none: it was written down before it ran, since it is not only reading. */
  | {
      readonly type: "call.started";
      readonly changes?: ReadonlyArray<SavedChange>;
      /** The input it ran with, where a plugin had rewritten it. */
      readonly input?: Json;
      /** What its tool said of recovery when it ran. */
      readonly recovery?: Recovery;
    }
  | { readonly type: "call.succeeded"; readonly output?: ToolOutput }
  | { readonly type: "call.failed"; readonly problem?: string }
  | { readonly type: "call.cancelled" };

export type ToolCallIntent =
  | { readonly type: "intent.inspectCall" }
  | { readonly type: "intent.applyRules" }
  | { readonly type: "intent.consultPlugins" }
  | { readonly type: "intent.askUser" }
  | { readonly type: "intent.admitCall"; readonly approvedDigest: string | null }
  | { readonly type: "intent.recoverCall" }
  | { readonly type: "intent.executeCall" };

type Settlement = Pick<ToolCallContext, "status" | "disposition">;
const invalid: Settlement = { status: "error", disposition: "invalid" };
const denied: Settlement = { status: "denied", disposition: "denied" };
const blocked: Settlement = { status: "denied", disposition: "blocked" };
const succeeded: Settlement = { status: "ok", disposition: "executed" };
const failed: Settlement = { status: "error", disposition: "executed" };
const cancelled: Settlement = { status: "cancelled", disposition: "cancelled" };
const unknown: Settlement = { status: "unknown", disposition: "executed" };
const interrupted: Settlement = { status: "cancelled", disposition: "executed" };

/**
 * One tool call, from proposal to result. Admission order: known and fitting (or answered from an earlier result), the
 * rules, the plugins (one rewrite at most, then the rules again), the user, once, on the final input. Nothing runs
 * before `admitted`, and `intent.admitCall` is emitted on no other way into it. Which call it is about is known to its
 * owner, not to the machine: all calls take the same few steps.
 */
export const toolCallMachine = setup({
  types: {
    context: {} as ToolCallContext,
    events: {} as ToolCallEvent,
    emitted: {} as ToolCallIntent,
  },
  guards: {
    hasRewriteLeft: ({ context }) => context.rewrites === 0,
    rulesAsk: ({ context }) => context.rulesAsk,
  },
  actions: {
    inspectCall: emit({ type: "intent.inspectCall" as const }),
    applyRules: emit({ type: "intent.applyRules" as const }),
    consultPlugins: emit({ type: "intent.consultPlugins" as const }),
    askUser: emit({ type: "intent.askUser" as const }),
    admitCall: emit(({ context }) => ({
      type: "intent.admitCall" as const,
      approvedDigest: context.approvedDigest,
    })),
    recoverCall: emit({ type: "intent.recoverCall" as const }),
    executeCall: emit({ type: "intent.executeCall" as const }),
    countRewrite: assign({ rewrites: ({ context }) => context.rewrites + 1, rulesAsk: false }),
    rememberRulesAsk: assign({ rulesAsk: true }),
    rememberApproval: assign({
      approvedDigest: ({ event }) => (event.type === "user.approved" ? event.inputDigest : null),
    }),
    settle: assign({
      status: (_, params: Settlement) => params.status,
      disposition: (_, params: Settlement) => params.disposition,
    }),
    settleReused: assign({
      status: ({ event }) => (event.type === "call.reused" ? event.status : "error"),
      disposition: "reused",
    }),
  },
}).createMachine({
  id: "toolCall",
  context: { rewrites: 0, rulesAsk: false, approvedDigest: null, status: "cancelled", disposition: "cancelled" },
  initial: "proposed",
  on: {
    "call.cancelled": { target: ".settled", actions: { type: "settle", params: cancelled } },
  },
  states: {
    proposed: {
      entry: "inspectCall",
      on: {
        "call.rejected": { target: "settled", actions: { type: "settle", params: invalid } },
        "call.reused": { target: "settled", actions: "settleReused" },
        "call.accepted": "checking",
        "call.foundOpen": "recovering",
      },
    },
    recovering: {
      entry: "recoverCall",
      on: {
        "call.succeeded": { target: "settled", actions: { type: "settle", params: succeeded } },
        "call.notDone": "checking",
        "call.outcomeUnknown": { target: "settled", actions: { type: "settle", params: unknown } },
        "call.cancelled": { target: "settled", actions: { type: "settle", params: unknown } },
      },
    },
    checking: {
      initial: "ruling",
      states: {
        ruling: {
          entry: "applyRules",
          on: {
            "rules.allowed": "consulting",
            "rules.asked": { target: "consulting", actions: "rememberRulesAsk" },
            "rules.refused": { target: "#toolCall.settled", actions: { type: "settle", params: denied } },
          },
        },
        consulting: {
          entry: "consultPlugins",
          on: {
            "plugins.passed": [{ guard: "rulesAsk", target: "#toolCall.asking" }, { target: "#toolCall.admitted" }],
            "plugins.asked": "#toolCall.asking",
            "plugins.rewrote": [
              { guard: "hasRewriteLeft", target: "ruling", actions: "countRewrite" },
              { target: "#toolCall.settled", actions: { type: "settle", params: blocked } },
            ],
            "plugins.blocked": { target: "#toolCall.settled", actions: { type: "settle", params: blocked } },
          },
        },
      },
    },
    asking: {
      entry: "askUser",
      on: {
        "user.approved": { target: "admitted", actions: "rememberApproval" },
        "user.denied": { target: "settled", actions: { type: "settle", params: denied } },
      },
    },
    admitted: { entry: "admitCall", on: { "call.started": "running" } },
    running: {
      entry: "executeCall",
      on: {
        "call.succeeded": { target: "settled", actions: { type: "settle", params: succeeded } },
        "call.failed": { target: "settled", actions: { type: "settle", params: failed } },
        "call.cancelled": { target: "settled", actions: { type: "settle", params: interrupted } },
      },
    },
    settled: { type: "final" },
  },
});
