import type { AssistantMessage, LanguageModel, Message } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";

type Call = readonly [name: string, input: Readonly<Record<string, unknown>>];

/** What each turn of the first run calls; the files it leaves are the same whatever happens on the way. */
export const turns: ReadonlyArray<ReadonlyArray<Call>> = [
  [["file_write", { path: "a.txt", content: "one\n" }]],
  [["file_read", { path: "a.txt" }]],
  [["bash", { command: "echo 1 >> ../ran.log" }]],
  [
    ["file_write", { path: "b.txt", content: "b\n" }],
    ["file_write", { path: "c/d.txt", content: "d\n" }],
  ],
  [["glob", { pattern: "**/*.txt" }]],
  [
    ["file_read", { path: "b.txt" }],
    ["file_read", { path: "c/d.txt" }],
  ],
  [["file_write", { path: "b.txt", content: "b2\n" }]],
  // Not allowed by any rule: somebody is asked.
  [["bash", { command: "echo 2 >> ../ran.log; true" }]],
  [["file_edit", { path: "a.txt", edits: [{ old: "one", new: "two" }] }]],
  [["grep", { pattern: "b" }]],
  [
    ["bash", { command: "echo 3 >> ../ran.log" }],
    ["file_write", { path: "e.txt", content: "e\n" }],
  ],
  // The second waits for the first: both change one file.
  [
    ["file_edit", { path: "a.txt", edits: [{ old: "two", new: "three" }] }],
    ["file_edit", { path: "a.txt", edits: [{ old: "three", new: "four" }] }],
  ],
  [["file_read", { path: "a.txt" }]],
  [["file_write", { path: "f.txt", content: "f\n" }]],
  [["bash", { command: "echo 4 >> ../ran.log" }]],
  [["file_read", { path: "missing.txt" }]],
  [["file_edit", { path: "e.txt", edits: [{ old: "e", new: "E" }] }]],
  [["file_write", { path: "f.txt", content: "F\n" }]],
  [["bash", { command: "echo 5 >> ../ran.log" }]],
];

/**
 * A model that knows its part by heart: what it says follows from the messages alone, so that it goes on in any process.
 * Tells of every request that a provider would refuse.
 */
export const playwright = (onInvalid: (problem: string) => void): LanguageModel => ({
  id: "scripted/kill",
  generate: ({ messages }) =>
    Effect.sync(() => {
      const problem = invalidity(messages);
      if (problem !== undefined) onInvalid(problem);
      const message = replyTo(messages);
      const hasCalls = message.parts.some(({ type }) => type === "tool-call");
      return {
        message,
        stopReason: hasCalls ? ("tool-calls" as const) : ("end" as const),
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    }),
});

const replyTo = (messages: ReadonlyArray<Message>): AssistantMessage => {
  const isSecond = JSON.stringify(messages.findLast(({ role }) => role === "user")).includes('"second"');
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const calls = isSecond ? undefined : turns[turn];
  if (calls === undefined)
    return {
      role: "assistant",
      parts: [{ type: "text", text: isSecond ? "the second is done" : "the first is done" }],
    };
  return {
    role: "assistant",
    parts: calls.map(([name, input], at) => ({
      type: "tool-call",
      id: `t${turn}c${at}`,
      name,
      input: JSON.parse(JSON.stringify(input)),
    })),
  };
};

/** What a provider would say: every call has exactly one result, in the message right after it, and no result is alone. */
const invalidity = (messages: ReadonlyArray<Message>): string | undefined => {
  for (const [at, message] of messages.entries()) {
    const next = messages[at + 1];
    const before = messages[at - 1];
    const calls =
      message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])) : [];
    const results = next?.role === "tool" ? next.parts.map(({ callId }) => callId) : [];
    if (JSON.stringify(calls) !== JSON.stringify(results))
      return `message ${at}: calls ${calls} have results ${results}`;
    if (message.role === "tool" && before?.role !== "assistant") return `message ${at}: results of nothing`;
    if (message.parts.length === 0) return `message ${at} is empty`;
  }
  return messages.at(-1)?.role === "assistant" ? "the last message is the model's own" : undefined;
};
