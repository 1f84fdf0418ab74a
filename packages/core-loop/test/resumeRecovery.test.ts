import { layerSqlite } from "@kumiko/journal/sqlite";
import { type LanguageModel, type Message, textOf } from "@kumiko/plugin-api";
import { Journal } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import { describe, expect, it } from "vitest";
import { defineHarness, describeSession, planRewind } from "../src/index.ts";
import { byReplies, freezing, freshFolder, last, note, options } from "./resumeSupport.ts";
import { calling, ending, failed, scripted } from "./support.ts";

const recordsOf = (directory: string) =>
  Effect.runPromise(
    Effect.provide(
      Effect.flatMap(Journal, (journal) => journal.read("main")),
      layerSqlite({ directory }),
    ),
  );
/** Every call is answered, by the message right after it. */
const isWellFormed = (messages: ReadonlyArray<Message>): boolean =>
  messages.every((message, at) => {
    const calls = message.role === "assistant" ? message.parts.filter(({ type }) => type === "tool-call") : [];
    return calls.length === 0 || messages[at + 1]?.role === "tool";
  });

describe("a run that is taken over in the middle of a recovery", () => {
  it("decides as it was decided before, whatever the provider had wished for", async () => {
    for (const at of [2, 3, 4, 5]) {
      const directory = freshFolder();
      const ran: Array<string> = [];
      const limited: LanguageModel = {
        id: "a/one",
        generate: () => Effect.fail(failed("rate-limit", { retryAfterMillis: Number.POSITIVE_INFINITY })),
      };
      const second = byReplies(calling(["note", { text: "t0" }]), calling(["note", { text: "t1" }]), "done");
      const tools = [note(ran, { recovery: "rerun" })];
      const models = [limited, { ...second.model, id: "b/two" }] as const;
      const { frozen, sessions } = freezing(directory, at, "before");
      const harness = defineHarness({ ...options({ model: limited, tools }), model: models, sessions });
      const first = harness.run("go", { sessionKey: "main" });
      await Promise.race([frozen, first]);
      await harness.dispose();
      const again = defineHarness({
        ...options({ model: limited, tools }),
        model: models,
        sessions: layerSqlite({ directory }),
      });
      const outcome = await last(again.resume("main"));
      await again.dispose();
      expect(outcome).toMatchObject({ status: "done", text: "done", iterations: 3 });
      for (const { messages } of second.requests) expect(isWellFormed(messages)).toBe(true);
    }
  });

  it("waits no longer than any wait may be, although the clock was set back", async () => {
    const directory = freshFolder();
    const { model, requests } = scripted(failed("overloaded"));
    const retry = { baseMillis: 300, maxMillis: 300, maxRetryAfterMillis: 300 };
    const harness = defineHarness({ ...options({ model }), retry, sessions: layerSqlite({ directory }) });
    const cut = harness.run("go", { sessionKey: "main" });
    await expect.poll(() => requests.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await harness.dispose();
    expect((await cut).status).toBe("suspended");
    const { now } = Date;
    Date.now = () => now() - 30 * 86_400_000;
    try {
      const again = defineHarness({
        ...options({ model: scripted("fine").model }),
        retry,
        sessions: layerSqlite({ directory }),
      });
      expect(await last(again.resume("main"))).toMatchObject({ status: "done", text: "fine" });
      await again.dispose();
    } finally {
      Date.now = now;
    }
  });
});

describe("a conversation that was rewound", () => {
  it("has no holes, and knows nothing of what was taken back", async () => {
    const directory = freshFolder();
    const { model } = scripted(calling(["note", { text: "x" }]), ending("half an ans", "length"), failed("auth"));
    const harness = defineHarness({
      ...options({ model, tools: [note([])] }),
      sessions: layerSqlite({ directory }),
    });
    await harness.run("go", { sessionKey: "main" });
    await harness.dispose();
    const records = await recordsOf(directory);
    const [run] = describeSession(records).runs;
    const { entries = [] } = planRewind(records, run?.runId ?? "") ?? {};
    const taken = entries.map((entry, at) => ({ ...entry, seq: records.length + at + 1, epoch: 1, time: 0 }));
    expect(describeSession([...records, ...taken]).messages).toEqual([]);
    // Even where somebody rewinds to more than there is.
    const beyond = taken.map((record) => ({ ...record, body: { type: "conversation.rewound", messages: 99 } }));
    const { messages } = describeSession([...records, ...beyond]);
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages.map(textOf).at(-1)).toBe("half an ans");
  });
});
