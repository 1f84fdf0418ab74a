import { ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { describe, expect, it } from "vitest";
import { type SessionSearch, sessionSearchTool } from "../src/sessionSearchTool.ts";
import { failureOf, run } from "./runTool.ts";

const asked: Array<SessionSearch> = [];
const tool = sessionSearchTool({
  folder: "/state/sessions",
  search: (wanted) => {
    asked.push(wanted);
    if (wanted.text === "damaged") return Effect.fail(new ToolFailed({ kind: "failed", detail: "no disk" }));
    const hit = {
      sessionKey: "s1",
      run: 2,
      where: "answer",
      snippet: `…${wanted.text}\u001b[2J${"x".repeat(900)}`,
    } as const;
    return Effect.succeed(
      wanted.text === "none" ? { hits: [], more: 0, unreadable: 1 } : { hits: [hit], more: 3, unreadable: 0 },
    );
  },
});

describe("session_search", () => {
  it("shows where the text stands, bounded and without control characters", async () => {
    const text = await run(tool, { text: "needle" }, "/project");
    expect(text).toMatch(/^s1 run 2, answer: …needle \[2Jx+\n\(3 more; look for a longer text\)$/);
    expect(text.length).toBeLessThan(400);
    expect(asked.at(-1)).toEqual({ text: "needle", all: false, cwd: "/project", sessionKey: "session", limit: 20 });
    expect(await run(tool, { text: "none" }, "/")).toBe("(nothing found)\n(a session could not be read)");
    expect((await failureOf(tool, { text: "damaged" }, "/")).message).toBe("no disk");
  });

  it("asks the gate about the sessions of other folders, and takes no empty text", () => {
    const call = (input: Record<string, string | boolean>) => tool.inspect(input, "/project");
    expect(Result.getOrThrow(call({ text: "a" }))).toMatchObject({ risk: "read", resources: [] });
    expect(Result.getOrThrow(call({ text: "a", all: true })).resources).toEqual([
      { key: "file:/state/sessions", mode: "read" },
    ]);
    expect(Result.isFailure(call({ text: " " }))).toBe(true);
  });
});
