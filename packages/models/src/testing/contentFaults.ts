import type { Fault } from "./Fault.ts";
import type { ScriptedCall, ScriptedReply } from "./ReplyScript.ts";

const withCalls = (reply: ScriptedReply, change: (call: ScriptedCall) => ScriptedCall): ScriptedReply => ({
  ...reply,
  calls: (reply.calls ?? []).map(change),
});

const argumentsOf = (call: ScriptedCall): string => call.argumentText ?? JSON.stringify(call.input);
// A value that is cut is never JSON: its first brace has no partner.
const cutArguments = (call: ScriptedCall): ScriptedCall => ({ ...call, argumentText: argumentsOf(call).slice(0, -1) });

/** The reply as text alone: each call written out by `write` on lines of its own, none made. */
const asText =
  (write: (call: ScriptedCall) => string) =>
  ({ calls = [], ...reply }: ScriptedReply): ScriptedReply => ({
    ...reply,
    reasoning: "",
    calls: [],
    text: [...(reply.text === undefined ? [] : [reply.text]), ...calls.map(write)].join("\n"),
    stopReason: "end",
  });

/** Everything a model may say wrong on a wire that works. */
export const contentFaults = {
  "duplicate-ids": {
    does: "gives all calls one id",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, id: "call_same" })),
    expected: { reply: true, failures: ["bad-response"] },
  },
  "missing-ids": {
    does: "gives calls no id",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, id: "" })),
    expected: { reply: true, failures: ["bad-response"] },
  },
  "unknown-tool": {
    does: "calls tools that do not exist",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, name: "no_such_tool" })),
    expected: { reply: true },
  },
  "nameless-tool": {
    does: "calls tools without naming them",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, name: "" })),
    expected: { failures: ["bad-response"] },
  },
  "no-arguments": {
    does: "sends no arguments at all, which means none",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, input: {}, argumentText: "" })),
    expected: { reply: true },
  },
  "arguments-cut-by-limit": {
    does: "reaches the output limit within arguments",
    reply: (reply) => ({ ...withCalls(reply, cutArguments), stopReason: "length" }),
    expected: { malformedCalls: true, stopReasons: ["length"] },
  },
  "arguments-cut": {
    does: "cuts arguments and says that all is well",
    reply: (reply) => withCalls(reply, cutArguments),
    expected: { malformedCalls: true, failures: ["bad-response"] },
  },
  "arguments-encoded-twice": {
    does: "sends arguments as a JSON text within a JSON text",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, argumentText: JSON.stringify(argumentsOf(call)) })),
    expected: { reply: true, malformedCalls: true },
  },
  "arguments-no-object": {
    does: "sends a list as arguments",
    reply: (reply) => withCalls(reply, (call) => ({ ...call, argumentText: `[${argumentsOf(call)}]` })),
    expected: { malformedCalls: true },
  },
  "call-as-xml": {
    does: "writes its calls as XML text",
    reply: asText((call) => `<tool_call>\n{"name": "${call.name}", "arguments": ${argumentsOf(call)}}\n</tool_call>`),
    expected: { reply: true },
  },
  "call-as-json": {
    does: "writes its calls as JSON text",
    reply: asText((call) => `{"tool_calls": [{"name": "${call.name}", "arguments": ${argumentsOf(call)}}]}`),
    expected: { reply: true },
  },
  "call-as-function": {
    does: "writes its calls as a program would",
    reply: asText((call) => `${call.name}(${argumentsOf(call)})`),
    expected: { reply: true },
  },
  "call-as-fence": {
    does: "writes its calls as fenced text",
    reply: asText((call) => `\`\`\`tool_code\n${call.name}(${argumentsOf(call)})\n\`\`\``),
    expected: { reply: true },
  },
  "empty-reply": {
    does: "says nothing",
    reply: ({ usage }) => ({ ...(usage === undefined ? {} : { usage }), stopReason: "end" }),
    expected: { reply: true, failures: ["bad-response"] },
  },
  "only-reasoning": {
    does: "thinks and says nothing",
    reply: ({ usage, reasoning = "Hm." }) => ({
      ...(usage === undefined ? {} : { usage }),
      reasoning,
      stopReason: "end",
    }),
    expected: { reply: true },
  },
  "cut-by-limit": {
    does: "reaches the output limit within the text",
    reply: (reply) => ({ ...reply, calls: [], stopReason: "length" }),
    expected: { reply: true },
  },
  refusal: {
    does: "refuses within the text",
    reply: (reply) => ({ ...reply, calls: [], stopReason: "refusal" }),
    expected: { reply: true },
  },
  "stop-without-calls": {
    does: "says that it stopped for calls, and makes none",
    wires: ["anthropic", "chat"],
    reply: (reply) => ({ ...reply, calls: [], stopReason: "tool-calls" }),
    expected: { reply: true, stopReasons: ["end", "other"] },
  },
  "calls-without-stop": {
    does: "makes calls and says that it simply ended",
    wires: ["anthropic", "chat"],
    reply: (reply) => ({ ...reply, stopReason: "end" }),
    expected: { reply: true, stopReasons: ["tool-calls"] },
  },
  "unknown-stop": {
    does: "stops for a reason nobody knows yet",
    wires: ["anthropic", "chat"],
    reply: (reply) => ({ ...reply, calls: [], stopReason: "other" }),
    expected: { reply: true },
  },
} satisfies Readonly<Record<string, Fault>>;
