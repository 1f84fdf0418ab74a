import { layerSqlite } from "@kumiko/journal/sqlite";
import { defineTool, type Message } from "@kumiko/plugin-api";
import { Inbox, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness } from "../src/index.ts";
import { byReplies, freezing, freshFolder, last, note, options } from "./resumeSupport.ts";
import { calling, gate, resultsIn, type Said } from "./support.ts";

/** Whether providers would take these messages: every call has one result, right after the message that made it. */
const isWellFormed = (messages: ReadonlyArray<Message>): boolean =>
  messages.every((message, at) => {
    const next = messages[at + 1];
    const before = messages[at - 1];
    const calls =
      message.role === "assistant" ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])) : [];
    if (message.role === "tool" && before?.role !== "assistant") return false;
    if (calls.length === 0) return next?.role !== "tool";
    return next?.role === "tool" && JSON.stringify(next.parts.map(({ callId }) => callId)) === JSON.stringify(calls);
  });

describe("a session goes on where its process died", () => {
  const replies: ReadonlyArray<Said> = [
    calling(["note", { text: "a" }]),
    calling(["note", { text: "b" }], ["note", { text: "c" }]),
    "done",
  ];

  it("at every commit, before and after it: nothing runs twice, and it ends as if nothing had happened", async () => {
    const whole: Array<string> = [];
    const undisturbed = defineHarness({
      ...options(byReplies(...replies)),
      tools: [note(whole)],
      sessions: layerSqlite({ directory: freshFolder() }),
    });
    expect(await undisturbed.run("go")).toMatchObject({ status: "done", text: "done", iterations: 3 });
    await undisturbed.dispose();

    for (let at = 2; at <= 6; at++)
      for (const moment of ["before", "after"] as const) {
        const ran: Array<string> = [];
        const directory = freshFolder();
        const { frozen, sessions } = freezing(directory, at, moment);
        const first = defineHarness({ ...options(byReplies(...replies)), tools: [note(ran)], sessions });
        const outcome = first.run("go");
        await frozen;
        await first.dispose();
        expect(await outcome, `append ${at}, ${moment}`).toMatchObject({ status: "suspended" });

        const { model, requests } = byReplies(...replies);
        const second = defineHarness({
          ...options({ model }),
          tools: [note(ran)],
          sessions: layerSqlite({ directory }),
        });
        const resumed = await last(second.resume("main"));
        await second.dispose();
        if (at === 6 && moment === "after") expect(resumed).toBeUndefined();
        else expect(resumed, `append ${at}, ${moment}`).toMatchObject({ status: "done", text: "done", iterations: 3 });
        // What had begun is never begun again; what had not is run now.
        expect(new Set(ran).size, `append ${at}, ${moment}: ${ran.join()}`).toBe(ran.length);
        for (const { messages } of requests) expect(isWellFormed(messages)).toBe(true);
      }
  });

  it("reports the outcome of a call that may have run as unknown, and does not run it again", async () => {
    const ran: Array<string> = [];
    const directory = freshFolder();
    const { frozen, sessions } = freezing(directory, 2, "after");
    const first = defineHarness({
      ...options(byReplies(calling(["note", { text: "a" }]), "done")),
      tools: [note(ran)],
      sessions,
    });
    void first.run("go");
    await frozen;
    await first.dispose();
    expect(ran).toEqual([]);

    const { model, requests } = byReplies(calling(["note", { text: "a" }]), "done");
    const second = defineHarness({ ...options({ model }), tools: [note(ran)], sessions: layerSqlite({ directory }) });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done" });
    await second.dispose();
    expect(ran).toEqual([]);
    expect(resultsIn(requests[0]?.messages ?? [])[0]).toMatch(/^unknown: The process that ran this call died/);
  });

  it("looks up what can be looked up: done is done, not done runs", async () => {
    for (const [found, expected] of [
      [{ type: "done", output: { text: "it was there" } }, "ok: it was there"],
      [{ type: "notDone" }, "ok: noted a"],
      [{ type: "unknown", detail: "neither" }, "unknown: "],
    ] as const) {
      const ran: Array<string> = [];
      const directory = freshFolder();
      const looking = () => note(ran, { lookup: () => found });
      const { frozen, sessions } = freezing(directory, 2, "after");
      const first = defineHarness({
        ...options(byReplies(calling(["note", { text: "a" }]), "done")),
        tools: [looking()],
        sessions,
      });
      void first.run("go");
      await frozen;
      await first.dispose();
      const { model, requests } = byReplies(calling(["note", { text: "a" }]), "done");
      const second = defineHarness({ ...options({ model }), tools: [looking()], sessions: layerSqlite({ directory }) });
      expect(await last(second.resume("main"))).toMatchObject({ status: "done" });
      await second.dispose();
      expect(resultsIn(requests[0]?.messages ?? [])[0]).toContain(expected);
      expect(ran).toEqual(found.type === "notDone" ? ["a"] : []);
    }
  });

  it("runs what was not done only if the rules still allow it", async () => {
    const ran: Array<string> = [];
    const directory = freshFolder();
    const looking = note(ran, { lookup: () => ({ type: "notDone" }) });
    const { frozen, sessions } = freezing(directory, 2, "after");
    const first = defineHarness({
      ...options(byReplies(calling(["note", { text: "a" }]), "done")),
      tools: [looking],
      sessions,
    });
    void first.run("go");
    await frozen;
    await first.dispose();
    const { model, requests } = byReplies(calling(["note", { text: "a" }]), "done");
    const second = defineHarness({
      model,
      permissions: gate(() => "deny"),
      tools: [looking],
      sessions: layerSqlite({ directory }),
    });
    await last(second.resume("main"));
    await second.dispose();
    expect(ran).toEqual([]);
    expect(resultsIn(requests[0]?.messages ?? [])[0]).toMatch(/^denied: /);
  });
});

describe("questions outlive the process", () => {
  const asking = (directory: string, ran: Array<string>) => ({
    ...options(byReplies(calling(["note", { text: "a" }]), "done")),
    permissions: gate(() => "ask"),
    tools: [note(ran)],
    sessions: layerSqlite({ directory }),
  });

  it("a suspended run waits, saved, for an answer from anywhere, and goes on with it", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const first = defineHarness({ ...asking(directory, ran), unattended: "suspend" });
    const outcome = await first.run("go");
    expect(outcome).toMatchObject({ status: "suspended" });
    expect(outcome.reason).toContain("it waits for an answer");
    await first.dispose();

    // Opened again without an answer, it goes on waiting.
    const again = defineHarness({ ...asking(directory, ran), unattended: "suspend" });
    expect(await last(again.resume("main"))).toMatchObject({ status: "suspended" });
    await again.dispose();

    const elsewhere = Effect.gen(function* () {
      const questions = yield* Questions;
      const [question] = yield* questions.open;
      expect(question).toMatchObject({ kind: "approval", tool: "note", sessionKey: "main" });
      yield* questions.answer(question?.id ?? "", { type: "approve" });
      return (yield* Effect.flip(questions.answer(question?.id ?? "", { type: "deny" }))).reason;
    });
    expect(await Effect.runPromise(Effect.provide(elsewhere, layerSqlite({ directory })))).toBe("answered");

    const second = defineHarness({ ...asking(directory, ran), unattended: "suspend" });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done", text: "done" });
    await second.dispose();
    expect(ran).toEqual(["a"]);
  });

  it("a run that waits here is told of an answer from another process", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const harness = defineHarness({ ...asking(directory, ran), unattended: "wait" });
    const outcome = harness.run("go");
    const answering = Effect.gen(function* () {
      const questions = yield* Questions;
      for (;;) {
        const [question] = yield* questions.open;
        if (question !== undefined) return yield* questions.answer(question.id, { type: "deny", reason: "too early" });
        yield* Effect.sleep(20);
      }
    });
    await Effect.runPromise(Effect.provide(answering, layerSqlite({ directory })));
    expect(await outcome).toMatchObject({ status: "denied" });
    await harness.dispose();
    expect(ran).toEqual([]);
  });
});

describe("messages on the way", () => {
  it("are shown to the model before its next call, in order, and the run goes on with them", async () => {
    const { model, requests } = byReplies(calling(["slow", {}]), "an answer", "the last answer");
    const harness = defineHarness({
      ...options({ model }),
      tools: [
        defineTool({
          name: "slow",
          description: "-",
          input: Schema.Struct({}),
          risk: "read",
          execute: () => new Promise<string>((resolve) => setTimeout(() => resolve("ok"), 150)),
        }),
      ],
      sessions: layerSqlite({ directory: freshFolder() }),
    });
    const steering = Effect.gen(function* () {
      const { Runs } = yield* Effect.promise(() => import("@kumiko/runtime-api"));
      const handle = yield* (yield* Runs).start({ sessionKey: "main", input: "go" });
      yield* Effect.sleep(30);
      yield* handle.steer("first this");
      yield* handle.steer("then that");
      return yield* handle.wait;
    });
    expect(await Effect.runPromise(Effect.provide(steering, harness))).toMatchObject({
      status: "done",
      text: "an answer",
    });
    expect(JSON.stringify(requests[1]?.messages)).toMatch(/first this.*then that/);
    await harness.dispose();
  });

  it("posted from another process reach a session that is open, and wait for one that is not", async () => {
    const directory = freshFolder();
    const { model, requests } = byReplies("hello", "and hello again");
    const harness = defineHarness({ ...options({ model }), sessions: layerSqlite({ directory }) });
    await harness.run("go");
    const post = (text: string) =>
      Effect.runPromise(
        Effect.provide(
          Effect.flatMap(Inbox, (inbox) => inbox.post("main", { type: "message", text, delivery: "follow-up" })),
          layerSqlite({ directory }),
        ),
      );
    await post("from elsewhere");
    await expect.poll(() => requests.length, { timeout: 3_000 }).toBe(2);
    await harness.dispose();
    await post("while nobody is here");

    const later = byReplies("hello", "and hello again", "and once more");
    const second = defineHarness({ ...options(later), sessions: layerSqlite({ directory }) });
    for await (const event of second.resume("main")) expect(event).toBeDefined();
    await expect
      .poll(() => JSON.stringify(later.requests.at(-1)?.messages), { timeout: 3_000 })
      .toMatch(/from elsewhere.*while nobody is here/);
    await second.dispose();
  });

  it("an abort from another process ends the run", async () => {
    const directory = freshFolder();
    const harness = defineHarness({
      ...options(byReplies(calling(["endless", {}]))),
      tools: [
        defineTool({
          name: "endless",
          description: "-",
          input: Schema.Struct({}),
          risk: "read",
          execute: () => Effect.never,
        }),
      ],
      sessions: layerSqlite({ directory }),
    });
    const outcome = harness.run("go");
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Inbox, (inbox) => inbox.post("main", { type: "abort", reason: "enough" })),
        layerSqlite({ directory }),
      ),
    );
    expect(await outcome).toMatchObject({ status: "aborted", reason: "enough" });
    await harness.dispose();
  });
});

describe("one session, one writer", () => {
  it("a second process is refused, and told what it can do", async () => {
    const directory = freshFolder();
    const first = defineHarness({ ...options(byReplies("a")), sessions: layerSqlite({ directory }) });
    await first.run("go");
    const second = defineHarness({ ...options(byReplies("a")), sessions: layerSqlite({ directory }) });
    await expect(second.run("go")).rejects.toThrow(/in use by another process/);
    await second.dispose();
    await first.dispose();
    const third = defineHarness({ ...options(byReplies("a", "b")), sessions: layerSqlite({ directory }) });
    expect(await third.run("go")).toMatchObject({ text: "b" });
    await third.dispose();
  });
});
