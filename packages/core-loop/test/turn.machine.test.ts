import { machineFamilies, mutantOf, type Observed, type ReferenceModel } from "@kumiko/machine-kit/testing";
import type { AssistantMessage } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { soak } from "../../../tools/soak/runs.ts";
import { type TurnEvent, type TurnIntent, turnMachine } from "../src/index.ts";
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
  { type: "message.steered", messageId: "s" },
  { type: "message.steered", messageId: "t" },
  { type: "steering.injected", messageIds: ["s"] },
  { type: "steering.injected", messageIds: ["t", "s"] },
  { type: "run.paused" },
  { type: "run.unpaused" },
  { type: "run.resumed" },
  { type: "run.aborted", reason: "stop" },
];
/** The same events with less in them, so that they lead to few enough states to try every event in each. */
const fewer: ReadonlyArray<TurnEvent> = [
  ...alphabet.filter(({ type }) => !["reply.received", "message.steered", "steering.injected"].includes(type)),
  reply(""),
  reply("", "grep"),
  reply("", "browser_click"),
  { type: "message.steered", messageId: "s" },
  { type: "steering.injected", messageIds: ["s"] },
  // Others were; `s` came meanwhile.
  { type: "steering.injected", messageIds: ["t"] },
];
// Few aborts, which end a run wherever it is, and many prompts and failures: walks are to get somewhere, and to any end.
const events = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...alphabet) },
  { weight: 7, arbitrary: fc.constantFrom(...alphabet.filter(({ type }) => type !== "run.aborted")) },
  { weight: 2, arbitrary: fc.constantFrom(...alphabet.filter(({ type }) => /^(prompt|model)\./.test(type))) },
);
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
  /** Messages that the model has not been shown. */
  readonly unread: ReadonlyArray<string>;
  readonly paused: boolean;
}
const started: Readonly<Record<string, string>> = {
  preparing: "intent.buildPrompt",
  calling: "intent.callModel",
  injecting: "intent.injectSteering",
  paused: "intent.awaitUnpause",
  "admitting.checking": "intent.admitCalls",
  executing: "intent.executeCalls",
  recording: "intent.recordResults",
  closing: "intent.callModelForSummary",
};
const intentOf = (phase: string): ReadonlyArray<string> => {
  const intent = started[phase];
  return intent === undefined ? [] : [intent];
};
const go = (state: State, phase: string, more: Partial<State> = {}) => {
  const leaves = state.phase === "admitting.asking" || state.phase in started ? ["intent.cancel"] : [];
  const iteration = phase === "calling" ? state.iteration + 1 : state.iteration;
  return { state: { ...state, ...more, phase, iteration }, intents: [...leaves, ...intentOf(phase)] };
};
/** To the next model call, unless a message is to be read first, or the run is to wait. */
const goOn = (state: State, more: Partial<State> = {}) =>
  go(state, (more.unread ?? state.unread).length > 0 ? "injecting" : state.paused ? "paused" : "calling", more);
const stayWith = (state: State, more: Partial<State>) => ({ state: { ...state, ...more }, intents: [] });
const capOf = ({ gui, standard, usesGui }: State): number => (usesGui ? Math.max(gui, standard) : standard);
const finals = new Set(["done", "denied", "forceStopped", "failed", "aborted"]);

const model: ReferenceModel<Machine, State> = {
  start: ({ maxIterations }) => ({
    state: {
      phase: "preparing",
      iteration: 0,
      ...maxIterations,
      usesGui: false,
      refused: false,
      unread: [],
      paused: false,
    },
    intents: ["intent.buildPrompt"],
  }),
  phase: ({ phase }) => (finals.has(phase) ? phase : `active.${phase}`),
  next: (state, event) => {
    const { iteration, paused, phase, refused, unread } = state;
    const stay = { state, intents: [] };
    if (finals.has(phase)) return stay;
    if (event.type === "run.aborted") return go(state, "aborted");
    if (event.type === "message.steered")
      return unread.includes(event.messageId) ? stay : stayWith(state, { unread: [...unread, event.messageId] });
    if (event.type === "run.paused") return stayWith(state, { paused: true });
    if (event.type === "run.unpaused" && phase !== "paused") return stayWith(state, { paused: false });
    // What was under way is done once more; calls, whose process is gone, are looked at first.
    if (event.type === "run.resumed")
      return phase === "executing" || phase === "recording" || phase.startsWith("admitting")
        ? go(state, "admitting.checking")
        : { state, intents: intentOf(phase) };
    const calls = event.type === "reply.received" ? event.message.parts.filter(({ type }) => type === "tool-call") : [];
    switch (phase) {
      case "preparing":
        return event.type === "prompt.built" ? go(state, paused ? "paused" : "calling") : stay;
      case "calling":
        if (event.type === "model.failed") return go(state, "failed");
        if (event.type !== "reply.received") return stay;
        if (calls.length === 0 && unread.length > 0 && iteration < capOf(state)) return go(state, "injecting");
        if (calls.length === 0) return go(state, refused ? "denied" : "done");
        return go(state, "admitting.checking", {
          usesGui: state.usesGui || JSON.stringify(calls).includes("browser_click"),
        });
      case "injecting": {
        if (event.type !== "steering.injected") return stay;
        const left = unread.filter((id) => !event.messageIds.includes(id));
        // What came meanwhile waits for the next time.
        return go(state, paused ? "paused" : "calling", { unread: left, refused: false });
      }
      case "paused":
        return event.type === "run.unpaused" ? goOn({ ...state, paused: false }) : stay;
      case "admitting.checking":
      case "admitting.asking":
        if (event.type === "calls.admitted") return go(state, event.admitted.length > 0 ? "executing" : "recording");
        if (phase === "admitting.checking" && event.type === "question.opened")
          return stayWith(state, { phase: "admitting.asking" });
        return phase === "admitting.asking" && event.type === "question.answered"
          ? stayWith(state, { phase: "admitting.checking" })
          : stay;
      case "executing":
        return event.type === "calls.settled" ? go(state, "recording") : stay;
      case "recording": {
        if (event.type !== "results.recorded") return stay;
        const more = { refused: event.refusals > 0 };
        const stops = event.steering.type === "forceStop" || iteration >= capOf(state);
        return stops ? go(state, "closing", more) : goOn(state, more);
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

/** What was asked for and neither cancelled nor asked for anew. */
const openOf = (intents: ReadonlyArray<TurnIntent>): ReadonlySet<string> => {
  const open = new Set<string>();
  for (const intent of intents)
    if (intent.type === "intent.cancel") open.delete(intent.key);
    else open.add(intent.type);
  return open;
};
const before = ({ intents, lastIntents }: Observed<Machine>): ReadonlyArray<TurnIntent> =>
  intents.slice(0, intents.length - lastIntents.length);
const mostOf = ({ input: { maxIterations }, snapshot }: Observed<Machine>): number =>
  snapshot.context.usesGui ? Math.max(maxIterations.gui, maxIterations.standard) : maxIterations.standard;

/** The messages that wait to be read, kept from what was said alone: a new list, a new ledger. */
const ledger = () => {
  let unread: ReadonlyArray<string> = [];
  return (seen: Observed<Machine>): ReadonlyArray<string> => {
    const last = seen.events.at(-1);
    if (last === undefined) unread = [];
    if (last?.type === "message.steered" && seen.snapshot.status === "active")
      unread = [...new Set([...unread, last.messageId])];
    if (last?.type === "steering.injected" && openOf(before(seen)).has("intent.injectSteering"))
      unread = unread.filter((id) => !last.messageIds.includes(id));
    return unread;
  };
};

const suite = (machine: Machine, test: (name: string, run: () => void) => void, numRuns = soak.numRuns): void => {
  const families = machineFamilies(machine, { input, events, test, seed: soak.seed, numRuns });
  families.agreesWith(model, { inputs: [inputOf(1, 1), inputOf(2, 1)], alphabet: fewer });
  families.always("calls the model no more often than the cap, and once more for the summary", (seen) => {
    const isResumed = seen.events.at(-1)?.type === "run.resumed";
    const iterations = seen.intents.flatMap((intent) => (intent.type === "intent.callModel" ? [intent.iteration] : []));
    const [latest = 0, earlier = 0] = iterations.toReversed();
    // A call that is made again because the run was taken over is the same one, by its number.
    const counts = count(seen.lastIntents, "intent.callModel") === 0 || latest - earlier === (isResumed ? 0 : 1);
    const isSummary = count(seen.lastIntents, "intent.callModelForSummary") > 0;
    const summaries = count(seen.intents, "intent.callModelForSummary");
    return latest <= mostOf(seen) && counts && (!isSummary || isResumed || summaries === 1);
  });
  families.always("executes nothing that the last admission did not admit", ({ events: said, lastIntents }) => {
    const last = said.at(-1);
    return lastIntents.every(
      (intent) =>
        intent.type !== "intent.executeCalls" ||
        (last?.type === "calls.admitted" && JSON.stringify(last.admitted) === JSON.stringify(intent.callIds)),
    );
  });
  families.always("cancels whatever it leaves unfinished", ({ intents, snapshot }) => {
    return openOf(intents).size === (snapshot.status === "active" ? 1 : 0);
  });
  families.always("takes up once what was under way when it is resumed, and looks at calls anew", (seen) => {
    if (seen.events.at(-1)?.type !== "run.resumed") return true;
    const [open] = openOf(before(seen));
    const again = open === "intent.executeCalls" || open === "intent.recordResults" ? "intent.admitCalls" : open;
    const asked = seen.lastIntents.filter(({ type }) => type !== "intent.cancel").map(({ type }) => type);
    return JSON.stringify(asked) === JSON.stringify(again === undefined ? [] : [again]);
  });
  const waitingIn = ledger();
  families.always("injects each message once, and whatever waits", (seen) => {
    const unread = waitingIn(seen);
    return seen.lastIntents.every(
      (intent) =>
        intent.type !== "intent.injectSteering" ||
        (unread.length > 0 && JSON.stringify(intent.messageIds) === JSON.stringify(unread)),
    );
  });
  const unreadIn = ledger();
  families.always("gives no answer below the cap while a message waits", (seen) => {
    const unread = unreadIn(seen);
    const hasAnswered = seen.snapshot.matches("done") || seen.snapshot.matches("denied");
    return !hasAnswered || unread.length === 0 || seen.snapshot.context.iteration >= mostOf(seen);
  });
  families.always("makes no other model call while it is paused, but for the summary that ends it", (seen) => {
    const last = seen.events.findLast(({ type }) => type === "run.paused" || type === "run.unpaused");
    const isNew = seen.events.at(-1)?.type !== "run.resumed" && count(seen.lastIntents, "intent.callModel") > 0;
    return last?.type !== "run.paused" || !isNew;
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
  families.reachesEverything({ inputs: [inputOf(2, 1)], alphabet: fewer });
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
    {
      name: "steered while a tool runs, taken over there, paused, then the answer (0.1.0)",
      input: inputOf(5, 5),
      events: [
        { type: "prompt.built" },
        reply("calling", "grep"),
        { type: "calls.admitted", admitted: ["c0"] },
        { type: "message.steered", messageId: "s" },
        { type: "run.resumed" },
        { type: "message.steered", messageId: "s" },
        { type: "calls.admitted", admitted: ["c0"] },
        { type: "calls.settled" },
        { type: "run.paused" },
        recorded(0, "continue"),
        { type: "steering.injected", messageIds: ["s"] },
        { type: "run.unpaused" },
        { type: "run.resumed" },
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
        { type: "intent.admitCalls", callIds: ["c0"] },
        { type: "intent.cancel", key: "intent.admitCalls" },
        { type: "intent.executeCalls", callIds: ["c0"] },
        { type: "intent.cancel", key: "intent.executeCalls" },
        { type: "intent.recordResults" },
        { type: "intent.cancel", key: "intent.recordResults" },
        { type: "intent.injectSteering", messageIds: ["s"] },
        { type: "intent.cancel", key: "intent.injectSteering" },
        { type: "intent.awaitUnpause" },
        { type: "intent.cancel", key: "intent.awaitUnpause" },
        { type: "intent.callModel", iteration: 2 },
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
    "a message is injected twice": turnMachine.provide({
      actions: {
        rememberSteering: assign({
          steering: ({ context, event }) =>
            event.type === "message.steered" && context.steering.length < 2
              ? [...context.steering, event.messageId]
              : context.steering,
        }),
      },
    }),
    "what was injected is never forgotten": mutantOf(turnMachine, ({ states }) => {
      const onInjected = states!["active"]!["states"]!["injecting"]!["on"]!["steering.injected"]!;
      delete onInjected["0"]!["actions"];
      delete onInjected["1"]!["actions"];
    }),
    "what came while others were injected is forgotten": turnMachine.provide({
      actions: { forgetInjected: assign({ steering: [] }) },
    }),
    "the answer ends the run although a message waits": turnMachine.provide({ guards: { mustReadOn: () => false } }),
    "a message takes the run beyond the cap": turnMachine.provide({
      guards: { mustReadOn: ({ context }) => context.steering.length > 0 },
    }),
    "the next call does not show what was said": turnMachine.provide({ guards: { hasSteering: () => false } }),
    "a paused run goes on calling": turnMachine.provide({ guards: { isPaused: () => false } }),
    "a paused run goes on once a message was injected": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["injecting"]!["on"]!["steering.injected"]!["0"]!["target"] = "calling" as never;
    }),
    "a resumed run counts its call twice": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["calling"]!["on"]!["run.resumed"]!["actions"] = [
        "countIteration",
        "callModel",
      ] as never;
    }),
    "a resumed run waits for a call that nobody makes": mutantOf(
      turnMachine,
      ({ states }) => delete states!["active"]!["states"]!["calling"]!["on"]!["run.resumed"],
    ),
    "a resumed run executes without a new admission": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["executing"]!["on"]!["run.resumed"] = {
        target: "executing",
        reenter: true,
      } as never;
    }),
    "a resumed run records calls that it has not looked at": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["recording"]!["on"]!["run.resumed"] = { actions: "recordResults" } as never;
    }),
  };
  for (const [name, machine] of Object.entries(faults)) it(name, () => expect(isCaught(suite, machine)).toBe(true));
});
