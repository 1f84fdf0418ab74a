import type { AssistantMessage, Decision, RunEvent, RunEventBody } from "@kumiko/plugin-api";

const decision: Decision = {
  verdict: "ask",
  layer: "default",
  reason: "no rule allows it",
  risk: "local-write",
  resources: [],
  effects: [],
};

/** A run's events, numbered and a second apart. */
export const eventsOf = (bodies: ReadonlyArray<RunEventBody>, runId = "r1"): ReadonlyArray<RunEvent> =>
  bodies.map((body, index) => ({
    schemaVersion: 1,
    runId,
    sessionKey: "s",
    seq: index + 1,
    time: 1_000 * (index + 1),
    ...body,
  }));

export const said = (text: string): AssistantMessage => ({ role: "assistant", parts: [{ type: "text", text }] });

export const start: RunEventBody = { type: "lifecycle.start", model: "a/one", isRehearsal: false, cwd: "/w" };

export const usage = { inputTokens: 10, outputTokens: 5 };

/** One of everything. */
export const wholeRun: ReadonlyArray<RunEventBody> = [
  start,
  { type: "reasoning.delta", text: "hm" },
  { type: "assistant.delta", text: "I will " },
  { type: "assistant.delta", text: "look." },
  { type: "assistant.end", message: said("I will look."), usage, costUsd: 0.01 },
  {
    type: "approval.start",
    questionId: "q1",
    callId: "c1",
    prompt: "bash wants to run rm x",
    decision,
  },
  { type: "approval.end", questionId: "q1", callId: "c1", answer: "approve" },
  { type: "tool.start", callId: "c1", tool: "bash", input: { command: "rm x" } },
  { type: "tool.update", callId: "c1", text: "removing\n" },
  { type: "tool.update", callId: "c1", text: "done\n" },
  {
    type: "tool.end",
    callId: "c1",
    tool: "bash",
    result: { type: "tool-result", callId: "c1", name: "bash", status: "ok", text: "done" },
    reused: false,
  },
  {
    type: "tool.start",
    callId: "c2",
    tool: "todo",
    input: { items: [{ text: "look", status: "done" }, { text: "write", status: "pending" }, 7] },
  },
  {
    type: "tool.end",
    callId: "c2",
    tool: "todo",
    result: { type: "tool-result", callId: "c2", name: "todo", status: "ok", text: "2 items" },
    reused: false,
  },
  {
    type: "model.failed",
    model: "a/one",
    reason: "overloaded",
    detail: "529",
    attempt: 1,
    attempts: 8,
    retryAt: 20_000,
  },
  { type: "model.silent", silentMillis: 90_000 },
  { type: "model.switched", from: "a/one", to: "b/two", reason: "overloaded" },
  { type: "loop.nudge", text: "you repeat yourself" },
  { type: "loop.followUp", kind: "again", reason: "the reply was empty" },
  { type: "plugin.failed", point: "run.end", detail: "broke" },
  { type: "assistant.delta", text: "All done." },
  { type: "assistant.end", message: said("All done."), usage },
  { type: "loop.forceStop", reason: "100 turns" },
  {
    type: "lifecycle.end",
    outcome: {
      status: "done",
      text: "All done.",
      iterations: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
      costUsd: 0.01,
      costIsPartial: true,
    },
  },
];
