import { machineFamilies, mutantOf, type ReferenceModel } from "@kumiko/machine-kit/testing";
import { userText } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { type SessionEvent, sessionMachine } from "../src/index.ts";
import { isCaught } from "./isCaught.ts";

type Machine = typeof sessionMachine;
const runIds = ["a", "b", "c", "d"];
const alphabet: ReadonlyArray<SessionEvent> = runIds.flatMap((runId): ReadonlyArray<SessionEvent> => [
  { type: "message.accepted", runId, message: userText(runId) },
  { type: "run.cancelled", runId, reason: "stop" },
  { type: "run.ended", runId, status: "done" },
]);
// Run ids are never used twice; the walks use each for one message.
const events = fc.constantFrom(...alphabet);
const input = fc.record({ maxWaiting: fc.integer({ min: 0, max: 2 }) });

interface State {
  readonly running: string | null;
  readonly waiting: ReadonlyArray<string>;
  readonly most: number;
}

const model: ReferenceModel<Machine, State> = {
  start: ({ maxWaiting }) => ({ state: { running: null, waiting: [], most: maxWaiting }, intents: [] }),
  phase: ({ running }) => (running === null ? "idle" : "running"),
  next: (state, { type, runId }) => {
    const { most, running, waiting } = state;
    if (type === "message.accepted") {
      if (running === null)
        return { state: { ...state, running: runId }, intents: ["intent.acknowledge", "intent.startRun"] };
      if (waiting.length >= most) return { state, intents: ["intent.refuseRun"] };
      return { state: { ...state, waiting: [...waiting, runId] }, intents: ["intent.acknowledge"] };
    }
    if (type === "run.cancelled") {
      if (running !== null && runId === running) return { state, intents: ["intent.abortRun"] };
      if (!waiting.includes(runId)) return { state, intents: [] };
      return { state: { ...state, waiting: waiting.filter((id) => id !== runId) }, intents: ["intent.dropRun"] };
    }
    if (runId !== running) return { state, intents: [] };
    const [next = null, ...rest] = waiting;
    return {
      state: { ...state, running: next, waiting: rest },
      intents: next === null ? ["intent.announceEnd"] : ["intent.announceEnd", "intent.startRun"],
    };
  },
};

const suite = (machine: Machine, test: (name: string, run: () => void) => void, numRuns = soak.numRuns): void => {
  const families = machineFamilies(machine, { input, events, test, seed: soak.seed, numRuns });
  families.agreesWith(model, { inputs: [{ maxWaiting: 0 }, { maxWaiting: 2 }], alphabet });
  families.always("starts runs one after another, in the order they were accepted", ({ intents, events: said }) => {
    const started = intents.flatMap((intent) => (intent.type === "intent.startRun" ? [intent.runId] : []));
    const ended = intents.filter(({ type }) => type === "intent.announceEnd").length;
    const accepted = said.flatMap((event) => (event.type === "message.accepted" ? [event.runId] : []));
    let at = 0;
    for (const runId of started) {
      at = accepted.indexOf(runId, at);
      if (at < 0) return false;
      at++;
    }
    return started.length - ended <= 1 && started.length - ended >= 0;
  });
  families.always(
    "keeps no more waiting than it may",
    ({ input: { maxWaiting }, snapshot }) => snapshot.context.waiting.length <= maxWaiting,
  );
  families.always("answers every message: acknowledged or refused", ({ events: said, intents }) => {
    const answered = intents.filter(({ type }) => type === "intent.acknowledge" || type === "intent.refuseRun");
    return answered.length === said.filter(({ type }) => type === "message.accepted").length;
  });
  families.reachesEverything({ inputs: [{ maxWaiting: 1 }], alphabet });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "two runs, the second waits (0.1.0)",
      input: { maxWaiting: 5 },
      events: [
        { type: "message.accepted", runId: "a", message: userText("a") },
        { type: "message.accepted", runId: "b", message: userText("b") },
        { type: "run.ended", runId: "a", status: "done" },
        { type: "run.ended", runId: "b", status: "failed" },
      ],
      intents: [
        { type: "intent.acknowledge", key: "acknowledge a", runId: "a" },
        { type: "intent.startRun", key: "start a", runId: "a" },
        { type: "intent.acknowledge", key: "acknowledge b", runId: "b" },
        { type: "intent.announceEnd", key: "announce a", runId: "a" },
        { type: "intent.startRun", key: "start b", runId: "b" },
        { type: "intent.announceEnd", key: "announce b", runId: "b" },
      ],
    },
  ]);
};

describe("sessionMachine", () => {
  suite(sessionMachine, it);
});

describe("seeded faults in sessionMachine are caught", () => {
  const faults: Readonly<Record<string, Machine>> = {
    "waiting has no bound": sessionMachine.provide({ guards: { isFull: () => false } }),
    "a waiting run is never begun": sessionMachine.provide({ guards: { isLast: () => true } }),
    "a cancelled run that waits is begun all the same": mutantOf(sessionMachine, ({ states }) => {
      states!["running"]!["on"]!["run.cancelled"]!["1"]!["actions"] = ["dropRun"] as never;
    }),
    "the end is announced after the next run began": mutantOf(sessionMachine, ({ states }) => {
      states!["running"]!["on"]!["run.ended"]!["1"]!["actions"] = ["beginNext", "startRun", "announceEnd"] as never;
    }),
    "a late end of another run ends this one": sessionMachine.provide({ guards: { hasNext: () => true } }),
  };
  it("none in a plain copy", () =>
    expect(
      isCaught(
        suite,
        mutantOf(sessionMachine, () => {}),
      ),
    ).toBe(false));
  for (const [name, machine] of Object.entries(faults)) it(name, () => expect(isCaught(suite, machine)).toBe(true));
});
