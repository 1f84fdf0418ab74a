import { type LanguageModel, type Message, type RunEvent, textOf } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { defineTool } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness, type HarnessOptions } from "../src/index.ts";
import { calling, ending, failed, gate, resultsIn, type Said, scripted } from "./support.ts";

const echo = defineTool({
  name: "echo",
  description: "Says it again.",
  input: Schema.Struct({ text: Schema.String }),
  risk: "read",
  execute: ({ text }) => `echo: ${text}`,
});
type Options = Partial<HarnessOptions<ReturnType<typeof gate>, []>>;
const run = async (replies: ReadonlyArray<Said>, options: Options = {}) => {
  const { model, requests } = scripted(...replies);
  const harness = defineHarness({
    model,
    permissions: gate(),
    tools: [echo],
    retry: { baseMillis: 2, maxMillis: 4 },
    ...options,
  });
  const events: Array<RunEvent> = [];
  for await (const event of harness.stream("go")) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "lifecycle.end" && last?.type !== "lifecycle.error") throw new Error("the run has no end");
  const again = await harness.run("and now?");
  await harness.dispose();
  return { events, outcome: last.outcome, requests, again };
};
const named = (id: string, ...replies: ReadonlyArray<Said>) => {
  const { model, requests } = scripted(...replies);
  return { model: { ...model, id }, requests };
};
const said = (messages: ReadonlyArray<Message> = []): ReadonlyArray<string> =>
  messages.map(
    (message) => `${message.role}: ${message.role === "tool" ? resultsIn([message]).join() : textOf(message)}`,
  );
const typesOf = (events: ReadonlyArray<RunEvent>, ...prefixes: ReadonlyArray<string>): ReadonlyArray<string> =>
  events.flatMap(({ type }) => (prefixes.some((prefix) => type.startsWith(prefix)) ? [type] : []));

describe("a model call that fails", () => {
  it.each(["rate-limit", "overloaded", "server", "network", "timeout", "bad-response"] as const)(
    "is repeated for %s, and nobody but the events knows",
    async (reason) => {
      const { events, outcome, requests } = await run([failed(reason), failed(reason), "fine"]);
      expect(outcome).toMatchObject({ status: "done", text: "fine", iterations: 1 });
      expect(requests[1]).toEqual(requests[0]);
      expect(requests[2]?.messages).toBe(requests[2]?.messages);
      expect(typesOf(events, "model.")).toEqual(["model.failed", "model.failed"]);
    },
  );

  it.each(["auth", "bad-request", "not-found", "context-overflow"] as const)(
    "is not repeated for %s: the run ends and says what is done and what is not",
    async (reason) => {
      const { events, outcome, requests } = await run([calling(["echo", { text: "a" }]), failed(reason)]);
      expect(outcome).toMatchObject({ status: "failed", iterations: 2 });
      expect(outcome.reason).toBe(`the model call failed: ${reason} of the test`);
      expect(outcome.text).toContain('- echo {"text":"a"}');
      expect(outcome.text).toContain('Not done: "go" has no final answer.');
      expect(requests.length).toBe(3);
      // The call that ended it is told, with its reason, before the end.
      expect(events.at(-2)).toMatchObject({ type: "model.failed", reason, attempt: 1 });
      expect(events.at(-2)).not.toHaveProperty("retryAt");
    },
  );

  it("waits longer each time, and never less than the provider asks for", async () => {
    const wishes = [failed("overloaded"), failed("overloaded", { retryAfterMillis: 60 }), failed("overloaded")];
    const { events } = await run([...wishes, "fine"], { retry: { baseMillis: 10, maxMillis: 1000 } });
    const failures = events.flatMap((event) => (event.type === "model.failed" ? [event] : []));
    const waits = failures.map(({ retryAt = 0, time }) => Math.round((retryAt - time) / 10) * 10);
    expect(waits).toEqual([10, 60, 40]);
    expect(failures.map(({ attempt, attempts }) => [attempt, attempts])).toEqual([1, 2, 3].map((n) => [n, 8]));
    const tries = events.findIndex(({ type }) => type === "assistant.end");
    expect(events[tries]!.time).toBeGreaterThanOrEqual(failures[2]!.retryAt ?? 0);
  });

  it("ends the run when its attempts are used up", async () => {
    const { outcome, requests } = await run(Array.from({ length: 20 }, () => failed("server")));
    expect(outcome.status).toBe("failed");
    expect(outcome.reason).toContain("6 times");
    // Six for the first run, six for the second.
    expect(requests.length).toBe(12);
  });

  it("ends the run when the provider wants more patience than there is", async () => {
    const { outcome } = await run([failed("rate-limit", { retryAfterMillis: 4_000_000 }), "late"]);
    expect(outcome).toMatchObject({ status: "failed" });
  });

  it("counts the tokens of what failed", async () => {
    const usage = { inputTokens: 7, outputTokens: 1 };
    const { outcome } = await run([failed("network", { usage }), "fine"]);
    expect(outcome.usage).toEqual({ inputTokens: 17, outputTokens: 6 });
  });

  it("can be aborted while it waits", async () => {
    const { model } = scripted(failed("overloaded"), "late");
    const harness = defineHarness({ model, permissions: gate(), retry: { baseMillis: 60_000, maxMillis: 60_000 } });
    const controller = new AbortController();
    for await (const event of harness.stream("go", { signal: controller.signal })) {
      if (event.type === "model.failed") controller.abort();
      if (event.type === "lifecycle.end") expect(event.outcome.status).toBe("aborted");
    }
    await harness.dispose();
  });
});

describe("several models", () => {
  it("goes on with the next when the first has failed for good, and with the first in the next run", async () => {
    const first = named("a/one", failed("auth"), "first again");
    const second = named("b/two", calling(["echo", { text: "x" }]), "second");
    const { again, events, outcome } = await run([], { model: [first.model, second.model] });
    expect(outcome).toMatchObject({ status: "done", text: "second" });
    expect(events.find(({ type }) => type === "model.switched")).toMatchObject({ from: "a/one", to: "b/two" });
    expect(again.text).toBe("first again");
  });

  it("asks another account only where that may help, and after a rate limit only one", async () => {
    const busy = Array.from({ length: 30 }, () => failed("rate-limit"));
    const asked = async (reason: "auth" | "rate-limit" | "server") => {
      const names: Array<string> = [];
      const account = (id: string, profile: string): LanguageModel => ({
        id,
        profile,
        generate: () =>
          Effect.suspend(() => {
            if (names.at(-1) !== `${id} ${profile}`) names.push(`${id} ${profile}`);
            return id === "b/two" ? Effect.succeed(ending("fine", "end")) : Effect.fail(failed(reason));
          }),
      });
      const models = [
        account("a/one", "x"),
        account("a/one", "y"),
        account("a/one", "z"),
        account("b/two", "x"),
      ] as const;
      const harness = defineHarness({ model: models, permissions: gate(), retry: { baseMillis: 1, maxMillis: 1 } });
      expect((await harness.run("go")).text).toBe("fine");
      await harness.dispose();
      return names;
    };
    expect(busy.length).toBe(30);
    expect(await asked("auth")).toEqual(["a/one x", "a/one y", "a/one z", "b/two x"]);
    expect(await asked("rate-limit")).toEqual(["a/one x", "a/one y", "b/two x"]);
    expect(await asked("server")).toEqual(["a/one x", "b/two x"]);
  });

  it("begins with the one a run asks for, and refuses one there is not", async () => {
    const first = named("a/one", "first");
    const second = named("b/two", "second");
    const harness = defineHarness({ model: [first.model, { ...second.model, profile: "work" }], permissions: gate() });
    expect((await harness.run("go", { model: "b/two" })).text).toBe("second");
    for await (const event of harness.stream("go", { model: "b/two", sessionKey: "t" }))
      if (event.type === "lifecycle.start") expect(event.model).toBe("b/two");
    expect((await harness.run("go", { profile: "work", sessionKey: "s" })).text).toBe("nothing left to say");
    await expect(harness.run("go", { model: "c/three" })).rejects.toThrow(
      "there is no model c/three; there are: a/one, b/two (work)",
    );
    await harness.dispose();
  });

  it("sends a conversation that is too long to a model that sees more", async () => {
    const small = { ...named("a/small", failed("context-overflow")).model, contextWindowTokens: 8_000 };
    const smaller = { ...named("a/smaller").model, contextWindowTokens: 4_000 };
    const large = { ...named("a/large", "fits").model, contextWindowTokens: 200_000 };
    const { outcome } = await run([], { model: [small, smaller, large] });
    expect(outcome).toMatchObject({ status: "done", text: "fits" });
  });

  it("says what all of them cost, and whether that is all", async () => {
    const prices = { input: 1_000_000, output: 0 };
    const priced = { ...named("a/one", calling(["echo", { text: "x" }]), failed("auth")).model, prices };
    const unknown = named("b/two", "fine").model;
    const { outcome } = await run([], { model: [priced, unknown] });
    expect(outcome).toMatchObject({ costUsd: 10, costIsPartial: true });
    const alone = { ...named("a/one", "fine").model, prices };
    const whole = await run([], { model: alone });
    expect(whole.outcome).toMatchObject({ costUsd: 10 });
    expect(whole.outcome.costIsPartial).toBeUndefined();
  });
});

describe("a reply that is no answer", () => {
  it("is continued where the output limit cut it, and joined without a seam", async () => {
    const { again, events, outcome, requests } = await run([
      ending("One, two, thr", "length"),
      ending("ee, four, fi", "length"),
      "two, three, four, five.",
    ]);
    expect(outcome).toMatchObject({ status: "done", text: "One, two, three, four, five.", iterations: 3 });
    expect(outcome.flags).toBeUndefined();
    expect(said(requests[2]?.messages).slice(0, 2)).toEqual(["user: go", "assistant: One, two, three, four, fi"]);
    expect(typesOf(events, "loop.")).toEqual(["loop.followUp", "loop.followUp"]);
    expect(again.text).toBe("nothing left to say");
    expect(said(requests[3]?.messages)).toEqual([
      "user: go",
      "assistant: One, two, three, four, five.",
      "user: and now?",
    ]);
  });

  it("is returned as far as it goes after three continuations", async () => {
    const { outcome, requests } = await run(Array.from({ length: 4 }, (_, at) => ending(`part ${at}. `, "length")));
    expect(outcome).toMatchObject({ status: "done", text: "part 0. part 1. part 2. part 3. ", flags: ["truncated"] });
    expect(requests.length).toBe(5);
  });

  it("is flagged where the continuation says nothing, and where it claims work before the cut", async () => {
    const { outcome } = await run([ending("The first half of", "length"), ending("", "end")]);
    expect(outcome).toMatchObject({ status: "done", text: "The first half of", flags: ["truncated"] });
    const claim = ending("I've updated config.ts so that", "length");
    const claiming = await run([claim, " the port is 8080.", "I've updated config.ts.", "I've updated config.ts."]);
    expect(claiming.outcome.flags).toEqual(["unverified"]);
  });

  it("keeps calls that follow a continuation", async () => {
    const { outcome, requests } = await run([
      ending("I will lo", "length"),
      { ...calling(["echo", { text: "x" }]) },
      "done",
    ]);
    expect(outcome.text).toBe("done");
    expect(said(requests[2]?.messages)).toEqual(["user: go", "assistant: I will lo", "tool: ok: echo: x"]);
  });

  it.each([
    ["empty", ending("", "end")],
    ["blank", ending(" \n", "other")],
    ["cut before its first word", ending("", "length")],
    ["said to call tools, but does not", ending("", "tool-calls")],
    [
      "reasoning only",
      {
        ...ending("", "end"),
        message: { role: "assistant" as const, parts: [{ type: "reasoning" as const, text: "hm" }] },
      },
    ],
  ])("is asked for once more where it is %s", async (_, empty) => {
    const { again, outcome, requests } = await run([empty, "there"]);
    expect(outcome).toMatchObject({ status: "done", text: "there", iterations: 1 });
    expect(said(requests[1]?.messages)).toEqual([
      "user: go",
      "user: Your reply was empty. Answer in text, or call a tool.",
    ]);
    expect(said(requests[2]?.messages)).toEqual(["user: go", "assistant: there", "user: and now?"]);
    expect(again.status).toBe("done");
  });

  it("ends the run, or puts it to another model, where it is empty twice", async () => {
    const empty = ending("", "end");
    const { outcome } = await run([empty, empty]);
    expect(outcome).toMatchObject({ status: "failed", usage: { inputTokens: 20, outputTokens: 10 } });
    expect(outcome.reason).toContain("empty reply");
    const first = named("a/one", empty, empty);
    const second = named("b/two", "there");
    const switched = await run([], { model: [first.model, second.model] });
    expect(switched.outcome).toMatchObject({ status: "done", text: "there" });
    expect(said(second.requests[0]?.messages)).toEqual(["user: go"]);
  });

  it("is corrected where it writes a call as text, and the conversation keeps only the answer", async () => {
    const fake = '<tool_call>{"name": "echo", "arguments": {"text": "x"}}</tool_call>';
    const { events, outcome, requests } = await run([fake, calling(["echo", { text: "x" }]), "done"]);
    expect(outcome).toMatchObject({ status: "done", text: "done" });
    expect(said(requests[1]?.messages)[1]).toBe(`assistant: ${fake}`);
    expect(said(requests[1]?.messages)[2]).toContain("Text runs nothing");
    expect(said(requests[2]?.messages)).toEqual(["user: go", "assistant: ", "tool: ok: echo: x"]);
    expect(events.find(({ type }) => type === "loop.followUp")).toMatchObject({ kind: "correct" });
  });

  it("is returned flagged where two corrections did not help", async () => {
    const fake = '{"name": "echo", "arguments": {"text": "x"}}';
    const { outcome, requests } = await run([fake, fake, fake]);
    expect(outcome).toMatchObject({ status: "done", text: fake, flags: ["unverified"], iterations: 3 });
    expect(requests.length).toBe(4);
  });

  it("is returned where it is a refusal", async () => {
    const { outcome, requests } = await run([ending("I will not do that.", "refusal")]);
    expect(outcome).toMatchObject({ status: "done", text: "I will not do that.", flags: ["refused"] });
    expect(requests.length).toBe(2);
  });

  it("leaves nothing behind when the run ends before there is another", async () => {
    const fake = '{"name": "echo", "arguments": {"text": "x"}}';
    const { outcome, requests } = await run([fake, failed("auth"), "fine"]);
    expect(outcome.status).toBe("failed");
    expect(said(requests[2]?.messages)).toEqual(["user: go", "user: and now?"]);
    const cut = await run([ending("half an ans", "length"), failed("auth"), "fine"]);
    expect(cut.outcome.text).toContain("half an ans");
    expect(said(cut.requests[2]?.messages)).toEqual(["user: go", "assistant: half an ans", "user: and now?"]);
  });
});

describe("the closing summary", () => {
  const work = calling(["echo", { text: "x" }]);
  const begun = { ...work, parts: [{ type: "text" as const, text: "Let me look first." }, ...work.parts] };

  it("is flagged where it is cut", async () => {
    const { outcome } = await run([begun, ending("Done is the fir", "length")], { maxIterations: 1 });
    expect(outcome).toMatchObject({ status: "force-stopped", text: "Done is the fir", flags: ["truncated"] });
  });

  it("gives way to the report where it is empty: earlier words are no summary", async () => {
    const { outcome } = await run([begun, ending("", "end")], { maxIterations: 1 });
    expect(outcome.status).toBe("force-stopped");
    expect(outcome.text).toContain("Done, call by call:");
    expect(outcome.text).toContain('The model\'s last words: "Let me look first."');
  });
});

describe("the checkpoint", () => {
  it("comes once, after three fifths of the cap; what the model says of it is no answer", async () => {
    const work = () => calling(["echo", { text: "x" }]);
    const replies = [...Array.from({ length: 6 }, work), "Half way there.", work(), "done"];
    const { events, outcome, requests } = await run(replies, { maxIterations: 10 });
    expect(outcome).toMatchObject({ status: "done", text: "done", iterations: 9 });
    expect(typesOf(events, "loop.")).toEqual(["loop.followUp", "loop.followUp"]);
    expect(said(requests[8]?.messages).filter((text) => !text.includes("echo") && text !== "assistant: ")).toEqual([
      "user: go",
      expect.stringContaining("user: Checkpoint: "),
      "assistant: Half way there.",
      "user: Go on with the task. If it is done, give the final answer.",
    ]);
  });

  it("comes no second time where the model goes on at once", async () => {
    const work = () => calling(["echo", { text: "x" }]);
    const { events } = await run([...Array.from({ length: 9 }, work), "done"], { maxIterations: 10 });
    expect(typesOf(events, "loop.")).toEqual(["loop.followUp"]);
  });
});

describe("calls whose arguments do not fit", () => {
  it("stop the run when they are the same three times in a row", async () => {
    const wrong = () => calling(["echo", { txt: "x" }]);
    const { outcome } = await run([wrong(), wrong(), wrong(), "I cannot call it."]);
    expect(outcome).toMatchObject({ status: "force-stopped", text: "I cannot call it.", iterations: 3 });
    expect(outcome.reason).toContain("do not fit 3 times in the same way: echo: ");
  });

  it("do not stop it while the model mends them", async () => {
    const wrong = () => calling(["echo", { txt: "x" }]);
    const replies = [wrong(), wrong(), calling(["echo", { text: "x" }]), wrong(), wrong(), "done"];
    expect((await run(replies)).outcome).toMatchObject({ status: "done", iterations: 6 });
  });
});

describe("a model that says nothing", () => {
  const silent = (first: Effect.Effect<never, never>): LanguageModel => {
    let calls = 0;
    return {
      id: "s/s",
      generate: () => Effect.suspend(() => (calls++ === 0 ? first : Effect.succeed(ending("there", "end")))),
    };
  };

  it("is told of, then ended and asked again", async () => {
    let wasEnded = false;
    const hanging = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (wasEnded = true)));
    const { events, outcome } = await run([], {
      model: silent(hanging),
      silence: { noticeMillis: 30, cutMillis: 90 },
    });
    expect(outcome).toMatchObject({ status: "done", text: "there" });
    expect(wasEnded).toBe(true);
    expect(typesOf(events, "model.")).toEqual(["model.silent", "model.failed"]);
    expect(events.find(({ type }) => type === "model.failed")).toMatchObject({ reason: "timeout" });
  });

  it("may take as long as it likes while it speaks", async () => {
    const slow: LanguageModel = {
      id: "s/s",
      generate: (_, onEvent) =>
        Effect.gen(function* () {
          onEvent({ type: "text.start", index: 0 });
          for (let at = 0; at < 8; at++) {
            yield* Effect.sleep(20);
            onEvent({ type: "text.delta", index: 0, text: "." });
          }
          return ending("........", "end");
        }),
    };
    const { events } = await run([], { model: slow, silence: { noticeMillis: 60, cutMillis: 90 } });
    expect(typesOf(events, "model.")).toEqual([]);
  });
});
