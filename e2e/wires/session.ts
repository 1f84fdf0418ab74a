import { defineHarness, type Harness } from "@kumiko/core-loop";
import { layerSqlite } from "@kumiko/journal/sqlite";
import type { ScriptedReply } from "@kumiko/models/testing";
import { permissionEngine } from "@kumiko/permission-engine";
import { defineTool, type LanguageModel, type Tool } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";

const calling = (name: string, ...things: ReadonlyArray<string>): Pick<ScriptedReply, "calls" | "reasoning"> => ({
  reasoning: `I think of ${things.join(" and ")}.`,
  calls: things.map((thing) => ({ name, input: { thing } })),
});

export const prompts = ["Look at everything.", "And once more."] as const;
export const answers = ["All is seen; one thing was not allowed.", "It is as it was, all of it."] as const;

/**
 * Two runs, ten turns and the three that are no answers: parallel calls, a denied one, a reply that is cut and goes on with a
 * call, an empty one, a call written as text.
 */
export const session: ReadonlyArray<ScriptedReply> = [
  { text: "First these two: ä 語 😀.", ...calling("look", "a", "b") },
  calling("forget", "a"),
  { reasoning: "A long one.", text: "It was not allowed, so I will lo", stopReason: "length" },
  { text: "ok at another.", ...calling("look", "c") },
  { stopReason: "end" },
  calling("look", "d"),
  calling("change", "d"),
  { text: answers[0] },
  calling("look", "e", "f"),
  { text: '<tool_call>{"name": "look", "arguments": {"thing": "g"}}</tool_call>' },
  calling("look", "g"),
  { text: answers[1] },
];

const tool = (name: string, risk: "read" | "local-write", executed: Array<string>): Tool =>
  defineTool({
    name,
    description: `${name} it.`,
    input: Schema.Struct({ thing: Schema.String }),
    risk,
    execute: ({ thing }) => {
      executed.push(`${name} ${thing}`);
      return `${name}: ${thing} is fine`;
    },
  });

/** A harness for the session; its sessions are kept in `directory`. */
export const sessionHarness = (
  model: LanguageModel | readonly [LanguageModel, ...ReadonlyArray<LanguageModel>],
  directory: string,
  executed: Array<string> = [],
): Harness =>
  defineHarness({
    model,
    permissions: permissionEngine({ mode: "auto", allow: ["tool:look", "tool:change"], deny: ["tool:forget"] }),
    tools: [
      tool("look", "read", executed),
      tool("forget", "local-write", executed),
      tool("change", "local-write", executed),
    ],
    sessions: layerSqlite({ directory }),
    retry: { baseMillis: 2, maxMillis: 5 },
    cwd: "/",
  });
