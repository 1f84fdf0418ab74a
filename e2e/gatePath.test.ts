import { defineHarness, type Harness } from "@kumiko/core-loop";
import {
  type AdmittedCall,
  type AssistantMessage,
  type Decision,
  definePlugin,
  defineTool,
  type Json,
  type LanguageModel,
  PermissionGate,
  type ProposedCall,
  type Tool,
  ToolCallAdmit,
  Tools,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

type Wanted = readonly [name: string, input: Json];

let count = 0;
/** A model that asks for these calls, reply by reply, and then says that it is done. */
const asking = (...replies: ReadonlyArray<ReadonlyArray<Wanted>>): LanguageModel => {
  let at = 0;
  const reply = (): AssistantMessage => ({
    role: "assistant",
    parts: (replies[at++] ?? []).map(([name, input]) => ({ type: "tool-call", id: `call_${count++}`, name, input })),
  });
  return {
    id: "scripted/gate",
    generate: () =>
      Effect.sync(() => {
        const message = reply();
        return message.parts.length === 0
          ? {
              message: { role: "assistant", parts: [{ type: "text", text: "done" }] } as const,
              stopReason: "end" as const,
              usage: { inputTokens: 1, outputTokens: 1 },
            }
          : { message, stopReason: "tool-calls" as const, usage: { inputTokens: 1, outputTokens: 1 } };
      }),
  };
};

const decided: Array<ProposedCall> = [];
const admitted: Array<AdmittedCall> = [];
const ran: Array<string> = [];
const harnesses: Array<Harness> = [];
beforeEach(() => {
  for (const list of [decided, admitted, ran]) list.length = 0;
});
afterEach(() => Promise.all(harnesses.splice(0).map((harness) => harness.dispose())));

/** A gate that writes down what it was asked about. */
const gate = (verdictOf: (call: ProposedCall) => Decision["verdict"] = () => "allow") =>
  definePlugin({
    name: "gate",
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    layer: () =>
      Layer.succeed(PermissionGate)({
        decide: (call) =>
          Effect.sync(() => {
            decided.push(call);
            const { risk, resources } = call;
            return { verdict: verdictOf(call), layer: "default", reason: "-", risk, resources, effects: [] };
          }),
      }),
  })();

const say = defineTool({
  name: "say",
  description: "-",
  input: Schema.Struct({ words: Schema.Array(Schema.String) }),
  execute: ({ words }) => {
    ran.push(`say ${words.join(" ")}`);
    return "said";
  },
});

/** A tool made without `defineTool`, as a third party may; it keeps what it was given. */
const byHand = (name: string): Tool => ({
  name,
  description: "-",
  inputSchema: { type: "object" },
  cacheable: false,
  timeoutMillis: 1_000,
  inspect: (input) =>
    Result.succeed({
      risk: "remote-write",
      resources: [],
      execute: (call) =>
        Effect.sync(() => {
          admitted.push(call);
          ran.push(`${name} ${JSON.stringify(input)}`);
          return { text: "done" };
        }),
    }),
});

const harnessOf = (
  model: LanguageModel,
  tools: ReadonlyArray<Tool>,
  {
    permissions = gate(),
    plugins = [],
  }: { permissions?: ReturnType<typeof gate>; plugins?: ReadonlyArray<Admitter> } = {},
): Harness => {
  const harness = defineHarness({ model, permissions, plugins: [...plugins], tools });
  harnesses.push(harness);
  return harness;
};

type Admitter = ReturnType<typeof admitter>;
const admitter = (name: string, contribution: Parameters<typeof ToolCallAdmit.add>[0]) =>
  definePlugin({
    name,
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    contributes: () => [ToolCallAdmit.add(contribution)],
  })();

const context = {
  callId: "x",
  runId: "r",
  sessionKey: "s",
  cwd: "/",
  knownDigest: () => undefined,
  changes: [],
  progress: () => {},
  permits: () => Effect.succeed(false),
};

describe("each execution", () => {
  it("has a decision of its own: own tools, tools made by hand, tools of plugins, runs inside of runs", async () => {
    const inner = harnessOf(asking([["hand", { from: "inner" }]]), [byHand("hand")]);
    const delegate = defineTool({
      name: "delegate",
      description: "-",
      input: Schema.Struct({}),
      execute: async () => (await inner.run("go")).status,
    });
    const plugged = definePlugin({
      name: "third-party",
      version: "0.0.0",
      api: 1,
      config: Schema.Struct({}),
      contributes: () => [Tools.add(byHand("plugged"))],
    })();
    const outer = defineHarness({
      model: asking([
        ["say", { words: ["a"] }],
        ["hand", { n: 1 }],
        ["plugged", { n: 2 }],
        ["delegate", {}],
      ]),
      permissions: gate(),
      plugins: [plugged],
      tools: [say, byHand("hand"), delegate],
    });
    harnesses.push(outer);
    await outer.run("go");
    expect(ran.toSorted()).toEqual(['hand {"from":"inner"}', 'hand {"n":1}', 'plugged {"n":2}', "say a"]);
    expect(decided.map(({ name }) => name).toSorted()).toEqual(["delegate", "hand", "hand", "plugged", "say"]);
    for (const call of admitted) {
      const proposal = decided.find(({ id }) => id === call.id);
      expect([call.name, call.input, call.decision.verdict]).toEqual([proposal?.name, proposal?.input, "allow"]);
    }
  });

  it("is refused with the run's own gate, in the inner run as in the outer one", async () => {
    const inner = harnessOf(asking([["hand", {}]]), [byHand("hand")], { permissions: gate(() => "deny") });
    const delegate = defineTool({
      name: "delegate",
      description: "-",
      input: Schema.Struct({}),
      execute: async () => (await inner.run("go")).status,
    });
    await harnessOf(asking([["delegate", {}]]), [delegate]).run("go");
    expect(decided.map(({ name }) => name)).toEqual(["delegate", "hand"]);
    expect(ran).toEqual([]);
  });

  it("does not happen without an allowance, whatever the tool", async () => {
    for (const verdict of ["ask", "deny", "hard-block"] as const)
      await harnessOf(
        asking([
          ["say", { words: ["a"] }],
          ["hand", {}],
        ]),
        [say, byHand("hand")],
        {
          permissions: gate(() => verdict),
        },
      ).run("go");
    expect(decided.length).toBe(6);
    expect(ran).toEqual([]);
  });
});

describe("an admitted call", () => {
  const admit = async (name: string, input: Json): Promise<AdmittedCall> => {
    await harnessOf(asking([[name, input]]), [byHand(name)]).run("go");
    const call = admitted.at(-1);
    if (call === undefined) throw new Error("nothing was admitted");
    ran.length = 0;
    return call;
  };
  const tool = (name: string): Tool =>
    defineTool({
      name,
      description: "-",
      input: Schema.Struct({ words: Schema.Array(Schema.String) }),
      execute: ({ words }) => {
        ran.push(`${name} ${words.join(" ")}`);
        return "";
      },
    });
  const execute = (wanted: Tool, input: Json, call: AdmittedCall): Promise<Exit.Exit<unknown, unknown>> =>
    Effect.runPromiseExit(Result.getOrThrow(wanted.inspect(input, "/")).execute(call, context));

  it("cannot be changed", async () => {
    const call = await admit("say", { words: ["a"] });
    expect(Object.isFrozen(call)).toBe(true);
    expect(Reflect.set(call, "name", "other")).toBe(false);
    expect(Reflect.set(call, "input", { words: ["b"] })).toBe(false);
    expect(Reflect.set(call, "decision", { verdict: "allow" })).toBe(false);
    expect(Reflect.defineProperty(call, "input", { value: {} })).toBe(false);
  });

  it("runs nothing when it is forged, copied, or used a second time", async () => {
    const input = { words: ["a"] };
    // Admitted for a tool made by hand, which does not use it up.
    const call = await admit("say", input);
    for (const forged of [
      { ...call },
      structuredClone({ ...call }),
      Object.create(call),
      JSON.parse(JSON.stringify(call)),
    ]) {
      const exit = await execute(tool("say"), input, forged);
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain("never admitted");
    }
    expect(ran).toEqual([]);
    expect(Exit.isSuccess(await execute(tool("say"), input, call))).toBe(true);
    const again = await execute(tool("say"), input, call);
    expect(Exit.isFailure(again) && String(again.cause)).toContain("executed already");
    expect(ran).toEqual(["say a"]);
  });

  it("of one tool runs no other, even with the same input and in another harness", async () => {
    const input = { words: ["a"] };
    const call = await admit("say", input);
    const other = await execute(tool("shout"), input, call);
    expect(Exit.isFailure(other) && String(other.cause)).toContain("another call");
    const changed = await execute(tool("say"), { words: ["b"] }, call);
    expect(Exit.isFailure(changed) && String(changed.cause)).toContain("another call");
    expect(ran).toEqual([]);
  });

  it.each([
    ["a defined tool", say, "say", "say a"],
    ["a tool made by hand", byHand("hand"), "hand", 'hand {"words":["a"]}'],
  ] as const)(
    "is for the input that rules saw, even where a plugin changes it in place afterwards: %s",
    async (_, tool, name, line) => {
      const meddler = admitter("meddler", ({ input }) =>
        Effect.sync(() => {
          // What types forbid, a plugin in JavaScript may still do.
          if (typeof input === "object" && input !== null) Reflect.set(input, "words", ["b"]);
          return { type: "pass" } as const;
        }),
      );
      await harnessOf(asking([[name, { words: ["a"] }]]), [tool], { plugins: [meddler] }).run("go");
      expect(ran).toEqual([line]);
    },
  );

  it("is for the tool that rules saw, even where a plugin gives the proposal another name", async () => {
    const renamer = admitter("renamer", (call) =>
      Effect.sync(() => {
        Reflect.set(call, "name", "hand");
        return { type: "pass" } as const;
      }),
    );
    await harnessOf(asking([["say", { words: ["a"] }]]), [say, byHand("hand")], { plugins: [renamer] }).run("go");
    expect(ran).toEqual(["say a"]);
  });

  it("is decided anew where a plugin rewrites the input", async () => {
    const rewriter = admitter("rewriter", ({ input }) =>
      Effect.succeed(
        JSON.stringify(input).includes("a")
          ? ({ type: "rewrite", input: { words: ["b"] } } as const)
          : ({ type: "pass" } as const),
      ),
    );
    const permissions = gate(({ input }) => (JSON.stringify(input).includes("b") ? "deny" : "allow"));
    await harnessOf(asking([["say", { words: ["a"] }]]), [say], { permissions, plugins: [rewriter] }).run("go");
    expect(decided.map(({ input }) => input)).toEqual([{ words: ["a"] }, { words: ["b"] }]);
    expect(ran).toEqual([]);
  });
});
