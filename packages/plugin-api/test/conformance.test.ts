import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import {
  type AssistantMessage,
  definePlugin,
  defineTool,
  type LanguageModel,
  ModelCallFailed,
  type ModelEvent,
  type ModelReply,
  type ModelRequest,
  PromptBuild,
  Tools,
  userText,
} from "../src/index.ts";
import {
  type ConformanceCheck,
  languageModelConformance,
  pluginConformance,
  registerConformance,
} from "../src/testing/index.ts";

const tools = [{ name: "ping", description: "Pings.", inputSchema: { type: "object" } }];
const request = (text: string): ModelRequest => ({
  system: "",
  tools,
  messages: [userText(text)],
  toolChoice: "auto",
});

const say: AssistantMessage = { role: "assistant", parts: [{ type: "text", text: "Hello there" }] };
const call: AssistantMessage = {
  role: "assistant",
  parts: [
    { type: "reasoning", text: "hm" },
    { type: "tool-call", id: "1", name: "ping", input: { a: 1 } },
    { type: "tool-call", id: "2", name: "ping", input: {} },
  ],
};

const eventsOf = (message: AssistantMessage): ReadonlyArray<ModelEvent> =>
  message.parts.flatMap((part, index): ReadonlyArray<ModelEvent> => {
    if (part.type === "tool-call")
      return [
        { type: "toolCall.start", index, id: part.id, name: part.name },
        { type: "toolCall.delta", index, text: JSON.stringify(part.input) },
        { type: "toolCall.end", index },
      ];
    return [
      { type: `${part.type}.start`, index },
      { type: `${part.type}.delta`, index, text: part.text.slice(0, 1) },
      { type: `${part.type}.delta`, index, text: part.text.slice(1) },
      { type: `${part.type}.end`, index },
    ];
  });

const replyOf = (message: AssistantMessage): ModelReply => ({
  message,
  stopReason: message === call ? "tool-calls" : "end",
  usage: { inputTokens: 3, outputTokens: 2 },
});

/** What a fault may change of a model that keeps the contract. */
interface Faults {
  readonly id?: string;
  readonly events?: (events: ReadonlyArray<ModelEvent>) => ReadonlyArray<ModelEvent>;
  readonly reply?: (reply: ModelReply) => ModelReply;
  readonly choice?: "ignored";
  readonly answers?: number;
  readonly late?: boolean;
  readonly failure?: ModelCallFailed;
}

const makeModel = (faults: Faults = {}): LanguageModel => {
  const { id = "fake/good", events = (all) => all, reply = (same) => same } = faults;
  let left = faults.answers ?? Number.POSITIVE_INFINITY;
  const failure = new ModelCallFailed({ reason: "auth", model: id, detail: "no key" });
  return {
    id,
    generate: ({ messages, toolChoice }, onEvent) =>
      Effect.suspend(() => {
        const [part] = messages[0]?.parts ?? [];
        const asked = part?.type === "text" ? part.text : "";
        if (asked === "fail" || left-- <= 0) return Effect.fail(faults.failure ?? failure);
        const message = asked === "call" && (toolChoice === "auto" || faults.choice === "ignored") ? call : say;
        const [first, ...rest] = events(eventsOf(message));
        if (first !== undefined) onEvent(first);
        if (asked === "endless") return Effect.never;
        if (faults.late === true) setTimeout(() => onEvent({ type: "text.delta", index: 0, text: "late" }), 0);
        for (const event of rest) onEvent(event);
        return Effect.succeed(reply(replyOf(message)));
      }),
  };
};

const suiteOf = (model: LanguageModel, isFreed = true): ReadonlyArray<ConformanceCheck> =>
  languageModelConformance({
    model,
    text: request("hello"),
    calls: request("call"),
    failing: { model, request: request("fail"), reason: "auth", secrets: ["s3cret"] },
    endless: { model, request: request("endless"), isFreed: Effect.sync(() => isFreed) },
  });

const failuresOf = async (checks: ReadonlyArray<ConformanceCheck>): Promise<ReadonlyArray<string>> => {
  const failures: Array<string> = [];
  for (const { name, run } of checks)
    if (Result.isFailure(await Effect.runPromise(Effect.result(run)))) failures.push(name);
  return failures;
};

describe("languageModelConformance", () => {
  describe("passes a model that keeps the contract", () => {
    registerConformance(it, suiteOf(makeModel()));
  });

  const streamsText = "streams text that equals the message";
  const streamsCalls = "streams calls that equal the message";
  const isData = "replies in the data of the contract";
  const fails = "fails with a reason and without secrets";
  it.each<readonly [string, Faults, string]>([
    ["an id without a provider", { id: "good" }, "has an id of the form provider/name"],
    ["a lost delta", { events: (all) => all.filter((_, at) => at !== 1) }, streamsText],
    ["a part that is not ended", { events: (all) => all.slice(0, -1) }, streamsCalls],
    ["a part started twice", { events: (all) => [...all.slice(0, 1), ...all] }, streamsText],
    ["no events at all", { events: () => [] }, streamsText],
    [
      "an event of a part that does not exist",
      { events: (all) => [...all, { type: "text.end", index: 9 }] },
      streamsText,
    ],
    ["one id for two calls", { reply: (same) => ({ ...same, message: sameIds(same.message) }) }, streamsCalls],
    ["a wrong stop reason", { reply: (same) => ({ ...same, stopReason: "end" }) }, streamsCalls],
    ["calls although none may be made", { choice: "ignored" }, "makes no calls under tool choice none"],
    ["a negative usage", { reply: (same) => ({ ...same, usage: { inputTokens: -1, outputTokens: 0 } }) }, isData],
    ["half a token", { reply: (same) => ({ ...same, usage: { inputTokens: 0.5, outputTokens: 0 } }) }, isData],
    ["a second answer that fails", { answers: 1 }, "leaves the request as it was and answers it again"],
    ["events after the reply", { late: true }, streamsText],
    ["a wrong reason", { failure: failureWith({ reason: "server" }) }, fails],
    ["a secret in the failure", { failure: failureWith({ detail: "key s3cret" }) }, fails],
    ["another model's name in the failure", { failure: failureWith({ model: "fake/other" }) }, fails],
  ])("catches %s", async (_, faults, name) => {
    const check = suiteOf(makeModel(faults)).filter((one) => one.name === name);
    expect(await failuresOf(check)).toEqual([name]);
  });

  it("catches a call that holds what it has after an interruption", async () => {
    const last = suiteOf(makeModel(), false).at(-1);
    const started = Effect.runFork(Effect.result(last?.run ?? Effect.void));
    await new Promise((resolve) => setTimeout(resolve, 50));
    // It goes on asking, and would fail in the end; passing is what it must not do.
    expect(started.pollUnsafe()).toBeUndefined();
    started.interruptUnsafe();
  });
});

function failureWith(fields: Partial<{ reason: "server" | "auth"; detail: string; model: string }>): ModelCallFailed {
  return new ModelCallFailed({ reason: "auth", model: "fake/good", detail: "no", ...fields });
}

function sameIds(message: AssistantMessage): AssistantMessage {
  return {
    role: "assistant",
    parts: message.parts.map((part) => (part.type === "tool-call" ? Object.assign({}, part, { id: "1" }) : part)),
  };
}

const echo = (description = "Echoes.") =>
  defineTool({ name: "echo", description, input: Schema.Struct({ text: Schema.String }), execute: ({ text }) => text });

let built = 0;
const plugin = (
  faults: {
    readonly name?: string;
    readonly version?: string;
    readonly add?: "drifting" | "twice" | "mute" | "throwing";
  } = {},
) =>
  definePlugin({
    name: faults.name ?? "echo-plugin",
    version: faults.version ?? "1.0.0",
    api: 1,
    config: Schema.Struct({}),
    contributes: () => {
      if (faults.add === "drifting") return [Tools.add(echo(`Echoes, ${built++}.`))];
      if (faults.add === "twice") return [Tools.add(echo()), Tools.add(echo())];
      if (faults.add === "mute") return [Tools.add(echo(" "))];
      if (faults.add === "throwing")
        return [
          Tools.add({
            ...echo(),
            inspect: () => {
              throw new Error("no");
            },
          }),
        ];
      return [Tools.add(echo()), PromptBuild.add((draft) => Effect.succeed(draft))];
    },
  });

describe("pluginConformance", () => {
  describe("passes a plugin that keeps the contract", () => {
    registerConformance(
      it,
      pluginConformance(() => plugin()(), Layer.empty),
    );
  });

  it.each([
    ["a name that is no identifier", { name: "Echo Plugin" }, "has a name, a version and this API"],
    ["no version", { version: "new" }, "has a name, a version and this API"],
    ["contributions that differ", { add: "drifting" }, "contributes the same when built again"],
    ["two tools of one name", { add: "twice" }, "describes its tools"],
    ["a tool without a description", { add: "mute" }, "describes its tools"],
    ["a tool that throws on odd input", { add: "throwing" }, "has tools that survive any input"],
  ] as const)("catches %s", async (_, faults, name) => {
    expect(await failuresOf(pluginConformance(() => plugin(faults)(), Layer.empty))).toEqual([name]);
  });
});
