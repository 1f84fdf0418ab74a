import type { JournalRecord } from "@kumiko/runtime-api";
import { expect, it } from "vitest";
import { describeSession, describeUsage, forkMark } from "../src/index.ts";

const message = { role: "assistant", parts: [{ type: "text", text: "Hi." }] };
const user = { role: "user", parts: [{ type: "text", text: "Hi?" }] };
const usage = { inputTokens: 10, outputTokens: 2 };

const recorded = (...entries: ReadonlyArray<readonly [actor: string, body: JournalRecord["body"]]>) =>
  entries.map(([actor, body], index): JournalRecord => ({
    actor,
    kind: "event",
    body,
    seq: index + 1,
    epoch: 1,
    time: 1_000 + index,
  }));
const opened = ["about", { type: "session.opened", cwd: "/w", model: "a/old" }] as const;
const accepted = ["session", { type: "message.accepted", runId: "r1", message: user }] as const;
const reply = { type: "reply.received", message, stopReason: "end", usage };

it("tells each model call, its model and what it has cost, failed ones too", () => {
  const records = recorded(
    opened,
    accepted,
    ["run:r1", { type: "prompt.built" }],
    ["run:r1", { type: "model.failed", reason: "network", detail: "-", model: "a/one", at: 1 }],
    ["run:r1", { type: "model.failed", reason: "server", detail: "-", model: "a/one", at: 1, usage, costUsd: 0.5 }],
    ["run:r1", { ...reply, model: "b/two" }],
  );
  expect(describeUsage(records)).toEqual([
    { runId: "r1", time: 1_003, model: "a/one", usage: { inputTokens: 0, outputTokens: 0 }, isFailed: true },
    { runId: "r1", time: 1_004, model: "a/one", usage, costUsd: 0.5, isFailed: true },
    { runId: "r1", time: 1_005, model: "b/two", usage, isFailed: false },
  ]);
  const { runs, usage: total } = describeSession(records);
  expect(total).toEqual({ inputTokens: 20, outputTokens: 4 });
  expect(runs[0]).toMatchObject({ iterations: 1, usage: total, costUsd: 0.5, costIsPartial: true });
});

it("reads what earlier versions wrote, without model and cost", () => {
  const records = recorded(opened, accepted, ["run:r1", { type: "prompt.built" }], ["run:r1", reply]);
  expect(describeUsage(records)).toEqual([{ runId: "r1", time: 1_003, model: "a/old", usage, isFailed: false }]);
});

it("leaves the past of a fork to the session it came from", () => {
  const mark = forkMark("other");
  const records = recorded(
    opened,
    accepted,
    ["run:r1", reply],
    [mark.actor, mark.body],
    ["run:r1", { ...reply, costUsd: 1 }],
  );
  expect(describeUsage(records).map(({ time }) => time)).toEqual([1_004]);
  expect(describeSession(records)).toMatchObject({ cwd: "/w", model: "a/old", usage });
});
