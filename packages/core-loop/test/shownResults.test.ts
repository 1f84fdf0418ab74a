import { layerSqlite } from "@kumiko/journal/sqlite";
import { defineTool, type Message, type Tool } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { Conversation } from "../src/Conversation.ts";
import { defineHarness } from "../src/index.ts";
import { unchangedText } from "../src/ShownResults.ts";
import { freshFolder, options } from "./resumeSupport.ts";
import { calling, resultsIn, scripted } from "./support.ts";

const long = (what: string): string => `${what} `.repeat(200);
/** A file that is read: what it holds is what it is told to hold. */
const reading = (file: { text: string }, cacheable = true): Tool =>
  defineTool({
    name: "look",
    description: "-",
    input: Schema.Struct({ path: Schema.String, offset: Schema.optionalKey(Schema.Number) }),
    risk: "read",
    cacheable,
    execute: () => file.text,
  });
const change = (file: { text: string }): Tool =>
  defineTool({
    name: "change",
    description: "-",
    input: Schema.Struct({ text: Schema.String }),
    risk: "local-write",
    execute: ({ text }) => {
      file.text = text;
      return "changed";
    },
  });

const look = (offset?: number) => calling(["look", offset === undefined ? { path: "a" } : { path: "a", offset }]);

describe("a result that stands above", () => {
  it("is pointed to where an equal call gives it again, and shown where it has changed", async () => {
    const file = { text: long("one") };
    const { model, requests } = scripted(
      look(),
      look(),
      look(5),
      calling(["change", { text: long("two") }]),
      look(),
      look(),
      calling(["change", { text: long("one") }]),
      look(),
      "done",
    );
    const harness = defineHarness({ ...options({ model }), tools: [reading(file), change(file)] });
    await harness.run("go");
    expect(resultsIn(requests.at(-1)?.messages ?? [])).toEqual([
      `ok: ${long("one")}`,
      `ok: ${unchangedText}`,
      `ok: ${long("one")}`,
      "ok: changed",
      `ok: ${long("two")}`,
      `ok: ${unchangedText}`,
      "ok: changed",
      // The latest above says something else.
      `ok: ${long("one")}`,
    ]);
    await harness.dispose();
  });

  it("is shown again where it is short, not to be repeated, or shown in part", async () => {
    const seen = async (file: { text: string }, cacheable: boolean, maxResultCharacters = 30_000) => {
      const { model, requests } = scripted(look(), look(), "done");
      const harness = defineHarness({ ...options({ model }), tools: [reading(file, cacheable)], maxResultCharacters });
      await harness.run("go");
      await harness.dispose();
      const [first, second] = resultsIn(requests.at(-1)?.messages ?? []);
      return { isSame: first === second, isPointer: second?.includes(unchangedText) };
    };
    expect(await seen({ text: "short" }, true)).toEqual({ isSame: true, isPointer: false });
    expect(await seen({ text: long("one") }, false)).toEqual({ isSame: true, isPointer: false });
    expect((await seen({ text: long("one") }, true, 600)).isPointer).toBe(false);
  });

  it("is known to whoever opens the session again", async () => {
    const directory = freshFolder();
    const file = { text: long("one") };
    const first = defineHarness({
      ...options({ model: scripted(look(), "done").model }),
      tools: [reading(file)],
      sessions: layerSqlite({ directory }),
    });
    await first.run("go");
    await first.dispose();
    const { model, requests } = scripted(look(), "done");
    const second = defineHarness({
      ...options({ model }),
      tools: [reading(file)],
      sessions: layerSqlite({ directory }),
    });
    await second.run("again");
    expect(resultsIn(requests.at(-1)?.messages ?? [])).toEqual([`ok: ${long("one")}`, `ok: ${unchangedText}`]);
    await second.dispose();
  });

  it("is one no longer when the conversation was taken back to before it", () => {
    const conversation = new Conversation();
    const reply = look();
    const [call] = reply.parts;
    const callId = call?.type === "tool-call" ? call.id : "";
    const message: Message = {
      role: "tool",
      parts: [{ type: "tool-result", callId, name: "look", status: "ok", text: long("one") }],
    };
    const usage = { inputTokens: 1, outputTokens: 1 };
    conversation.applyTurn("r", { type: "reply.received", message: reply, stopReason: "tool-calls", usage });
    conversation.applyTurn("r", {
      type: "results.recorded",
      message,
      refusals: 0,
      steering: { type: "continue" },
    });
    expect(conversation.shown.has("look", { path: "a" }, long("one"))).toBe(true);
    expect(conversation.shown.has("look", { path: "b" }, long("one"))).toBe(false);
    conversation.applySession({ type: "conversation.rewound", messages: 2 });
    expect(conversation.shown.has("look", { path: "a" }, long("one"))).toBe(true);
    conversation.applySession({ type: "conversation.rewound", messages: 0 });
    expect(conversation.shown.has("look", { path: "a" }, long("one"))).toBe(false);
  });
});
