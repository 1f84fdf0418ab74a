import {
  Audit,
  type AuditRecord,
  type Contribution,
  definePlugin,
  defineTool,
  fromJsonSchema,
  type LanguageModel,
  ModelCall,
  type ProposedCall,
  PromptBuild,
  RunEnd,
  type RunEvent,
  ToolCallAdmit,
  ToolCallAfter,
  ToolFailed,
} from "@kumiko/plugin-api";
import type { Question } from "@kumiko/runtime-api";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness, iterationCaps } from "../src/index.ts";
import { calling, failing, gate, resultsIn, scripted } from "./support.ts";

const ran: Array<string> = [];
const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  input: Schema.Struct({ text: Schema.String }),
  risk: "read",
  cacheable: true,
  resources: ({ text }) => [{ key: `file:/${text}`, mode: "read" }],
  execute: ({ text }) => {
    ran.push(`echo ${text}`);
    return `echo: ${text}`;
  },
});
const write = defineTool({
  name: "write",
  description: "Writes.",
  input: Schema.Struct({ path: Schema.String }),
  risk: "local-write",
  resources: ({ path }) => [{ key: `file:/${path}`, mode: "write" }],
  execute: ({ path }) => {
    ran.push(`write ${path}`);
    return "written";
  },
});
let plugins = 0;
const plugin = (...contributions: ReadonlyArray<Contribution>) =>
  definePlugin({
    name: `test-${plugins++}`,
    version: "0.0.0",
    api: 1,
    config: Schema.Struct({}),
    contributes: () => contributions,
  })();
const eventsOf = async (events: AsyncIterable<RunEvent>): Promise<ReadonlyArray<RunEvent>> => {
  const all: Array<RunEvent> = [];
  for await (const event of events) all.push(event);
  return all;
};

describe("one iteration", () => {
  it("returns the text of a reply without calls", async () => {
    const { model, requests } = scripted("All is well.");
    const harness = defineHarness({ model, permissions: gate(), tools: [echo] });
    expect(await harness.run("How is it?")).toEqual({
      status: "done",
      text: "All is well.",
      iterations: 1,
      usage: { inputTokens: 10, outputTokens: 5 },
    });
    expect(requests[0]?.messages).toEqual([{ role: "user", parts: [{ type: "text", text: "How is it?" }] }]);
    expect(requests[0]?.tools.map(({ name }) => name)).toEqual(["echo", "result_read"]);
  });

  it("runs calls, gives their results to the model in call order, and adds up usage", async () => {
    const { model, requests } = scripted(calling(["echo", { text: "a" }], ["echo", { text: "b" }]), "done");
    const harness = defineHarness({ model, permissions: gate(), tools: [echo] });
    const outcome = await harness.run("go");
    expect(outcome).toMatchObject({ status: "done", text: "done", iterations: 2 });
    expect(outcome.usage).toEqual({ inputTokens: 20, outputTokens: 10 });
    expect(resultsIn(requests[1]!.messages)).toEqual(["ok: echo: a", "ok: echo: b"]);
  });

  it("keeps the conversation from run to run of a session, and sessions apart", async () => {
    const { model, requests } = scripted("one", "two", "three");
    const harness = defineHarness({ model, permissions: gate() });
    await harness.run("first");
    await harness.run("second");
    await harness.run("other", { sessionKey: "other" });
    expect(requests[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(requests[2]!.messages).toHaveLength(1);
  });

  it("tells a failed model call as the outcome, with the best text so far", async () => {
    const said = calling(["echo", { text: "a" }]);
    const { model } = scripted(
      { ...said, parts: [{ type: "text", text: "Looking." }, ...said.parts] },
      failing("cable cut"),
    );
    const harness = defineHarness({ model, permissions: gate(), tools: [echo] });
    const outcome = await harness.run("go");
    expect(outcome).toMatchObject({ status: "failed", iterations: 2 });
    expect(outcome.reason).toContain("cable cut");
    expect(outcome.text).toContain(`Done, call by call:\n- echo {"text":"a"}`);
    expect(outcome.text).toContain('Not done: "go" has no final answer.');
    expect(outcome.text).toContain('"Looking."');
  });
});

describe("phase 1: admission", () => {
  it("runs same-response duplicates once and shares the result, whatever the key order", async () => {
    ran.length = 0;
    const two = defineTool({
      name: "two",
      description: "Takes two.",
      input: Schema.Struct({ a: Schema.Int, b: Schema.Int }),
      risk: "local-write",
      execute: ({ a, b }) => {
        ran.push(`two ${a} ${b}`);
        return `${a + b}`;
      },
    });
    const audit: Array<AuditRecord> = [];
    const { model, requests } = scripted(calling(["two", { a: 1, b: 2 }], ["two", { b: 2, a: 1 }]), "done");
    const harness = defineHarness({
      model,
      permissions: gate(),
      tools: [two],
      plugins: [plugin(Audit.add((record) => Effect.sync(() => void audit.push(record))))],
    });
    await harness.run("go");
    expect(ran).toEqual(["two 1 2"]);
    expect(resultsIn(requests[1]!.messages)).toEqual(["ok: 3", "ok: 3"]);
    expect(audit.map(({ disposition }) => disposition)).toEqual(["executed", "reused"]);
  });

  it("answers an identical later read from its result until something could have changed it", async () => {
    ran.length = 0;
    const { model, requests } = scripted(
      calling(["echo", { text: "a" }]),
      calling(["echo", { text: "a" }]),
      calling(["write", { path: "b" }]),
      calling(["echo", { text: "a" }]),
      calling(["write", { path: "a" }]),
      calling(["echo", { text: "a" }]),
      "done",
    );
    const harness = defineHarness({ model, permissions: gate(), tools: [echo, write] });
    await harness.run("go");
    expect(ran).toEqual(["echo a", "write b", "write a", "echo a"]);
    expect(resultsIn(requests.at(-1)!.messages).filter((text) => text.includes("echo"))).toHaveLength(4);
  });

  it("forgets cached reads after a call with side effects that does not say what it writes", async () => {
    ran.length = 0;
    const shell = defineTool({ name: "shell", description: "Runs.", input: Schema.Struct({}), execute: () => "ran" });
    const read = ["echo", { text: "a" }] as const;
    const { model } = scripted(calling(read), calling(["shell", {}]), calling(read), "done");
    await defineHarness({ model, permissions: gate(), tools: [echo, shell] }).run("go");
    expect(ran).toEqual(["echo a", "echo a"]);
  });

  it("tells the model of a tool that does not exist, and which do", async () => {
    const { model, requests } = scripted(calling(["ecko", { text: "a" }]), "done");
    await defineHarness({ model, permissions: gate(), tools: [echo] }).run("go");
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(
      /^error: There is no tool "ecko"\. The tools are: echo, result_read\./,
    );
  });

  it("tells the model which field of its arguments does not fit", async () => {
    const { model, requests } = scripted(calling(["echo", { text: 5 }]), calling(["echo", {}]), "done");
    await defineHarness({ model, permissions: gate(), tools: [echo] }).run("go");
    const results = resultsIn(requests[2]!.messages);
    expect(results[0]).toMatch(/^error: invalid arguments for echo: Expected string[^]*"text"/);
    expect(results[1]).toMatch(/^error: invalid arguments for echo: Missing key[^]*"text"/);
  });

  it("tells the model that its arguments were not JSON", async () => {
    const { model, requests } = scripted(
      { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "echo", input: null, malformed: '{"text": ' }] },
      "done",
    );
    await defineHarness({ model, permissions: gate(), tools: [echo] }).run("go");
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/^error: The arguments are not a complete JSON object: /);
  });

  it.each(["deny", "hard-block"] as const)("runs nothing that the gate answers with %s", async (verdict) => {
    ran.length = 0;
    const { model, requests } = scripted(calling(["write", { path: "a" }]), "I could not.");
    const outcome = await defineHarness({ model, permissions: gate(() => verdict), tools: [write] }).run("go");
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toContain(`denied: This call was refused and did not run (${verdict}`);
    expect(outcome).toMatchObject({ status: "denied", text: "I could not." });
  });

  it("runs nothing when the gate itself fails", async () => {
    ran.length = 0;
    const { model, requests } = scripted(calling(["write", { path: "a" }]), "ok");
    await defineHarness({
      model,
      permissions: gate(() => Promise.reject(new Error("x")).catch(() => undefined) as never),
      tools: [write],
    }).run("go");
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toContain("the permission gate failed");
  });

  it("refuses what needs a person when nobody can be asked, and says why", async () => {
    ran.length = 0;
    const { model, requests } = scripted(calling(["write", { path: "a" }]), "I need approval.");
    const outcome = await defineHarness({ model, permissions: gate(() => "ask"), tools: [write] }).run("go");
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/denied: .*nobody can be asked/);
    expect(outcome.status).toBe("denied");
  });

  it("asks once, on the final input, and runs what was approved", async () => {
    ran.length = 0;
    const questions: Array<Question> = [];
    const rewrite = ToolCallAdmit.add((call) => Effect.succeed({ type: "rewrite", input: { path: "safe" }, call }));
    const { model } = scripted(calling(["write", { path: "a" }]), "done");
    const outcome = await defineHarness({
      model,
      permissions: gate(() => "ask"),
      plugins: [plugin(rewrite)],
      tools: [write],
      onQuestion: async (question) => {
        questions.push(question);
        return { type: "approve" };
      },
    }).run("go");
    expect(outcome.status).toBe("done");
    expect(ran).toEqual(["write safe"]);
    expect(questions.map(({ input }) => input)).toEqual([{ path: "safe" }]);
    expect(questions[0]?.inputDigest).toMatch(/^[0-9a-f]{64}$/);
  });

  it("gives the model the reason of a denial", async () => {
    ran.length = 0;
    const { model, requests } = scripted(calling(["write", { path: "a" }]), "fine");
    await defineHarness({
      model,
      permissions: gate(() => "ask"),
      tools: [write],
      onQuestion: async () => ({ type: "deny", reason: "use b instead" }),
    }).run("go");
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toContain("because: use b instead");
  });

  it("applies the rules again to a rewritten call", async () => {
    ran.length = 0;
    const seen: Array<ProposedCall> = [];
    const rewrite = ToolCallAdmit.add(() => Effect.succeed({ type: "rewrite", input: { path: "forbidden" } }));
    const { model, requests } = scripted(calling(["write", { path: "a" }]), "ok");
    await defineHarness({
      model,
      permissions: gate(({ input }) => (JSON.stringify(input).includes("forbidden") ? "deny" : "allow"), seen),
      plugins: [plugin(rewrite)],
      tools: [write],
    }).run("go");
    expect(seen.map(({ input }) => input)).toEqual([{ path: "a" }, { path: "forbidden" }]);
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toContain("denied");
  });

  it("blocks a call that is rewritten twice, or by a plugin that fails", async () => {
    ran.length = 0;
    let n = 0;
    const restless = ToolCallAdmit.add(() =>
      Effect.sync(() => ({ type: "rewrite", input: { path: `p${n++}` } }) as const),
    );
    const broken = ToolCallAdmit.add(() => Effect.die(new Error("bug")));
    for (const contribution of [restless, broken]) {
      const { model, requests } = scripted(calling(["write", { path: "a" }]), "ok");
      await defineHarness({ model, permissions: gate(), plugins: [plugin(contribution)], tools: [write] }).run("go");
      expect(resultsIn(requests[1]!.messages)[0]).toContain("denied: This call was blocked");
    }
    expect(ran).toEqual([]);
  });

  it("lets a plugin ask for a person where the rules would allow, and none lift a block", async () => {
    ran.length = 0;
    const ask = ToolCallAdmit.add(() => Effect.succeed({ type: "ask", reason: "looks odd" }));
    const block = ToolCallAdmit.add(() => Effect.succeed({ type: "block", reason: "no" }));
    const pass = ToolCallAdmit.add(() => Effect.succeed({ type: "pass" }));
    const questions: Array<Question> = [];
    const onQuestion = async (question: Question) => {
      questions.push(question);
      return { type: "approve" } as const;
    };
    const asked = scripted(calling(["write", { path: "a" }]), "ok");
    await defineHarness({
      model: asked.model,
      permissions: gate(),
      plugins: [plugin(pass, ask)],
      tools: [write],
      onQuestion,
    }).run("go");
    expect(questions[0]?.prompt).toContain("looks odd");
    expect(ran).toEqual(["write a"]);
    const blocked = scripted(calling(["write", { path: "b" }]), "ok");
    await defineHarness({
      model: blocked.model,
      permissions: gate(),
      plugins: [plugin(block, pass)],
      tools: [write],
      onQuestion,
    }).run("go");
    expect(ran).toEqual(["write a"]);
  });
});

describe("phase 2: execution", () => {
  const slow = (log: Array<string>) =>
    defineTool({
      name: "slow",
      description: "Takes a while.",
      input: Schema.Struct({ id: Schema.String, writes: Schema.optionalKey(Schema.String) }),
      risk: ({ writes }) => (writes === undefined ? "read" : "local-write"),
      resources: ({ writes }) => (writes === undefined ? [] : [{ key: `file:/${writes}`, mode: "write" }]),
      execute: ({ id }) =>
        Effect.gen(function* () {
          log.push(`+${id}`);
          yield* Effect.sleep(5);
          log.push(`-${id}`);
          return id;
        }),
    });

  it("runs independent calls side by side, up to the limit", async () => {
    const log: Array<string> = [];
    let most = 0;
    const { model } = scripted(calling(...["1", "2", "3", "4", "5"].map((id) => ["slow", { id }] as const)), "ok");
    await defineHarness({ model, permissions: gate(), tools: [slow(log)], maxParallelCalls: 2 }).run("go");
    let running = 0;
    for (const step of log) most = Math.max(most, (running += step.startsWith("+") ? 1 : -1));
    expect(most).toBe(2);
  });

  it("runs calls that write the same thing one after another, in order", async () => {
    const log: Array<string> = [];
    const { model } = scripted(
      calling(
        ["slow", { id: "1", writes: "a" }],
        ["slow", { id: "2", writes: "a/b" }],
        ["slow", { id: "3", writes: "c" }],
      ),
      "ok",
    );
    await defineHarness({ model, permissions: gate(), tools: [slow(log)] }).run("go");
    expect(log.indexOf("+2")).toBeGreaterThan(log.indexOf("-1"));
    expect(log.indexOf("+3")).toBeLessThan(log.indexOf("-1"));
  });

  it("turns a failure into a result: which tool, which arguments, what went wrong, what to do", async () => {
    const bad = defineTool({
      name: "bad",
      description: "Fails.",
      input: Schema.Struct({ how: Schema.String }),
      risk: "read",
      execute: ({ how }) => {
        if (how === "typed")
          return Effect.fail(new ToolFailed({ kind: "failed", detail: "no disk", hint: "Add one." }));
        if (how === "rejected") return Promise.reject(new Error("late"));
        throw new Error("early");
      },
    });
    const { model, requests } = scripted(
      calling(["bad", { how: "typed" }], ["bad", { how: "rejected" }], ["bad", { how: "thrown" }]),
      "ok",
    );
    await defineHarness({ model, permissions: gate(), tools: [bad] }).run("go");
    const [typed, rejected, thrown] = resultsIn(requests[1]!.messages);
    expect(typed).toMatch(/^error: bad failed: no disk Add one\.\n.*"how":"typed".*\nFix what is wrong/);
    expect(rejected).toContain("late");
    expect(thrown).toContain("early");
  });

  it("labels an empty result, and stops a tool after its time", async () => {
    const quiet = defineTool({
      name: "quiet",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => "",
    });
    const stuck = defineTool({
      name: "stuck",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      timeoutMillis: 20,
      execute: () => Effect.never,
    });
    const { model, requests } = scripted(calling(["quiet", {}], ["stuck", {}]), "ok");
    await defineHarness({ model, permissions: gate(), tools: [quiet, stuck] }).run("go");
    const [empty, stopped] = resultsIn(requests[1]!.messages);
    expect(empty).toBe("ok: (quiet succeeded with no output)");
    expect(stopped).toContain("error: [transient error] stuck failed: stuck was stopped after 20 ms");
  });

  it("executes no input but the admitted one, and nothing that admission did not make", async () => {
    const inspected = echo.inspect({ text: "a" }, "/");
    if (inspected._tag !== "Success") throw new Error("does not fit");
    const forged = { id: "x", name: "echo", input: { text: "b" }, decision: {} } as never;
    const context = {
      callId: "x",
      runId: "r",
      sessionKey: "s",
      cwd: "/",
      permits: () => Effect.succeed(true),
      knownDigest: () => undefined,
      changes: [],
      progress: () => {},
    };
    await expect(Effect.runPromise(inspected.success.execute(forged, context))).rejects.toThrow(/another call/);
  });
});

describe("phase 3: recording", () => {
  it("audits every proposed call in order, with who decided and what became of it", async () => {
    const audit: Array<AuditRecord> = [];
    const { model } = scripted(
      calling(["echo", { text: "a" }], ["write", { path: "x" }], ["nope", {}], ["echo", { text: 1 }]),
      calling(["echo", { text: "a" }]),
      "ok",
    );
    await defineHarness({
      model,
      permissions: gate(({ name }) => (name === "write" ? "deny" : "allow")),
      tools: [echo, write],
      plugins: [plugin(Audit.add((record) => Effect.sync(() => void audit.push(record))))],
    }).run("go");
    expect(audit.map(({ disposition, iteration, status, tool }) => [iteration, tool, disposition, status])).toEqual([
      [1, "echo", "executed", "ok"],
      [1, "write", "denied", "denied"],
      [1, "nope", "invalid", "error"],
      [1, "echo", "invalid", "error"],
      [2, "echo", "reused", "ok"],
    ]);
    expect(audit[1]?.decision).toMatchObject({ verdict: "deny", layer: "default" });
  });

  it("lets plugins shape results in order, but not change which call they answer or how it ended", async () => {
    const shout = ToolCallAfter.add(({ result }) =>
      Effect.succeed({
        type: "continue",
        result: { ...result, text: result.text.toUpperCase(), callId: "other", status: "denied" },
      }),
    );
    const sign = ToolCallAfter.add(({ result }) =>
      Effect.succeed({ type: "continue", result: { ...result, text: `${result.text}!` } }),
    );
    const { model, requests } = scripted(calling(["echo", { text: "a" }]), "ok");
    await defineHarness({ model, permissions: gate(), tools: [echo], plugins: [plugin(shout, sign)] }).run("go");
    expect(resultsIn(requests[1]!.messages)).toEqual(["ok: ECHO: A!"]);
    expect(requests[1]!.messages[2]).toMatchObject({ parts: [{ callId: expect.stringMatching(/^call_/) }] });
  });

  it("nudges after the results, and a force-stop beats a nudge", async () => {
    const nudge = ToolCallAfter.add(() => Effect.succeed({ type: "nudge", text: "try another way" }));
    const stop = ToolCallAfter.add(() => Effect.succeed({ type: "forceStop", reason: "it goes in circles" }));
    const first = scripted(calling(["echo", { text: "a" }]), "ok");
    await defineHarness({ model: first.model, permissions: gate(), tools: [echo], plugins: [plugin(nudge)] }).run("go");
    expect(first.requests[1]!.messages.at(-1)).toEqual({
      role: "user",
      parts: [{ type: "text", text: "try another way" }],
    });
    const second = scripted(calling(["echo", { text: "a" }]), "I stopped.");
    const outcome = await defineHarness({
      model: second.model,
      permissions: gate(),
      tools: [echo],
      plugins: [plugin(nudge, stop)],
    }).run("go");
    expect(outcome).toMatchObject({ status: "force-stopped", text: "I stopped.", reason: "it goes in circles" });
    expect(second.requests[1]?.toolChoice).toBe("none");
  });

  it("keeps the run going when a plugin fails, and says so", async () => {
    const broken = plugin(
      ToolCallAfter.add(() => Effect.die(new Error("after bug"))),
      Audit.add(() => Effect.die(new Error("audit bug"))),
      PromptBuild.add(() => Effect.die(new Error("prompt bug"))),
      RunEnd.add(() => Effect.die(new Error("end bug"))),
    );
    const { model } = scripted(calling(["echo", { text: "a" }]), "ok");
    const harness = defineHarness({ model, permissions: gate(), tools: [echo], plugins: [broken] });
    const events = await eventsOf(harness.stream("go"));
    const failures = events.flatMap((event) =>
      event.type === "plugin.failed" ? [`${event.point}: ${event.detail}`] : [],
    );
    expect(failures).toEqual([
      "prompt.build: prompt bug",
      "toolCall.after: after bug",
      "audit: audit bug",
      "run.end: end bug",
    ]);
    expect(events.at(-1)).toMatchObject({ type: "lifecycle.end", outcome: { status: "done" } });
  });
});

describe("limits", () => {
  const forever = Array.from({ length: 300 }, () => calling(["echo", { text: "again" }]));

  it("ends at the cap with one last call without tools", async () => {
    const { model, requests } = scripted(...forever.slice(0, 3), "Here is where I am.");
    const outcome = await defineHarness({ model, permissions: gate(), tools: [echo], maxIterations: 3 }).run("go");
    expect(outcome).toMatchObject({ status: "force-stopped", iterations: 3, text: "Here is where I am." });
    expect(outcome.reason).toContain("limit of 3 iterations");
    expect(requests.map(({ toolChoice }) => toolChoice)).toEqual(["auto", "auto", "auto", "none"]);
    expect(JSON.stringify(requests.at(-1)?.messages.at(-1))).toContain("limit of 3 iterations");
  });

  it("is 100 by default, and 250 once a GUI tool was called", async () => {
    expect(iterationCaps).toEqual({ default: { standard: 100, gui: 250 }, shan: { standard: 25, gui: 75 } });
    const plain = await defineHarness({ model: scripted(...forever).model, permissions: gate(), tools: [echo] }).run(
      "go",
    );
    expect(plain.iterations).toBe(100);
    const gui = scripted(calling(["screenshot", {}]), ...forever.slice(1));
    const looking = await defineHarness({ model: gui.model, permissions: gate(), tools: [echo] }).run("go");
    expect(looking.iterations).toBe(250);
  });

  it("keeps a summary even when the model calls tools again, and ends even when the summary fails", async () => {
    ran.length = 0;
    const stubborn = calling(["echo", { text: "z" }]);
    const first = scripted(calling(["echo", { text: "y" }]), {
      ...stubborn,
      parts: [{ type: "text", text: "So far." }, ...stubborn.parts],
    });
    const one = await defineHarness({ model: first.model, permissions: gate(), tools: [echo], maxIterations: 1 }).run(
      "go",
    );
    expect(one).toMatchObject({ status: "force-stopped", text: "So far." });
    expect(ran).toEqual(["echo y"]);
    const second = scripted(calling(["echo", { text: "y" }]), failing("gone"));
    const two = await defineHarness({ model: second.model, permissions: gate(), tools: [echo], maxIterations: 1 }).run(
      "go",
    );
    expect(two.status).toBe("force-stopped");
    expect(two.reason).toMatch(/limit of 1 iteration.*summary failed: gone/);
  });
});

describe("events", () => {
  it("numbers them without gaps, begins and ends the lifecycle once, and its deltas equal the messages", async () => {
    const said = calling(["echo", { text: "a" }]);
    const { model } = scripted(
      { ...said, parts: [{ type: "text", text: "Let me look." }, ...said.parts] },
      "It is an a.",
    );
    const harness = defineHarness({ model, permissions: gate(), tools: [echo] });
    const events = await eventsOf(harness.stream("go"));
    expect(events[0]?.type).toBe("lifecycle.start");
    expect(events.filter(({ type }) => type.startsWith("lifecycle.")).map(({ type }) => type)).toEqual([
      "lifecycle.start",
      "lifecycle.end",
    ]);
    expect(events.at(-1)?.type).toBe("lifecycle.end");
    const seqs = events.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
    let deltas = "";
    let messages = "";
    for (const event of events) {
      if (event.type === "assistant.delta") deltas += event.text;
      if (event.type === "assistant.end")
        for (const part of event.message.parts) if (part.type === "text") messages += part.text;
    }
    expect(deltas).toBe("Let me look.It is an a.");
    expect(messages).toBe(deltas);
  });

  it("ends with lifecycle.error when the model fails for good", async () => {
    const harness = defineHarness({ model: scripted(failing("down")).model, permissions: gate() });
    const events = await eventsOf(harness.stream("go"));
    expect(events.at(-1)).toMatchObject({ type: "lifecycle.error", outcome: { status: "failed" } });
  });

  it("ends with lifecycle.error when the loop itself breaks", async () => {
    const model = { id: "x", generate: () => Effect.die(new Error("kaput")) };
    const harness = defineHarness({ model, permissions: gate() });
    const events = await eventsOf(harness.stream("go"));
    expect(events.map(({ type }) => type)).toEqual(["lifecycle.start", "lifecycle.error"]);
    expect(events.at(-1)).toMatchObject({ outcome: { status: "failed", reason: "kaput" } });
    // … and the session goes on.
    expect((await harness.run("again")).reason).toBe("kaput");
  });

  it("wraps model calls in the order of the plugins", async () => {
    const order: Array<string> = [];
    const around = (name: string) =>
      ModelCall.add((request, next) =>
        Effect.gen(function* () {
          order.push(`+${name}`);
          const reply = yield* next({ ...request, system: `${request.system} ${name}` });
          order.push(`-${name}`);
          return reply;
        }),
      );
    const { model, requests } = scripted("ok");
    await defineHarness({
      model,
      permissions: gate(),
      systemPrompt: "base",
      plugins: [plugin(around("a")), plugin(around("b"))],
    }).run("go");
    expect(order).toEqual(["+a", "+b", "-b", "-a"]);
    expect(requests[0]?.system).toBe("base a b");
  });
});

describe("ending a run", () => {
  it("aborts by signal: the model call is interrupted, and the next run goes on with a well-formed conversation", async () => {
    let interrupted = false;
    const controller = new AbortController();
    const stuck = defineTool({
      name: "stuck",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => {
        controller.abort();
        return Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)));
      },
    });
    const { model, requests } = scripted(calling(["stuck", {}]), "back again");
    const harness = defineHarness({ model, permissions: gate(), tools: [stuck] });
    const outcome = await harness.run("go", { signal: controller.signal });
    expect(outcome).toMatchObject({ status: "aborted", reason: "the caller aborted the run" });
    expect(interrupted).toBe(true);
    expect((await harness.run("and now?")).text).toBe("back again");
    expect(requests[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/^cancelled: /);
  });

  it("aborts when the reader of a stream leaves", async () => {
    let interrupted = false;
    const model = {
      id: "x",
      generate: (_: unknown, onEvent: (event: never) => void) => {
        onEvent({ type: "text.delta", index: 0, text: "a" } as never);
        return Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)));
      },
    };
    const harness = defineHarness({ model, permissions: gate() });
    for await (const event of harness.stream("go")) if (event.type === "assistant.delta") break;
    await expect.poll(() => interrupted).toBe(true);
  });

  it("audits what ran when the run is aborted or disposed of in the middle", async () => {
    for (const way of ["abort", "dispose"] as const) {
      const audit: Array<AuditRecord> = [];
      const ends: Array<string> = [];
      const watching = plugin(
        Audit.add((record) => Effect.sync(() => void audit.push(record))),
        RunEnd.add(({ status }) => Effect.sync(() => void ends.push(status))),
      );
      const controller = new AbortController();
      let dispose: (() => Promise<void>) | undefined;
      const last = defineTool({
        name: "last",
        description: "-",
        input: Schema.Struct({}),
        risk: "read",
        execute: () => {
          if (way === "abort") controller.abort();
          else void dispose?.();
          return Effect.never;
        },
      });
      const { model } = scripted(calling(["write", { path: "a" }], ["last", {}], ["nope", {}]), "ok");
      const harness = defineHarness({ model, permissions: gate(), tools: [write, last], plugins: [watching] });
      dispose = harness.dispose;
      expect((await harness.run("go", { signal: controller.signal })).status).toBe("aborted");
      await expect.poll(() => audit.length).toBe(3);
      expect(audit.map(({ disposition, status, tool }) => `${tool} ${disposition} ${status}`)).toEqual([
        "write executed ok",
        "last executed cancelled",
        "nope invalid error",
      ]);
      await expect.poll(() => ends).toEqual(["aborted"]);
    }
  });

  it("a stream that is left, however early, ends its run and does not block the session; it starts one run", async () => {
    for (const wait of [undefined, 0, 1, 2, 5]) {
      let started = 0;
      const model: LanguageModel = {
        id: "x",
        generate: ({ messages }) =>
          Effect.suspend(() => {
            if (JSON.stringify(messages.at(-1)).includes("next")) return Effect.fail(failing("second"));
            started++;
            return Effect.never;
          }),
      };
      const harness = defineHarness({ model, permissions: gate() });
      const iterator = harness.stream("go")[Symbol.asyncIterator]();
      const pending = [iterator.next(), iterator.next(), iterator.next()];
      if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait));
      await iterator.return?.();
      expect(await iterator.next()).toMatchObject({ done: true });
      expect((await harness.run("next")).status).toBe("failed");
      await Promise.allSettled(pending);
      expect(started).toBeLessThanOrEqual(1);
    }
  });

  it("dispose ends what runs; its outcome says so", async () => {
    const harness = defineHarness({ model: { id: "x", generate: () => Effect.never }, permissions: gate() });
    const outcome = harness.run("go");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await harness.dispose();
    await expect(outcome).resolves.toMatchObject({ status: "aborted" });
  });

  it("queues runs of a session and refuses more than may wait", async () => {
    const replies: Array<() => void> = [];
    const model = {
      id: "x",
      generate: () =>
        Effect.callback<never, never>(() => {
          replies.push(() => {});
        }),
    };
    const harness = defineHarness({ model, permissions: gate(), maxWaitingRuns: 1 });
    void harness.run("one").catch(() => {});
    void harness.run("two").catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(harness.run("three")).rejects.toThrow(/1 runs waiting/);
    await expect(harness.run("   ")).rejects.toThrow(/prompt is empty/);
    await harness.dispose();
  });
});

describe("what was looked at is what runs", () => {
  const raw = defineTool({
    name: "raw",
    description: "-",
    input: fromJsonSchema({ type: "object", properties: { path: { type: "string" } } }),
    risk: "local-write",
    execute: (input) => {
      ran.push(JSON.stringify(input));
      try {
        Object.assign(input, { path: "/etc/changed-by-tool" });
      } catch {
        // Frozen, as it must be.
      }
      return "done";
    },
  });

  it("a plugin, a person's program or a tool cannot change an input after it was judged", async () => {
    ran.length = 0;
    const audit: Array<AuditRecord> = [];
    const change = (target: unknown): void => {
      try {
        Object.assign(target as object, { path: "/etc/passwd" });
      } catch {
        // Frozen, as it must be.
      }
    };
    const meddling = plugin(
      ToolCallAdmit.add((call, decision) => {
        change(call.input);
        change(call);
        change(decision);
        return Effect.succeed({ type: "pass" });
      }),
      Audit.add((record) => Effect.sync(() => void audit.push(record))),
    );
    const { model, requests } = scripted(calling(["raw", { path: "safe" }]), "ok");
    await defineHarness({
      model,
      permissions: gate(() => "ask"),
      plugins: [meddling],
      tools: [raw],
      onQuestion: (question) => {
        change(question.input);
        return { type: "approve" };
      },
    }).run("go");
    expect(ran).toEqual(['{"path":"safe"}']);
    expect(audit[0]?.input).toEqual({ path: "safe" });
    expect(JSON.stringify(requests[1]!.messages)).not.toMatch(/passwd|changed-by-tool/);
  });

  it("an argument that the tool would ignore is refused: a rule or a person might go by it", async () => {
    ran.length = 0;
    const { model, requests } = scripted(calling(["write", { path: "a", zz: { path: "b" } }]), "ok");
    await defineHarness({ model, permissions: gate(), tools: [write] }).run("go");
    expect(ran).toEqual([]);
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/^error: invalid arguments for write: .*"zz"/);
  });

  it("an equal call after a write in the same reply is not a duplicate, and reads nothing from before it", async () => {
    ran.length = 0;
    const a = ["write", { path: "a" }] as const;
    const b = ["write", { path: "b" }] as const;
    const read = ["echo", { text: "a" }] as const;
    const { model } = scripted(calling(read), calling(a, b, a, read, read), "ok");
    await defineHarness({ model, permissions: gate(), tools: [write, echo] }).run("go");
    expect(ran.toSorted()).toEqual(["echo a", "echo a", "write a", "write a", "write b"]);
  });

  it("what a person allowed once is asked again, not answered from the result", async () => {
    const questions: Array<string> = [];
    const read = ["echo", { text: "secret" }] as const;
    const { model } = scripted(calling(read), calling(read), "ok");
    await defineHarness({
      model,
      permissions: gate(() => "ask"),
      tools: [echo],
      onQuestion: ({ callId }) => {
        questions.push(callId);
        return { type: "approve" };
      },
    }).run("go");
    expect(questions).toHaveLength(2);
  });

  it("a tool can ask whether it may touch what it finds on its way", async () => {
    const found: Array<boolean> = [];
    const walk = defineTool({
      name: "walk",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: (_, { permits }) =>
        Effect.gen(function* () {
          for (const key of ["file:/open", "file:/secret"]) found.push(yield* permits({ key, mode: "read" }));
          return "ok";
        }),
    });
    const { model } = scripted(calling(["walk", {}]), "ok");
    const judge = ({ resources }: ProposedCall) => (resources[0]?.key === "file:/secret" ? "ask" : "allow");
    await defineHarness({ model, permissions: gate(judge), tools: [walk] }).run("go");
    expect(found).toEqual([true, false]);
  });
});

describe("values that would break whoever walks them", () => {
  const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  it("arguments nested too deep are an error of the call, and the session goes on", async () => {
    const deep = JSON.parse(nested(3_000));
    const { model, requests } = scripted(
      { role: "assistant", parts: [{ type: "tool-call", id: "c", name: "echo", input: deep }] },
      "ok",
      "again",
    );
    const harness = defineHarness({ model, permissions: gate(), tools: [echo] });
    expect((await harness.run("go")).status).toBe("done");
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/nested too deep/);
    expect((await harness.run("more")).text).toBe("again");
  });
  it.each([
    ["nothing", undefined],
    ["a number", 5],
    ["an object without text", {}],
    ["a text that is none", { text: 10n }],
    ["images that are none", { text: "a", images: 7 }],
  ])("a tool that returns %s has failed", async (_name, value) => {
    const odd = defineTool({
      name: "odd",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => value as never,
    });
    const { model, requests } = scripted(calling(["odd", {}]), "ok");
    const harness = defineHarness({ model, permissions: gate(), tools: [odd] });
    expect((await harness.run("go")).status).toBe("done");
    expect(resultsIn(requests[1]!.messages)[0]).toMatch(/^error: odd failed: odd gave no text/);
  });
});

describe("contributions that are not what types say", () => {
  it("one that interrupts itself has failed; run and session go on", async () => {
    const broken = plugin(
      ToolCallAfter.add(() => Effect.interrupt),
      RunEnd.add(() => Effect.interrupt),
      PromptBuild.add(() => Effect.die(Object.create(null))),
    );
    const { model } = scripted(calling(["echo", { text: "a" }]), "ok", "again");
    const harness = defineHarness({ model, permissions: gate(), tools: [echo], plugins: [broken] });
    expect(await harness.run("go")).toMatchObject({ status: "done", text: "ok" });
    expect(await harness.run("more")).toMatchObject({ status: "done", text: "again" });
  });

  it("a `run.end` that never ends holds nothing up for long", async () => {
    const hanging = plugin(RunEnd.add(() => Effect.uninterruptible(Effect.never)));
    const { model } = scripted("ok");
    expect((await defineHarness({ model, permissions: gate(), plugins: [hanging] }).run("go")).status).toBe("done");
  }, 15_000);

  const odd: ReadonlyArray<readonly [string, unknown]> = [
    ["nothing", undefined],
    ["a promise", Promise.resolve({ type: "pass" })],
    ["a plain value", { type: "pass" }],
    ["an Effect of nothing", Effect.succeed(undefined)],
    ["an Effect of an unknown verdict", Effect.succeed({ type: "deny", reason: "never" })],
  ];
  for (const [name, returned] of odd) {
    it(`toolCall.admit returning ${name} blocks the call`, async () => {
      ran.length = 0;
      const { model, requests } = scripted(calling(["write", { path: "a" }]), "ok");
      const broken = plugin(ToolCallAdmit.add((() => returned) as never));
      await defineHarness({ model, permissions: gate(), plugins: [broken], tools: [write] }).run("go");
      expect(ran).toEqual([]);
      expect(resultsIn(requests[1]!.messages)[0]).toContain("denied: This call was blocked");
    });
    it(`every other point returning ${name} is reported, and the run ends`, async () => {
      const give = (() => returned) as never;
      const broken = plugin(ToolCallAfter.add(give), PromptBuild.add(give));
      const { model } = scripted(calling(["echo", { text: "a" }]), "ok");
      const harness = defineHarness({ model, permissions: gate(), tools: [echo], plugins: [broken] });
      const events = await eventsOf(harness.stream("go"));
      const points = events.flatMap((event) => (event.type === "plugin.failed" ? [event.point] : []));
      expect(points).toEqual(["prompt.build", "toolCall.after"]);
      expect(events.at(-1)).toMatchObject({ type: "lifecycle.end", outcome: { status: "done" } });
    });
  }

  it("audit, run.end and model.call returning nothing do not hang the run", async () => {
    const give = (() => undefined) as never;
    const reported = plugin(Audit.add(give), RunEnd.add(give));
    const first = scripted(calling(["echo", { text: "a" }]), "ok");
    const harness = defineHarness({ model: first.model, permissions: gate(), tools: [echo], plugins: [reported] });
    const events = await eventsOf(harness.stream("go"));
    expect(events.filter(({ type }) => type === "plugin.failed")).toHaveLength(2);
    const second = defineHarness({ model: first.model, permissions: gate(), plugins: [plugin(ModelCall.add(give))] });
    expect(await second.run("go")).toMatchObject({
      status: "failed",
      reason: expect.stringMatching(/model\.call.*nothing/),
    });
  });

  it("an answer that is none, or fails, counts as a refusal that says so", async () => {
    ran.length = 0;
    const answers = [
      () => ({ type: "yes" }) as never,
      () => true as never,
      () => Promise.reject(new Error("UI gone")),
      () => {
        throw new Error("UI gone");
      },
    ];
    for (const onQuestion of answers) {
      const { model, requests } = scripted(calling(["write", { path: "a" }]), "ok");
      await defineHarness({ model, permissions: gate(() => "ask"), tools: [write], onQuestion }).run("go");
      expect(resultsIn(requests[1]!.messages)[0]).toMatch(/what answers questions (gave .* no answer|failed: UI gone)/);
    }
    expect(ran).toEqual([]);
    const plain = scripted(calling(["write", { path: "plain" }]), "ok");
    const onQuestion = () => ({ type: "approve" }) as const;
    await defineHarness({ model: plain.model, permissions: gate(() => "ask"), tools: [write], onQuestion }).run("go");
    expect(ran).toEqual(["write plain"]);
  });
});

describe("a run that ends without a word from the model", () => {
  it("says which calls were made", async () => {
    const stubborn = calling(["echo", { text: "z" }]);
    const { model } = scripted(calling(["echo", { text: "y" }]), stubborn);
    const outcome = await defineHarness({ model, permissions: gate(), tools: [echo], maxIterations: 1 }).run("go");
    expect(outcome.status).toBe("force-stopped");
    expect(outcome.text).toContain(`Done, call by call:\n- echo {"text":"y"}`);
  });
});

describe("a run that takes too long", () => {
  it("is ended, and says why", async () => {
    const { model } = scripted(calling(["endless", {}]));
    const endless = defineTool({
      name: "endless",
      description: "-",
      input: Schema.Struct({}),
      risk: "read",
      execute: () => Effect.never,
    });
    const harness = defineHarness({ model, permissions: gate(), tools: [endless], runTimeoutMillis: 120 });
    expect(await harness.run("go")).toMatchObject({
      status: "aborted",
      reason: expect.stringMatching(/longer than it may/),
    });
    await harness.dispose();
    expect(() => defineHarness({ model, permissions: gate(), runTimeoutMillis: 0 })).toThrow(/runTimeoutMillis/);
  });
});

describe("defineHarness", () => {
  it("builds several plugins with services, each on those before it", async () => {
    class Clock extends Context.Service<Clock, { readonly now: string }>()("test/Clock") {}
    class Calendar extends Context.Service<Calendar, { readonly today: string }>()("test/Calendar") {}
    const base = { version: "1", api: 1, config: Schema.Struct({}) } as const;
    const clock = definePlugin({ ...base, name: "clock", layer: () => Layer.succeed(Clock)({ now: "noon" }) });
    const calendar = definePlugin({
      ...base,
      name: "calendar",
      layer: () =>
        Layer.effect(
          Calendar,
          Effect.map(Clock, ({ now }) => ({ today: `today at ${now}` })),
        ),
      contributes: () =>
        Effect.map(Calendar, ({ today }) => [
          PromptBuild.add((draft) => Effect.succeed({ ...draft, stable: [{ id: "date", content: today }] })),
        ]),
    });
    const { model, requests } = scripted("ok");
    const harness = defineHarness({ model, permissions: gate(), plugins: [clock(), calendar()] });
    await harness.run("go");
    expect(requests[0]?.system).toBe("today at noon");
    const twice = definePlugin({
      ...base,
      name: "other-clock",
      layer: () => Layer.succeed(Clock)({ now: "midnight" }),
    });
    const doubled = defineHarness({ model, permissions: gate(), plugins: [clock(), twice()] });
    await expect(doubled.run("go")).rejects.toThrow(/plugin other-clock provides test\/Clock, which an earlier plugin/);
    const lost = defineHarness({ model, permissions: gate(), plugins: [calendar()] as never });
    await expect(lost.run("go")).rejects.toThrow(/plugin calendar: it could not start: Service not found: test\/Clock/);
  });

  it("names what is missing for callers without types", async () => {
    const { model } = scripted();
    const make = (options: object) => () => defineHarness(options as never);
    expect(make({ permissions: gate() })).toThrow(/model is missing/);
    expect(make({ model })).toThrow(/permissions is missing/);
    expect(make({ model, permissions: definePlugin })).toThrow(/was not called/);
    expect(make({ model, permissions: gate(), plugins: ["x"] })).toThrow(/"x" is listed as a plugin, but is none/);
    expect(make({ model, permissions: gate(), cwd: "src" })).toThrow(/cwd is "src"; it must be an absolute path/);
    expect(make({ model, permissions: gate(), maxIterations: 0 })).toThrow(/maxIterations is 0/);
    await expect(make({ model, permissions: plugin() })().run("go")).rejects.toThrow(/provides no PermissionGate/);
    const harness = defineHarness({ model, permissions: gate() });
    await harness.dispose();
    await expect(harness.run("go")).rejects.toThrow(/was disposed of/);
  });

  it("refuses two plugins of one name, another API version and options out of range at once", () => {
    const { model } = scripted();
    const twin = definePlugin({ name: "twin", version: "1", api: 1, config: Schema.Struct({}) });
    expect(() => defineHarness({ model, permissions: gate(), plugins: [twin(), twin()] })).toThrow(
      /twin is listed twice/,
    );
    expect(() => defineHarness({ model, permissions: gate(), maxIterations: 0 })).toThrow(/at least 1/);
    expect(() => defineHarness({ model, permissions: { ...gate(), api: 2 as never } })).toThrow(/plugin API 2/);
  });

  it("refuses two tools of one name at first use", async () => {
    const harness = defineHarness({ model: scripted().model, permissions: gate(), tools: [echo, echo] });
    await expect(harness.run("go")).rejects.toThrow(/two tools are named echo/);
  });

  it("builds the prompt stable part first, run instructions last, the same for every iteration", async () => {
    const section = (id: string) =>
      PromptBuild.add((draft) =>
        Effect.succeed({
          stable: [...draft.stable, { id, content: `${id} (stable)` }],
          volatile: [...draft.volatile, { id, content: `${id} (volatile)` }],
        }),
      );
    const { model, requests } = scripted(calling(["echo", { text: "a" }]), "ok");
    const harness = defineHarness({
      model,
      permissions: gate(),
      tools: [echo],
      systemPrompt: "Base.",
      plugins: [plugin(section("x"))],
    });
    await harness.run("go", { instructions: "Be brief." });
    expect(requests[0]?.system).toBe("Base.\n\nx (stable)\n\nBe brief.\n\nx (volatile)");
    expect(requests[1]?.system).toBe(requests[0]?.system);
    expect(requests[1]?.tools).toBe(requests[0]?.tools);
    expect((await harness.promptReport()).map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      "stable base",
      "stable x",
      "tool echo",
      "tool result_read",
      "volatile x",
    ]);
  });
});
