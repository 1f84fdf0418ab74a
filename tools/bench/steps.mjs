// Figures without any I/O: what one machine step costs, and whether a late turn costs more than an early one.
import { defineHarness, sessionMachine, toolCallMachine, turnMachine } from "@kumiko/core-loop";
import { replay } from "@kumiko/machine-kit";
import { permissionEngine } from "@kumiko/permission-engine";
import { defineTool, fromJsonSchema } from "@kumiko/plugin-api";

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const message = { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "echo", input: {} }] };
const histories = [
  [
    turnMachine,
    { runId: "r", maxIterations: { standard: 99, gui: 99 } },
    [
      { type: "prompt.built" },
      ...Array.from({ length: 20 }, () => [
        { type: "reply.received", message, stopReason: "tool-calls", usage: { inputTokens: 1, outputTokens: 1 } },
        { type: "calls.admitted", admitted: ["c"] },
        { type: "calls.settled" },
        { type: "results.recorded", message: { role: "tool", parts: [] }, refusals: 0, steering: { type: "continue" } },
      ]).flat(),
    ],
  ],
  [
    toolCallMachine,
    undefined,
    [
      { type: "call.accepted" },
      { type: "rules.allowed" },
      { type: "plugins.passed" },
      { type: "call.started" },
      { type: "call.succeeded" },
    ],
  ],
  [
    sessionMachine,
    { maxWaiting: 9 },
    Array.from({ length: 10 }, (_, n) => [
      { type: "message.accepted", runId: `${n}`, message: { role: "user", parts: [] } },
      { type: "run.ended", runId: `${n}`, status: "done" },
    ]).flat(),
  ],
];
const steps = {};
for (const [machine, input, events] of histories) {
  const rounds = [];
  for (let round = 0; round < 40; round++) {
    const t = performance.now();
    for (let n = 0; n < 50; n++) replay(machine, input, events);
    rounds.push(((performance.now() - t) * 1000) / (50 * (events.length + 1)));
  }
  steps[machine.id] = median(rounds.slice(10));
}

// Turn n of one long run, model and tool in this process, so that nothing is sent: what grows would be our own work.
const turns = 1_050;
const at = [];
const model = {
  id: "in-process/scripted",
  generate: ({ messages }, onEvent) => {
    at.push(process.cpuUsage());
    onEvent({ type: "text.delta", index: 0, text: "word " });
    const n = at.length;
    const parts =
      n > turns
        ? [{ type: "text", text: "done." }]
        : [{ type: "tool-call", id: `c${n}`, name: "echo", input: { key: `k${messages.length}` } }];
    return Effect.succeed({
      message: { role: "assistant", parts },
      stopReason: "tool-calls",
      usage: { inputTokens: 1, outputTokens: 1 },
    });
  },
};
const Effect = await import("effect/Effect");
const echo = defineTool({
  name: "echo",
  description: "-",
  input: fromJsonSchema({ type: "object", properties: { key: { type: "string" } }, required: ["key"] }),
  risk: "read",
  execute: ({ key }) => key + "x".repeat(1024),
});
const windows = { early: [], late: [] };
for (let round = 0; round < 7; round++) {
  at.length = 0;
  const harness = defineHarness({
    model,
    permissions: permissionEngine(),
    tools: [echo],
    cwd: "/",
    maxIterations: 100_000,
  });
  await harness.run("Go.");
  await harness.dispose();
  const spent = (from, to) => (at[to].user + at[to].system - at[from].user - at[from].system) / (to - from);
  if (round > 1) {
    windows.early.push(spent(60, 140));
    windows.late.push(spent(960, 1040));
  }
}
console.log(JSON.stringify({ steps, earlyMicros: median(windows.early), lateMicros: median(windows.late) }));
