import { machineFamilies, mutantOf, type ReferenceModel } from "@kumiko/machine-kit/testing";
import type { AssistantMessage } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { type TurnEvent, turnMachine } from "../src/index.ts";
import { isCaught } from "./isCaught.ts";

type Machine = typeof turnMachine;
const usage = { inputTokens: 2, outputTokens: 1 };
const reply = (text: string, ...names: ReadonlyArray<string>): TurnEvent => {
  const message: AssistantMessage = {
    role: "assistant",
    parts: [
      { type: "text", text },
      ...names.map((name, at) => ({ type: "tool-call" as const, id: `c${at}`, name, input: {} })),
    ],
  };
  return { type: "reply.received", message, stopReason: names.length > 0 ? "tool-calls" : "end", usage };
};
const recorded = (refusals: number, steering: "continue" | "nudge" | "forceStop"): TurnEvent => ({
  type: "results.recorded",
  message: { role: "tool", parts: [] },
  refusals,
  steering:
    steering === "continue"
      ? { type: steering }
      : steering === "nudge"
        ? { type: steering, text: "look" }
        : { type: steering, reason: "enough" },
});
const alphabet: ReadonlyArray<TurnEvent> = [
  { type: "prompt.built" },
  reply("answer"),
  reply("calling", "grep"),
  reply("looking", "browser_click", "grep"),
  { type: "model.failed", reason: "network", detail: "gone" },
  { type: "question.opened", questionId: "q" },
  { type: "question.answered", questionId: "q" },
  { type: "calls.admitted", admitted: ["c0"] },
  { type: "calls.admitted", admitted: [] },
  { type: "calls.settled" },
  recorded(0, "continue"),
  recorded(1, "continue"),
  recorded(0, "nudge"),
  recorded(0, "forceStop"),
  { type: "run.aborted", reason: "stop" },
];
const inputOf = (standard: number, gui: number) => ({ runId: "r", maxIterations: { standard, gui } });
const input = fc.record({
  runId: fc.constant("r"),
  maxIterations: fc.record({ standard: fc.integer({ min: 1, max: 3 }), gui: fc.integer({ min: 1, max: 5 }) }),
});

interface State {
  readonly phase: string;
  readonly iteration: number;
  readonly standard: number;
  readonly gui: number;
  readonly usesGui: boolean;
  readonly refused: boolean;
}
const started: Readonly<Record<string, string>> = {
  preparing: "buildPrompt",
  calling: "callModel",
  "admitting.checking": "admitCalls",
  executing: "executeCalls",
  recording: "recordResults",
  closing: "callModelForSummary",
};
const go = (state: State, phase: string, more: Partial<State> = {}) => {
  const leaves = state.phase === "admitting.asking" || state.phase in started ? ["intent.cancel"] : [];
  const intent = started[phase];
  const iteration = phase === "calling" ? state.iteration + 1 : state.iteration;
  return {
    state: { ...state, ...more, phase: phase in started ? `active.${phase}`.slice(7) : phase, iteration },
    intents: [...leaves, ...(intent === undefined ? [] : [`intent.${intent}`])],
  };
};
const finals = new Set(["done", "denied", "forceStopped", "failed", "aborted"]);

const model: ReferenceModel<Machine, State> = {
  start: ({ maxIterations }) => ({
    state: { phase: "preparing", iteration: 0, ...maxIterations, usesGui: false, refused: false },
    intents: ["intent.buildPrompt"],
  }),
  phase: ({ phase }) => (finals.has(phase) ? phase : `active.${phase}`),
  next: (state, event) => {
    const stay = { state, intents: [] };
    if (finals.has(state.phase)) return stay;
    if (event.type === "run.aborted") return go(state, "aborted");
    const calls = event.type === "reply.received" ? event.message.parts.filter(({ type }) => type === "tool-call") : [];
    switch (state.phase) {
      case "preparing":
        return event.type === "prompt.built" ? go(state, "calling") : stay;
      case "calling":
        if (event.type === "model.failed") return go(state, "failed");
        if (event.type !== "reply.received") return stay;
        if (calls.length === 0) return go(state, state.refused ? "denied" : "done");
        return go(state, "admitting.checking", {
          usesGui: state.usesGui || JSON.stringify(calls).includes("browser_click"),
        });
      case "admitting.checking":
      case "admitting.asking":
        if (event.type === "calls.admitted") return go(state, event.admitted.length > 0 ? "executing" : "recording");
        if (state.phase === "admitting.checking" && event.type === "question.opened")
          return { state: { ...state, phase: "admitting.asking" }, intents: [] };
        return state.phase === "admitting.asking" && event.type === "question.answered"
          ? { state: { ...state, phase: "admitting.checking" }, intents: [] }
          : stay;
      case "executing":
        return event.type === "calls.settled" ? go(state, "recording") : stay;
      case "recording": {
        if (event.type !== "results.recorded") return stay;
        const refused = event.refusals > 0;
        const cap = state.usesGui ? Math.max(state.gui, state.standard) : state.standard;
        const stops = event.steering.type === "forceStop" || state.iteration >= cap;
        return go(state, stops ? "closing" : "calling", { refused });
      }
      case "closing":
        return event.type === "reply.received" || event.type === "model.failed" ? go(state, "forceStopped") : stay;
      default:
        return stay;
    }
  },
};

const count = (intents: ReadonlyArray<{ readonly type: string }>, type: string): number =>
  intents.filter((intent) => intent.type === type).length;

const suite = (machine: Machine, test: (name: string, run: () => void) => void, numRuns = soak.numRuns): void => {
  const families = machineFamilies(machine, {
    input,
    events: fc.constantFrom(...alphabet),
    test,
    seed: soak.seed,
    numRuns,
  });
  families.agreesWith(model, { inputs: [inputOf(1, 1), inputOf(2, 1)], alphabet });
  families.always("calls the model no more often than the cap, and once more for the summary", (seen) => {
    const { gui, standard } = seen.input.maxIterations;
    const most = seen.snapshot.context.usesGui ? Math.max(gui, standard) : standard;
    return count(seen.intents, "intent.callModel") <= most && count(seen.intents, "intent.callModelForSummary") <= 1;
  });
  families.always("executes nothing that the last admission did not admit", ({ events, lastIntents }) => {
    const last = events.at(-1);
    return lastIntents.every(
      (intent) =>
        intent.type !== "intent.executeCalls" ||
        (last?.type === "calls.admitted" && JSON.stringify(last.admitted) === JSON.stringify(intent.callIds)),
    );
  });
  families.always("cancels whatever it leaves unfinished", ({ intents, snapshot }) => {
    const open = new Set<string>();
    for (const intent of intents)
      if (intent.type === "intent.cancel") open.delete(intent.key);
      else open.add(intent.type);
    return snapshot.status === "active" ? open.size === 1 : open.size === 0;
  });
  families.always("counts every token it was told of", ({ snapshot }) => {
    const { usage } = snapshot.context;
    return usage.inputTokens === 2 * usage.outputTokens;
  });
  families.always(
    "ends with a status, and with a reason unless it is done",
    ({ snapshot }) =>
      snapshot.status === "active" || (snapshot.context.status === "done") === (snapshot.context.reason === null),
  );
  families.reachesEverything({ inputs: [inputOf(1, 1), inputOf(2, 1)], alphabet });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "one tool turn, then the answer (0.1.0)",
      input: inputOf(5, 5),
      events: [
        { type: "prompt.built" },
        reply("calling", "grep"),
        { type: "calls.admitted", admitted: ["c0"] },
        { type: "calls.settled" },
        recorded(0, "continue"),
        reply("answer"),
      ],
      intents: [
        { type: "intent.buildPrompt" },
        { type: "intent.cancel", key: "intent.buildPrompt" },
        { type: "intent.callModel", iteration: 1 },
        { type: "intent.cancel", key: "intent.callModel" },
        { type: "intent.admitCalls", callIds: ["c0"] },
        { type: "intent.cancel", key: "intent.admitCalls" },
        { type: "intent.executeCalls", callIds: ["c0"] },
        { type: "intent.cancel", key: "intent.executeCalls" },
        { type: "intent.recordResults" },
        { type: "intent.cancel", key: "intent.recordResults" },
        { type: "intent.callModel", iteration: 2 },
        { type: "intent.cancel", key: "intent.callModel" },
      ],
    },
  ]);
};

describe("turnMachine", () => {
  suite(turnMachine, it);
});

describe("seeded faults in turnMachine are caught", () => {
  it("none in a plain copy", () =>
    expect(
      isCaught(
        suite,
        mutantOf(turnMachine, () => {}),
      ),
    ).toBe(false));

  const faults: Readonly<Record<string, Machine>> = {
    "the cap is never reached": turnMachine.provide({ guards: { isAtCap: () => false } }),
    "the cap comes one late": turnMachine.provide({
      guards: { isAtCap: ({ context }) => context.iteration > context.maxIterations.standard },
    }),
    "a force-stop is not heard": turnMachine.provide({ guards: { isForceStop: () => false } }),
    "a reply with calls counts as the answer": turnMachine.provide({ guards: { hasCalls: () => false } }),
    "a refusal is forgotten": turnMachine.provide({ guards: { wasRefused: () => false } }),
    "refused calls are executed": turnMachine.provide({ guards: { hasAdmitted: () => true } }),
    "an abort is ignored while tools run": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["executing"]!["on"]!["run.aborted"] = {} as never;
    }),
    "leaving a model call does not cancel it": mutantOf(
      turnMachine,
      ({ states }) => delete states!["active"]!["states"]!["calling"]!["exit"],
    ),
    "admission is skipped": mutantOf(turnMachine, ({ states }) => {
      const onReply = states!["active"]!["states"]!["calling"]!["on"]!["reply.received"]!;
      onReply["0"]!["target"] = "executing" as never;
    }),
    "a failed summary is waited for for ever": mutantOf(
      turnMachine,
      ({ states }) => delete states!["active"]!["states"]!["closing"]!["on"]!["model.failed"],
    ),
    "an ended run has no reason": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["calling"]!["on"]!["model.failed"]!["actions"] = [
        { type: "end", params: { status: "failed" } },
      ] as never;
    }),
  };
  for (const [name, machine] of Object.entries(faults)) it(name, () => expect(isCaught(suite, machine)).toBe(true));
});
