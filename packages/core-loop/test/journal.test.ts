import { layerMemory, questionsMemory } from "@kumiko/journal";
import { type EventOf, replay } from "@kumiko/machine-kit";
import { defineTool, type Message } from "@kumiko/plugin-api";
import { Journal, type JournalEntry, type JournalRecord, Runs } from "@kumiko/runtime-api";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { buildKernel } from "../src/buildKernel.ts";
import { Conversation, type SessionEvent, sessionMachine, toolCallMachine, turnMachine } from "../src/index.ts";
import { layerRuns } from "../src/layerRuns.ts";
import { calling, gate, type Said, scripted } from "./support.ts";

const echo = defineTool({
  name: "echo",
  description: "-",
  input: Schema.Struct({ text: Schema.String }),
  risk: "local-write",
  execute: ({ text }) => text,
});

/** Runs a script to its end on a journal of its own, and gives back what was written, append by append. */
const recordRun = (verdict: "allow" | "ask", ...replies: ReadonlyArray<Said>) => {
  const appends: Array<ReadonlyArray<JournalEntry>> = [];
  const counting = Layer.effect(
    Journal,
    Effect.map(Journal, (journal) =>
      Journal.of({
        ...journal,
        open: (streamId) =>
          Effect.map(journal.open(streamId), (writer) => ({
            ...writer,
            append: (entries, options) => {
              appends.push(entries);
              return writer.append(entries, options);
            },
          })),
      }),
    ),
  ).pipe(Layer.provide(layerMemory));
  const { model, requests } = scripted(...replies);
  const program = Effect.gen(function* () {
    const kernel = yield* buildKernel({
      models: [model],
      plugins: [gate(() => verdict)],
      tools: [echo],
      systemPrompt: "base",
      cwd: "/",
      iterationCap: { standard: 50, gui: 50 },
      maxParallelCalls: 8,
      maxWaitingRuns: 5,
      answer: () => Effect.succeed({ type: "approve" }),
    });
    return yield* Effect.gen(function* () {
      const handle = yield* (yield* Runs).start({ sessionKey: "s", input: "go" });
      const outcome = yield* handle.wait;
      const records = yield* (yield* Journal).read("s");
      return { appends, outcome, records, requests };
    }).pipe(Effect.provide(Layer.provideMerge(layerRuns(kernel), counting)));
  });
  return Effect.runPromise(Effect.scoped(Effect.provide(program, questionsMemory)));
};

const of = <E>(records: ReadonlyArray<JournalRecord>, actor: string, kind: "event" | "intent"): ReadonlyArray<E> =>
  records.flatMap((record) => (record.actor === actor && record.kind === kind ? [record.body as unknown as E] : []));

const turns = (n: number): ReadonlyArray<Said> => [
  ...Array.from({ length: n }, (_, at) => calling(["echo", { text: `t${at}` }], ["echo", { text: `u${at}` }])),
  "done",
];

describe("what a session writes down", () => {
  it("commits at most twice a turn, once for the message and once for the end", async () => {
    for (const n of [0, 1, 5, 20]) {
      const { appends, outcome } = await recordRun("allow", ...turns(n));
      expect(outcome).toMatchObject({ status: "done", iterations: n + 1 });
      expect(appends.length).toBe(2 * n + 2);
    }
  });

  it("commits once more for each question", async () => {
    const { appends } = await recordRun("ask", ...turns(3));
    expect(appends.length).toBe(2 * 3 + 2 + 6);
  });

  it("writes nothing whose size grows with the history", async () => {
    const { appends } = await recordRun("allow", ...turns(40));
    const sizes = appends.map((entries) => JSON.stringify(entries).length);
    const early = Math.max(...sizes.slice(2, 12));
    expect(Math.max(...sizes.slice(12))).toBeLessThan(early * 1.1);
  });

  it("holds the reply and its admissions before anything runs", async () => {
    const { appends } = await recordRun("allow", ...turns(1));
    const at = (predicate: (entry: JournalEntry) => boolean): number =>
      appends.findIndex((entries) => entries.some(predicate));
    const typeOf = ({ body }: JournalEntry): unknown => (body as { readonly type?: unknown }).type;
    const replied = at((entry) => typeOf(entry) === "reply.received");
    const intended = at((entry) => typeOf(entry) === "intent.executeCalls");
    const started = at((entry) => typeOf(entry) === "call.started");
    expect(replied).toBe(intended);
    expect(started).toBe(intended);
  });

  it("replays to the same states and intents, for every actor", async () => {
    for (const verdict of ["allow", "ask"] as const) {
      const { records } = await recordRun(verdict, ...turns(4));
      const actors = [...new Set(records.map(({ actor }) => actor))];
      expect(actors.filter((actor) => actor.startsWith("call:"))).toHaveLength(8);
      for (const actor of actors) {
        const machineEvents = <E>(): ReadonlyArray<E> => of(records, actor, "event");
        const recorded = of<{ readonly type: string }>(records, actor, "intent");
        const without = (intents: ReadonlyArray<{ readonly type: string }>): unknown =>
          intents.filter(({ type }) => type !== "intent.cancel");
        if (actor === "session") {
          const { intents, snapshot } = replay(sessionMachine, { maxWaiting: 5 }, machineEvents());
          expect(without(intents)).toEqual(recorded);
          expect(snapshot.value).toBe("idle");
        } else if (actor.startsWith("run:")) {
          const input = { runId: actor.slice(4), maxIterations: { standard: 50, gui: 50 } };
          const { intents, snapshot } = replay(turnMachine, input, machineEvents());
          expect(without(intents)).toEqual(recorded);
          expect(snapshot.value).toBe("done");
        } else {
          const { snapshot } = replay(toolCallMachine, undefined, machineEvents());
          expect(snapshot.value).toBe("settled");
          expect(snapshot.context).toMatchObject({ status: "ok", disposition: "executed" });
        }
      }
    }
  });

  it("gives the conversation back, message for message", async () => {
    const { records, requests } = await recordRun("allow", ...turns(3));
    const conversation = new Conversation();
    for (const { actor, body, kind } of records) {
      if (kind !== "event") continue;
      if (actor === "session") conversation.applySession(body as unknown as SessionEvent);
      else if (actor.startsWith("run:"))
        conversation.applyTurn(actor.slice(4), body as unknown as EventOf<typeof turnMachine>);
    }
    const last: ReadonlyArray<Message> = requests.at(-1)?.messages ?? [];
    expect(conversation.messages.slice(0, -1)).toEqual(last);
    expect(JSON.parse(JSON.stringify(records))).toEqual(records);
  });
});
