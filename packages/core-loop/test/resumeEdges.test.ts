import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { layerSqlite } from "@kumiko/journal/sqlite";
import { type AssistantMessage, definePlugin, defineTool, ToolCallAdmit, type Tool } from "@kumiko/plugin-api";
import { Inbox, type InboxItem, Journal, Questions } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { defineHarness, describeSession } from "../src/index.ts";
import { byReplies, freezing, freshFolder, last, note, options } from "./resumeSupport.ts";
import { calling, gate, resultsIn, scripted } from "./support.ts";

/** A reply whose calls have these ids. */
const callingAs = (...calls: ReadonlyArray<readonly [id: string, name: string, input: object]>): AssistantMessage => ({
  role: "assistant",
  parts: calls.map(([id, name, input]) => ({
    type: "tool-call",
    id,
    name,
    input: JSON.parse(JSON.stringify(input)),
  })),
});

const on = <A, E>(directory: string, effect: Effect.Effect<A, E, Journal | Inbox | Questions>) =>
  Effect.runPromise(Effect.provide(effect, layerSqlite({ directory })));
const post = (directory: string, item: InboxItem, session = "main") =>
  on(
    directory,
    Effect.flatMap(Inbox, (inbox) => inbox.post(session, item)),
  );

/** A tool that changes one "file", and prepares and looks up as file tools do. */
const appending = (file: { content: string }): Tool =>
  defineTool({
    name: "append",
    description: "-",
    input: Schema.Struct({ text: Schema.String }),
    risk: "local-write",
    resources: () => [{ key: "file:/f", mode: "write" }],
    prepare: ({ text }) => [
      {
        path: "/f",
        before: { digest: file.content, mode: 0o644, sizeBytes: 0 },
        after: { digest: file.content + text },
      },
    ],
    lookup: (_, [change]) =>
      file.content === change?.after?.digest
        ? { type: "done", output: { text: "done" } }
        : file.content === change?.before?.digest
          ? { type: "notDone" }
          : { type: "unknown", detail: "it is something else" },
    execute: ({ text }) => {
      file.content += text;
      return `it is now ${file.content}`;
    },
  });

describe("calls after a resume", () => {
  it("run where their id was used before, by a call of the reply that was interrupted", async () => {
    const replies = [callingAs(["c0", "note", { text: "a" }]), callingAs(["c0", "note", { text: "b" }]), "done"];
    const directory = freshFolder();
    const ran: Array<string> = [];
    const { frozen, sessions } = freezing(directory, 2, "after");
    const first = defineHarness({ ...options(byReplies(...replies)), tools: [note(ran)], sessions });
    void first.run("go");
    await frozen;
    await first.dispose();
    const second = defineHarness({
      ...options(byReplies(...replies)),
      tools: [note(ran)],
      sessions: layerSqlite({ directory }),
    });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done" });
    await second.dispose();
    expect(ran).toEqual(["b"]);
  });

  it("run once each where one reply changes a file and makes the same change again, wherever it was killed", async () => {
    const replies = [
      callingAs(["c0", "append", { text: "x" }], ["c1", "append", { text: "y" }], ["c2", "append", { text: "x" }]),
      "done",
    ];
    for (let at = 2; at <= 5; at++)
      for (const moment of ["before", "after"] as const) {
        const directory = freshFolder();
        const file = { content: "" };
        const { frozen, sessions } = freezing(directory, at, moment);
        const first = defineHarness({ ...options(byReplies(...replies)), tools: [appending(file)], sessions });
        void first.run("go");
        await frozen;
        await first.dispose();
        const { model, requests } = byReplies(...replies);
        const second = defineHarness({
          ...options({ model }),
          tools: [appending(file)],
          sessions: layerSqlite({ directory }),
        });
        await last(second.resume("main"));
        await second.dispose();
        expect(file.content, `append ${at}, ${moment}`).toBe("xyx");
        for (const result of resultsIn(requests.at(-1)?.messages ?? [])) expect(result).toMatch(/^ok/);
      }
  });

  it("are told apart where a model uses an id twice in a reply", async () => {
    const ran: Array<string> = [];
    const { model, requests } = scripted(
      callingAs(["c", "note", { text: "a" }], ["c", "note", { text: "b" }], ["c", "note", { text: "a" }]),
      "done",
    );
    const harness = defineHarness({ ...options({ model }), tools: [note(ran)] });
    await harness.run("go");
    await harness.dispose();
    const [reply, results] = (requests[1]?.messages ?? []).slice(-2);
    const ids =
      reply?.role === "assistant" ? reply.parts.flatMap((part) => (part.type === "tool-call" ? [part.id] : [])) : [];
    expect(new Set(ids).size).toBe(3);
    expect(results?.role === "tool" ? results.parts.map(({ callId }) => callId) : []).toEqual(ids);
  });

  it("are unknown where their tool is gone, and stay so when it is back", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const replies = [callingAs(["c0", "note", { text: "a" }], ["c1", "ask", {}]), "done"];
    const ask = defineTool({ name: "ask", description: "-", input: Schema.Struct({}), execute: () => "ok" });
    const permissions = () => gate(({ name }) => (name === "ask" ? "ask" : "allow"));
    const { frozen, sessions } = freezing(directory, 3, "after");
    const first = defineHarness({
      ...options(byReplies(...replies)),
      permissions: permissions(),
      tools: [note(ran), ask],
      onQuestion: () => ({ type: "approve" }),
      sessions,
    });
    void first.run("go");
    await frozen;
    await first.dispose();
    ran.length = 0;
    for (const tools of [[ask], [note(ran), ask]]) {
      const next = defineHarness({
        ...options(byReplies(...replies)),
        permissions: permissions(),
        tools,
        unattended: "deny",
        sessions: layerSqlite({ directory }),
      });
      await last(next.resume("main"));
      await next.dispose();
    }
    expect(ran).toEqual([]);
  });

  it("are recovered by the input they ran with, where a plugin had rewritten it", async () => {
    const directory = freshFolder();
    const paid: Array<string> = [];
    const asked: Array<string> = [];
    const pay = defineTool({
      name: "pay",
      description: "-",
      input: Schema.Struct({ to: Schema.String }),
      risk: "remote-write",
      lookup: ({ to }) => {
        asked.push(to);
        return paid.includes(to) ? { type: "done", output: { text: "paid before" } } : { type: "notDone" };
      },
      execute: ({ to }) => {
        paid.push(to);
        return "paid";
      },
    });
    const rewriting = definePlugin({
      name: "accounts",
      version: "0.0.0",
      api: 1,
      config: Schema.Struct({}),
      contributes: () => [
        ToolCallAdmit.add(({ input }) =>
          Effect.succeed(
            JSON.stringify(input).includes("acct:") ? { type: "pass" } : { type: "rewrite", input: { to: "acct:bob" } },
          ),
        ),
      ],
    });
    const replies = [calling(["pay", { to: "bob" }]), "done"];
    const { frozen, sessions } = freezing(directory, 3, "before");
    const build = (kept: typeof sessions) =>
      defineHarness({ ...options(byReplies(...replies)), plugins: [rewriting()], tools: [pay], sessions: kept });
    const first = build(sessions);
    void first.run("go");
    await frozen;
    await first.dispose();
    expect(paid).toEqual(["acct:bob"]);
    const second = build(layerSqlite({ directory }));
    await last(second.resume("main"));
    await second.dispose();
    expect(asked).toEqual(["acct:bob"]);
    expect(paid).toEqual(["acct:bob"]);
  });

  it("are looked up and prepared within their tool's time", async () => {
    const slow = (more: object) =>
      note([], { timeoutMillis: 60, ...more } as Partial<Parameters<typeof defineTool>[0]>);
    const directory = freshFolder();
    const replies = [calling(["note", { text: "a" }]), "done"];
    const preparing = defineHarness({
      ...options(byReplies(...replies)),
      tools: [slow({ prepare: () => Effect.never })],
      sessions: layerSqlite({ directory: freshFolder() }),
    });
    expect(await preparing.run("go")).toMatchObject({ status: "done" });
    await preparing.dispose();
    const { frozen, sessions } = freezing(directory, 2, "after");
    const first = defineHarness({ ...options(byReplies(...replies)), tools: [slow({})], sessions });
    void first.run("go");
    await frozen;
    await first.dispose();
    const second = defineHarness({
      ...options(byReplies(...replies)),
      tools: [slow({ lookup: () => Effect.never })],
      sessions: layerSqlite({ directory }),
    });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done" });
    await second.dispose();
  });
});

describe("an approval", () => {
  const asking = (answers: Array<"approve" | "deny">, ran: Array<string>, more: object = {}) => ({
    permissions: gate(() => "ask"),
    tools: [note(ran)],
    onQuestion: () => ({ type: answers.shift() ?? "deny" }),
    ...more,
  });

  it("counts once: the same call in a later turn is asked about again", async () => {
    for (const sessions of [undefined, layerSqlite({ directory: freshFolder() })]) {
      const ran: Array<string> = [];
      const same = callingAs(["c0", "note", { text: "a" }]);
      const harness = defineHarness({
        model: scripted(same, same, "done").model,
        ...asking(["approve", "deny"], ran),
        ...(sessions === undefined ? {} : { sessions }),
      });
      await harness.run("go");
      await harness.dispose();
      expect(ran).toEqual(["a"]);
    }
  });

  it("is for the folder it was given in", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const model = () => byReplies(callingAs(["c0", "note", { text: "a" }]), "done").model;
    const first = defineHarness({
      model: model(),
      permissions: gate(() => "ask"),
      tools: [note(ran)],
      cwd: "/one",
      unattended: "suspend",
      sessions: layerSqlite({ directory }),
    });
    await first.run("go");
    await first.dispose();
    await on(
      directory,
      Effect.flatMap(Questions, (questions) =>
        Effect.flatMap(questions.open, ([question]) => questions.answer(question?.id ?? "", { type: "approve" })),
      ),
    );
    const second = defineHarness({
      model: model(),
      permissions: gate(() => "ask"),
      tools: [note(ran)],
      cwd: "/two",
      unattended: "suspend",
      sessions: layerSqlite({ directory }),
    });
    expect(await last(second.resume("main"))).toMatchObject({ status: "suspended" });
    await second.dispose();
    expect(ran).toEqual([]);
  });

  it("of one session's question is none of another's, and a file that is no session hinders nobody", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const open = (session: string) =>
      defineHarness({
        model: byReplies("hello", callingAs(["c0", "note", { text: session }]), "done").model,
        permissions: gate(() => "ask"),
        tools: [note(ran)],
        unattended: "suspend",
        sessions: layerSqlite({ directory }),
      });
    for (const session of ["a", "b"]) {
      const harness = open(session);
      await harness.run("hello", { sessionKey: session });
      await post(directory, { type: "message", text: "go", delivery: "follow-up" }, session);
      await expect
        .poll(
          () =>
            on(
              directory,
              Effect.flatMap(Questions, (questions) => questions.open),
            ),
          { timeout: 3_000 },
        )
        .toHaveLength(session === "a" ? 1 : 2);
      await harness.dispose();
    }
    writeFileSync(join(directory, "notes.db"), "no session at all");
    const questions = await on(
      directory,
      Effect.flatMap(Questions, ({ open: all }) => all),
    );
    expect(new Set(questions.map(({ id }) => id)).size).toBe(2);
    const ofA = questions.find(({ sessionKey }) => sessionKey === "a");
    await on(
      directory,
      Effect.flatMap(Questions, ({ answer }) => answer(ofA?.id ?? "", { type: "approve" })),
    );
    for (const session of ["a", "b"]) {
      const harness = open(session);
      await last(harness.resume(session));
      await harness.dispose();
    }
    expect(ran).toEqual(["a"]);
  });
});

describe("what was decided stays decided", () => {
  it("accepted runs run and refused ones do not, whatever the bound is later", async () => {
    const directory = freshFolder();
    const start = (most: number, model = byReplies("1", "2", "3", "4", "5").model) =>
      defineHarness({ ...options({ model }), maxWaitingRuns: most, sessions: layerSqlite({ directory }) });
    const never = { id: "never", generate: () => Effect.never };
    const first = start(2, never);
    const begun = [first.run("one"), first.run("two"), first.run("three")];
    await expect(first.run("refused")).rejects.toThrow(/2 runs waiting already/);
    await first.dispose();
    for (const outcome of begun) expect(await outcome).toMatchObject({ status: "suspended" });
    const { model, requests } = byReplies("1", "2", "3", "4", "5");
    const second = start(1, model);
    for await (const event of second.resume("main")) expect(event).toBeDefined();
    await second.dispose();
    expect(requests).toHaveLength(3);
    const third = start(100, model);
    for await (const event of third.resume("main")) expect(event).toBeDefined();
    await third.dispose();
    expect(requests).toHaveLength(3);
    const said = JSON.stringify(requests.at(-1)?.messages);
    expect(said).toMatch(/one.*two.*three/);
    expect(said).not.toContain("refused");
    const records = await on(
      directory,
      Effect.flatMap(Journal, (journal) => journal.read("main")),
    );
    expect(describeSession(records).runs.map(({ prompt, status }) => [prompt, status])).toEqual([
      ["one", "done"],
      ["two", "done"],
      ["three", "done"],
    ]);
  });

  it("a run keeps the limit of turns it began with", async () => {
    const directory = freshFolder();
    const replies = ["a", "b", "c", "d"].map((text) => calling(["note", { text }]));
    const ran: Array<string> = [];
    const { frozen, sessions } = freezing(directory, 6, "before");
    const first = defineHarness({
      ...options(byReplies(...replies, "done")),
      tools: [note(ran)],
      maxIterations: 100,
      sessions,
    });
    void first.run("go");
    await frozen;
    await first.dispose();
    const second = defineHarness({
      ...options(byReplies(...replies, "done")),
      tools: [note(ran)],
      maxIterations: 2,
      sessions: layerSqlite({ directory }),
    });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done", iterations: 5 });
    await second.dispose();
  });

  it("a cancelled run that waited does not come back, and an abort posted meanwhile ends what waits for an answer", async () => {
    const directory = freshFolder();
    const { frozen, sessions } = freezing(directory, 4, "after");
    const first = defineHarness({ ...options({ model: { id: "never", generate: () => Effect.never } }), sessions });
    void first.run("one");
    const controller = new AbortController();
    const second = first.run("two: delete everything", { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    expect(await Promise.race([second, frozen.then(() => "frozen")])).toMatchObject({ status: "aborted" });
    await first.dispose();
    await post(directory, { type: "abort", reason: "enough" });
    const { model, requests } = byReplies("answer");
    const later = defineHarness({ ...options({ model }), unattended: "suspend", sessions: layerSqlite({ directory }) });
    expect(await last(later.resume("main"))).toMatchObject({ status: "aborted", reason: "enough" });
    expect(requests).toEqual([]);
    // An abort is for what was under way when it was posted.
    await later.dispose();
    await post(directory, { type: "abort", reason: "yesterday's" });
    const next = defineHarness({ ...options({ model }), sessions: layerSqlite({ directory }) });
    expect(await next.run("today")).toMatchObject({ status: "done" });
    await next.dispose();
  });

  it("a pause that was ended while calls ran does not hold the run for ever after a resume", async () => {
    const directory = freshFolder();
    const replies = [calling(["slow", {}]), "done"];
    const slow = (ends: boolean) =>
      defineTool({
        name: "slow",
        description: "-",
        input: Schema.Struct({}),
        risk: "read",
        execute: () => (ends ? "ok" : Effect.never),
      });
    const first = defineHarness({
      ...options(byReplies(...replies)),
      tools: [slow(false)],
      sessions: layerSqlite({ directory }),
    });
    const outcome = first.run("go");
    await new Promise((resolve) => setTimeout(resolve, 80));
    await post(directory, { type: "pause" });
    await new Promise((resolve) => setTimeout(resolve, 250));
    await post(directory, { type: "unpause" });
    await new Promise((resolve) => setTimeout(resolve, 250));
    await first.dispose();
    expect(await outcome).toMatchObject({ status: "suspended" });
    const second = defineHarness({
      ...options(byReplies(...replies)),
      tools: [slow(true)],
      sessions: layerSqlite({ directory }),
    });
    expect(await last(second.resume("main"))).toMatchObject({ status: "done" });
    await second.dispose();
  });

  it("a message that finds no room stays in line", async () => {
    const directory = freshFolder();
    const seed = defineHarness({ ...options(byReplies("hello")), sessions: layerSqlite({ directory }) });
    await seed.run("hello");
    await seed.dispose();
    const gatekeeper = Promise.withResolvers<void>();
    const { model, requests } = byReplies("0", "1", "2", "3", "4");
    const harness = defineHarness({
      model: {
        ...model,
        generate: (request, onEvent) =>
          Effect.andThen(
            Effect.promise(() => gatekeeper.promise),
            model.generate(request, onEvent),
          ),
      },
      permissions: gate(),
      maxWaitingRuns: 1,
      sessions: layerSqlite({ directory }),
    });
    const runs = [harness.run("one"), harness.run("two")];
    await post(directory, { type: "message", text: "from the inbox", delivery: "follow-up" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    gatekeeper.resolve();
    await Promise.all(runs);
    await expect.poll(() => JSON.stringify(requests.at(-1)?.messages), { timeout: 5_000 }).toContain("from the inbox");
    await harness.dispose();
  });

  it("a run whose record was damaged does not go on: what is lost may have been done", async () => {
    const directory = freshFolder();
    const ran: Array<string> = [];
    const replies = ["a", "b", "c"].map((text) => calling(["note", { text }]));
    const { frozen, sessions } = freezing(directory, 7, "after");
    const first = defineHarness({ ...options(byReplies(...replies, "done")), tools: [note(ran)], sessions });
    void first.run("go");
    await frozen;
    await first.dispose();
    expect(ran).toEqual(["a", "b", "c"]);
    const database = new DatabaseSync(join(directory, "main.db"));
    database.exec("UPDATE batch SET crc = crc + 1 WHERE first_seq > 20");
    database.close();
    const second = defineHarness({
      ...options(byReplies(...replies, "done")),
      tools: [note(ran)],
      sessions: layerSqlite({ directory }),
    });
    const outcome = await last(second.resume("main"));
    expect(outcome).toMatchObject({ status: "aborted" });
    expect(outcome?.reason).toMatch(/its record was damaged.*what came after them is lost/);
    expect(ran).toEqual(["a", "b", "c"]);
    // Who knows what happened may go on.
    expect(await second.run("and")).toMatchObject({ status: "done" });
    await second.dispose();
  });

  it("a suspended session can be resumed, or run on, at once", async () => {
    const directory = freshFolder();
    const harness = defineHarness({
      ...options(byReplies(calling(["note", { text: "a" }]), "done", "next")),
      permissions: gate(() => "ask"),
      tools: [note([])],
      unattended: "suspend",
      sessions: layerSqlite({ directory }),
    });
    expect(await harness.run("go")).toMatchObject({ status: "suspended" });
    expect(await last(harness.resume("main"))).toMatchObject({ status: "suspended" });
    await on(
      directory,
      Effect.flatMap(Questions, (questions) =>
        Effect.flatMap(questions.open, ([question]) => questions.answer(question?.id ?? "", { type: "approve" })),
      ),
    );
    expect(await last(harness.resume("main"))).toMatchObject({ status: "done" });
    expect(await harness.run("and")).toMatchObject({ status: "done" });
    await harness.dispose();
  });
});
