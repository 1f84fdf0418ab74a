import { addUsage, noUsage, type RunEvent, runEventSchemaVersion, textOf, toolCallsOf } from "@kumiko/plugin-api";
import { bounds } from "./bounds.ts";
import { appendProgress, draftWith, withCall, withItem, withItems } from "./timeline.ts";
import { todoOf } from "./todoOf.ts";
import type { CallView, Draft, NoticeView, RunView, TimelineItem, View } from "./View.ts";

/** The view of somebody who has read nothing yet. */
export const noView: View = { runs: [], droppedRuns: 0, skipped: 0 };

const noDraft: Draft = { text: "", reasoning: "", isCut: false };

/**
 * The view after one more event of the public stream. Pure; no clock is read: times are those of the events.
 *
 * **Contract.** Any event is accepted, in any state: kinds and versions that are not known, and events that were read
 * before, are counted in `skipped` and change nothing else; a reader that comes late (`fromSeq`) sees what is there since.
 * How deltas are split makes no difference, and a finished message supersedes them. What a view holds is bounded
 * ({@link bounds}); an event costs no more for many before it.
 *
 * @example
 * ```ts
 * const stamp = { schemaVersion: 1, runId: "r", sessionKey: "s", time: 0 } as const
 * const start = { ...stamp, seq: 1, type: "lifecycle.start", model: "a/one", isRehearsal: false, cwd: "/w" } as const
 * reduceRunEvent(noView, start).runs.length // => 1
 * ```
 */
export const reduceRunEvent = (view: View, event: RunEvent): View => {
  if (event.schemaVersion !== runEventSchemaVersion) return skipped(view);
  const index = view.runs.findLastIndex(({ runId }) => runId === event.runId);
  const before = index < 0 ? begun(event) : view.runs[index];
  if (before === undefined || (index >= 0 && event.seq <= before.lastSeq)) return skipped(view);
  const after = reduceRun(before, event);
  if (after === undefined) return skipped(view);
  const stamped = { ...after, lastSeq: event.seq, changedAt: event.time };
  const todo = event.type === "tool.start" && event.tool === "todo" ? todoOf(event.input) : undefined;
  const excess = Math.max(view.runs.length + (index < 0 ? 1 : 0) - bounds.runs, 0);
  return {
    ...view,
    runs: index < 0 ? [...view.runs.slice(excess), stamped] : view.runs.with(index, stamped),
    droppedRuns: view.droppedRuns + excess,
    ...(todo === undefined ? {} : { todo }),
  };
};

const skipped = (view: View): View => ({ ...view, skipped: view.skipped + 1 });

const begun = (event: RunEvent): RunView => ({
  runId: event.runId,
  sessionKey: event.sessionKey,
  isRehearsal: false,
  isResumed: false,
  startedAt: event.time,
  changedAt: event.time,
  lastSeq: event.seq - 1,
  isJoinedLate: event.type !== "lifecycle.start",
  items: [],
  droppedItems: 0,
  draft: noDraft,
  openApprovals: [],
  proposed: [],
  runningCalls: 0,
  activeSince: event.time,
  activity: "thinking",
  modelCalls: 0,
  usage: noUsage,
  costIsPartial: false,
});

/** Undefined: an event of a kind that is not known. */
const reduceRun = (run: RunView, event: RunEvent): RunView | undefined => {
  const { time } = event;
  switch (event.type) {
    case "lifecycle.start": {
      const { cwd, isRehearsal, isResumed = false, model, repair } = event;
      const started = active({ ...run, model, cwd, isRehearsal, isResumed }, "thinking", time);
      return repair === undefined ? started : noticed(started, "repair", repair, time);
    }
    case "lifecycle.end":
    case "lifecycle.error": {
      const { costIsPartial = false, costUsd, usage } = event.outcome;
      return {
        ...active(settled(run), "ended", time),
        outcome: event.outcome,
        usage,
        costIsPartial,
        ...(costUsd === undefined ? {} : { costUsd }),
      };
    }
    case "assistant.delta":
      return { ...active(run, "writing", time), draft: draftWith(run.draft, "text", event.text) };
    case "reasoning.delta":
      return { ...active(run, "thinking", time), draft: draftWith(run.draft, "reasoning", event.text) };
    case "assistant.end":
      return replied(run, event);
    case "model.failed": {
      const { attempt, attempts, detail, model, reason, retryAt } = event;
      const failure = {
        model,
        reason,
        detail,
        attempt,
        ...(attempts === undefined ? {} : { attempts }),
        ...(retryAt === undefined ? {} : { retryAt }),
      };
      return { ...active({ ...run, draft: noDraft }, "waiting", time), failure };
    }
    case "model.switched":
      return noticed({ ...run, model: event.to }, "switched", `${event.from} → ${event.to}: ${event.reason}`, time);
    case "model.silent":
      return noticed(run, "silent", `the model has said nothing for ${Math.round(event.silentMillis / 1000)} s`, time);
    case "tool.start": {
      const { callId, input, tool } = event;
      const call = { type: "call", callId, tool, input, startedAt: time, status: "running", progress: "" } as const;
      return active(
        withCall(run, callId, () => call),
        "calling",
        time,
      );
    }
    case "tool.update":
      return withCall(run, event.callId, (call) =>
        call === undefined || call.status !== "running" ? call : appendProgress(call, event.text),
      );
    case "tool.end": {
      const { callId, result, reused, tool } = event;
      const ended = withCall(run, callId, (call) => ({
        ...(call ?? refused(run, callId, tool)),
        status: result.status,
        endedAt: time,
        result,
        reused,
      }));
      return ended.runningCalls > 0 || ended.openApprovals.length > 0 ? ended : active(ended, "thinking", time);
    }
    case "approval.start": {
      const { callId, decision, prompt, questionId } = event;
      const approval = { type: "approval", questionId, callId, prompt, decision } as const;
      const openApprovals = [...run.openApprovals, approval].slice(-bounds.openApprovals);
      return active({ ...withItem(run, approval), openApprovals }, "asking", time);
    }
    case "approval.end":
      return answered(run, event.questionId, event.answer, time);
    case "loop.nudge":
      return noticed(run, "nudge", event.text, time);
    case "loop.followUp":
      return active(noticed(run, "followUp", event.reason, time), "thinking", time);
    case "loop.forceStop":
      return noticed(run, "forceStop", event.reason, time);
    case "plugin.failed":
      return noticed(run, "plugin", `a plugin failed at ${event.point}: ${event.detail}`, time);
    default:
      return undefined;
  }
};

const active = (run: RunView, activity: RunView["activity"], time: number): RunView =>
  run.activity === activity ? run : { ...run, activity, activeSince: time };

const noticed = (run: RunView, kind: NoticeView["kind"], text: string, time: number): RunView =>
  withItem(run, { type: "notice", kind, text, time });

const replied = (
  run: RunView,
  { costUsd, message, time, usage }: RunEvent & { readonly type: "assistant.end" },
): RunView => {
  const { failure: _recovered, ...rest } = run;
  const reasoning = message.parts.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n");
  const text = textOf(message);
  const items: ReadonlyArray<TimelineItem> = [
    ...(reasoning.trim() === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
  ];
  const isCharged = usage.inputTokens + usage.outputTokens > 0;
  return {
    ...active(withItems({ ...rest, draft: noDraft }, items), "thinking", time),
    proposed: toolCallsOf(message),
    modelCalls: run.modelCalls + 1,
    usage: addUsage(run.usage, usage),
    costIsPartial: run.costIsPartial || (costUsd === undefined && isCharged),
    ...(costUsd === undefined ? {} : { costUsd: (run.costUsd ?? 0) + costUsd }),
  };
};

// A call that ends without having begun was refused, or the reader came late.
const refused = (run: RunView, callId: string, tool: string): Omit<CallView, "status"> => {
  const call = run.proposed.find(({ id }) => id === callId);
  return { type: "call", callId, tool, progress: "", ...(call === undefined ? {} : { input: call.input }) };
};

const answered = (run: RunView, questionId: string, answer: string, time: number): RunView => {
  const openApprovals = run.openApprovals.filter((open) => open.questionId !== questionId);
  const index = run.items.findLastIndex((item) => item.type === "approval" && item.questionId === questionId);
  const item = run.items[index];
  const items = item?.type === "approval" ? run.items.with(index, { ...item, answer }) : run.items;
  const next = { ...run, items, openApprovals };
  return openApprovals.length > 0 ? next : active(next, run.runningCalls > 0 ? "calling" : "thinking", time);
};

// Whatever was under way when a run ended is over: an interrupted call has no end of its own in every case.
const settled = (run: RunView): RunView => ({
  ...run,
  draft: noDraft,
  openApprovals: [],
  runningCalls: 0,
  items:
    run.runningCalls === 0
      ? run.items
      : run.items.map((item) =>
          item.type === "call" && item.status === "running" ? { ...item, status: "cancelled" as const } : item,
        ),
});
