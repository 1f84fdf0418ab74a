import { RunEvent, type RunEventBody } from "@kumiko/plugin-api";
import { it as itEffect } from "@effect/vitest";
import * as Schema from "effect/Schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bounds, noView, reduceRunEvent, type RunView, type View } from "../src/index.ts";
import { eventsOf, said, start, usage, wholeRun } from "./events.ts";

const viewOf = (events: ReadonlyArray<RunEvent>, from: View = noView): View => events.reduce(reduceRunEvent, from);
const runOf = (bodies: ReadonlyArray<RunEventBody>): RunView => {
  const run = viewOf(eventsOf(bodies)).runs.at(-1);
  if (run === undefined) throw new Error("there is no run");
  return run;
};

describe("the view of a run", () => {
  it("has what was said, called, asked and noticed, in order, and how it ended", () => {
    const view = viewOf(eventsOf(wholeRun));
    const [run] = view.runs;
    expect(run?.items.map((item) => (item.type === "notice" ? item.kind : item.type))).toEqual([
      "text",
      "approval",
      "call",
      "call",
      "silent",
      "switched",
      "nudge",
      "followUp",
      "plugin",
      "text",
      "forceStop",
    ]);
    expect(run?.items[2]).toMatchObject({
      tool: "bash",
      input: { command: "rm x" },
      status: "ok",
      startedAt: 8_000,
      endedAt: 11_000,
      progress: "removing\ndone\n",
    });
    expect(run?.items[1]).toMatchObject({ answer: "approve" });
    expect(run).toMatchObject({
      model: "b/two",
      activity: "ended",
      openApprovals: [],
      runningCalls: 0,
      modelCalls: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
      costUsd: 0.01,
      costIsPartial: true,
      outcome: { status: "done" },
    });
    expect(view.todo).toEqual([
      { text: "look", status: "done" },
      { text: "write", status: "pending" },
    ]);
  });

  it("says at every moment what the run is at", () => {
    const events = eventsOf(wholeRun);
    const activities = events.map((_, index) => viewOf(events.slice(0, index + 1)).runs[0]?.activity);
    expect([...new Set(activities)]).toEqual(["thinking", "writing", "asking", "calling", "waiting", "ended"]);
  });

  it("takes the finished message for the text, whatever its deltas showed", () => {
    const run = runOf([
      start,
      { type: "assistant.delta", text: "half" },
      { type: "assistant.end", message: said("the whole"), usage },
    ]);
    expect(run.draft.text).toBe("");
    expect(run.items).toEqual([{ type: "text", text: "the whole" }]);
  });

  it("makes a reply void that failed, and forgets the failure once one succeeds", () => {
    const failed = [
      start,
      { type: "assistant.delta", text: "half" },
      {
        type: "model.failed",
        model: "a/one",
        reason: "network",
        detail: "reset",
        attempt: 1,
        attempts: 8,
        retryAt: 9_000,
      },
    ] as const;
    expect(runOf(failed)).toMatchObject({ draft: { text: "" }, activity: "waiting", failure: { retryAt: 9_000 } });
    const recovered = runOf([...failed, { type: "assistant.end", message: said("x"), usage }]);
    expect(recovered.failure).toBeUndefined();
    expect(recovered.activity).toBe("thinking");
  });

  it("knows what a refused call was given, though it never began", () => {
    const call = { type: "tool-call", id: "c", name: "bash", input: { command: "rm -rf /" } } as const;
    const result = { type: "tool-result", callId: "c", name: "bash", status: "denied", text: "no" } as const;
    const run = runOf([
      start,
      { type: "assistant.end", message: { role: "assistant", parts: [call] }, usage },
      { type: "tool.end", callId: "c", tool: "bash", result, reused: false },
    ]);
    expect(run.items).toMatchObject([{ type: "call", status: "denied", input: { command: "rm -rf /" } }]);
  });

  it("settles what was under way when the run ends", () => {
    const run = runOf([
      start,
      { type: "tool.start", callId: "c", tool: "bash", input: {} },
      {
        type: "lifecycle.error",
        outcome: { status: "aborted", text: "", reason: "you", iterations: 1, usage },
      },
    ]);
    expect(run).toMatchObject({ runningCalls: 0, items: [{ status: "cancelled" }] });
  });

  itEffect.prop("takes any events in any order", [Schema.Array(RunEvent)], ([events]) => {
    const view = viewOf(events);
    expect(view.runs.length + view.droppedRuns + view.skipped).toBeGreaterThanOrEqual(Math.min(events.length, 1));
    for (const run of view.runs) expect(run.runningCalls).toBeGreaterThanOrEqual(0);
  });

  it("takes every beginning and every end of a stream: a reader may stop early and come late", () => {
    const events = eventsOf(wholeRun);
    for (let at = 0; at <= events.length; at++) {
      const early = viewOf(events.slice(0, at));
      expect(early.skipped).toBe(0);
      expect(viewOf(events.slice(at), early)).toEqual(viewOf(events));
      const late = viewOf(events.slice(at));
      expect(late.skipped).toBe(0);
      if (at > 0 && at < events.length)
        expect(late.runs[0]).toMatchObject({ isJoinedLate: true, activity: "ended", usage: { inputTokens: 20 } });
    }
  });

  it("gives the same view however the deltas are split", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 8 }), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end));
        const draftOf = (texts: ReadonlyArray<string>) =>
          runOf([start, ...texts.map((piece) => ({ type: "assistant.delta", text: piece }) as const)]).draft;
        expect(draftOf(pieces)).toEqual(draftOf([whole]));
      }),
    );
  });

  it("takes an event once, though a reader that reconnects is sent it again", () => {
    const events = eventsOf(wholeRun);
    for (let at = 1; at < events.length; at++) {
      const again = viewOf(events.slice(at - 1), viewOf(events.slice(0, at)));
      expect({ ...again, skipped: 0 }).toEqual(viewOf(events));
      expect(again.skipped).toBe(1);
    }
  });

  it("skips kinds and versions that it does not know, and counts them", () => {
    const [first, second] = eventsOf([start, { type: "assistant.delta", text: "x" }]);
    if (first === undefined || second === undefined) throw new Error("there are two");
    const unknown: RunEvent = JSON.parse(JSON.stringify({ ...second, type: "tea.ready" }));
    const newer: RunEvent = JSON.parse(JSON.stringify({ ...second, schemaVersion: 2 }));
    const view = viewOf([first, unknown, newer, second]);
    expect(view).toMatchObject({ skipped: 2, runs: [{ draft: { text: "x" } }] });
  });

  it("keeps runs apart, and the last of many", () => {
    const many = Array.from({ length: bounds.runs + 3 }, (_, n) => eventsOf([start], `r${n}`)).flat();
    const view = viewOf(many);
    expect(view.runs).toHaveLength(bounds.runs);
    expect(view.droppedRuns).toBe(3);
    expect(view.runs.at(-1)?.runId).toBe(`r${bounds.runs + 2}`);
  });

  it("holds no more than it says, however long a run is", () => {
    const calls = Array.from({ length: bounds.items + 10 }, (_, n) => ({
      type: "tool.start" as const,
      callId: `c${n}`,
      tool: "bash",
      input: {},
    }));
    const run = runOf([start, ...calls, { type: "tool.update", callId: "c2009", text: "x".repeat(100_000) }]);
    expect(run.items).toHaveLength(bounds.items);
    expect(run.droppedItems).toBe(10);
    const last = run.items.at(-1);
    expect(last?.type === "call" ? last.progress.length : 0).toBe(bounds.progressCharacters);
    const long = runOf([start, { type: "assistant.delta", text: "x".repeat(3 * bounds.draftCharacters) }]);
    expect(long.draft).toMatchObject({ isCut: true });
    expect(long.draft.text).toHaveLength(bounds.draftCharacters);
  });

  it("touches of a view only what a delta changes, so that ten thousand cost ten thousand times one", () => {
    const before = viewOf(eventsOf(wholeRun.slice(0, 12)));
    const [next] = eventsOf([...wholeRun.slice(0, 12), { type: "assistant.delta", text: "x" }]).slice(-1);
    if (next === undefined) throw new Error("there is one");
    const after = reduceRunEvent(before, next);
    expect(after.runs[0]?.items).toBe(before.runs[0]?.items);
    expect(after.todo).toBe(before.todo);
  });
});
