import { type Message, userText } from "@kumiko/plugin-api";
import { describe, expect, it } from "vitest";
import { type Todo, todosOf, todoTool } from "../src/todoTool.ts";
import { run } from "./runTool.ts";
import * as Result from "effect/Result";

const tool = todoTool();
const todo = (text: string, status: Todo["status"] = "pending"): Todo => ({ text, status });
const called = (id: string, items: ReadonlyArray<Todo>, status: "ok" | "error" = "ok"): ReadonlyArray<Message> => [
  {
    role: "assistant",
    parts: [
      { type: "tool-call", id, name: "todo", input: { items: items.map(({ status, text }) => ({ text, status })) } },
    ],
  },
  { role: "tool", parts: [{ type: "tool-result", callId: id, name: "todo", status, text: "" }] },
];

describe("todo", () => {
  it("shows the list as it is now", async () => {
    const items = [todo("read", "done"), todo("write\nmore", "in_progress"), todo("test")];
    expect(await run(tool, { items: items.map((item) => ({ ...item })) }, "/")).toBe(
      "[x] read\n[>] write more\n[ ] test",
    );
    expect(await run(tool, { items: [] }, "/")).toBe("(nothing to do)");
  });

  it("takes no list with two items in progress, with empty or endless ones, or with too many", () => {
    const problem = (items: ReadonlyArray<Todo>): string => {
      const result = tool.inspect({ items: items.map((item) => ({ ...item })) }, "/");
      return Result.isFailure(result) ? result.failure.message : "";
    };
    expect(problem([todo("a", "in_progress"), todo("b", "in_progress")])).toContain("at most one item is in_progress");
    expect(problem([todo("")])).toContain("items");
    expect(problem([todo("x".repeat(301))])).toContain("items");
    expect(problem(Array.from({ length: 51 }, () => todo("a")))).toContain("items");
    expect(problem([todo("a", "in_progress"), todo("b", "done")])).toBe("");
  });

  it("lives in the session's history: the last call that was carried out is the list", () => {
    expect(todosOf([userText("hello")])).toEqual([]);
    const first = called("1", [todo("a"), todo("b")]);
    const second = called("2", [todo("a", "done"), todo("b", "in_progress")]);
    expect(todosOf([userText("go"), ...first, ...second])).toEqual([todo("a", "done"), todo("b", "in_progress")]);
    // Rewound or forked before the second call, the first is the last.
    expect(todosOf([userText("go"), ...first])).toEqual([todo("a"), todo("b")]);
    expect(todosOf([...first, ...called("3", [todo("refused")], "error")])).toEqual([todo("a"), todo("b")]);
    const malformed: Message = { role: "assistant", parts: [{ type: "tool-call", id: "4", name: "todo", input: [] }] };
    const result: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId: "4", name: "todo", status: "ok", text: "" }],
    };
    expect(todosOf([...first, malformed, result])).toEqual([todo("a"), todo("b")]);
  });
});
