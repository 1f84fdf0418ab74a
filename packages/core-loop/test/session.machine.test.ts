import { machineFamilies, mutantOf, type Observed, type ReferenceModel } from "@kumiko/machine-kit/testing";
import { userText } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { soak } from "../../../tools/soak/runs.ts";
import { type SessionEvent, sessionMachine } from "../src/index.ts";
import { isCaught } from "./isCaught.ts";

type Machine = typeof sessionMachine;
const accepted = (runId: string, delivery?: "steer"): SessionEvent => ({
  type: "message.accepted",
  runId,
  message: userText(runId),
  ...(delivery === undefined ? {} : { delivery }),
});
const ended = (runId: string, ...seen: ReadonlyArray<string>): SessionEvent => ({
  type: "run.ended",
  runId,
  status: "done",
  ...(seen.length === 0 ? {} : { seen }),
});
const followUps = ["a", "b", "c"];
const alphabet: ReadonlyArray<SessionEvent> = [
  ...followUps.map((runId) => accepted(runId)),
  accepted("s", "steer"),
  ...[...followUps, "s"].flatMap((runId): ReadonlyArray<SessionEvent> => [
    { type: "run.cancelled", runId, reason: "stop" },
    ended(runId),
  ]),
  ended("a", "s"),
  { type: "session.paused" },
  { type: "session.unpaused" },
];
// Run ids are never used twice; the walks use each for one message.
const events = fc.constantFrom(
  ...alphabet,
  accepted("t", "steer"),
  { type: "run.cancelled", runId: "t", reason: "stop" } as const,
  ended("t"),
  ended("b", "s", "t"),
  ended("c", "t"),
);
const input = fc.record({ maxWaiting: fc.integer({ min: 0, max: 2 }) });

interface State {
  readonly running: string | null;
  readonly waiting: ReadonlyArray<string>;
  /** Messages that the run under way was sent. */
  readonly steered: ReadonlyArray<string>;
  readonly paused: boolean;
  readonly most: number;
}
const says = (state: State, ...intents: ReadonlyArray<string>) => ({
  state,
  intents: intents.map((name) => `intent.${name}`),
});

const beginFirst = (state: State, ...intents: ReadonlyArray<string>) => {
  const [running = null, ...waiting] = state.waiting;
  return running === null || state.paused
    ? says({ ...state, running: null }, ...intents)
    : says({ ...state, running, waiting }, ...intents, "startRun");
};

const model: ReferenceModel<Machine, State> = {
  start: ({ maxWaiting }) => says({ running: null, waiting: [], steered: [], paused: false, most: maxWaiting }),
  phase: ({ paused, running }) => (running !== null ? "running" : paused ? "held" : "idle"),
  next: (state, event) => {
    const { most, paused, running, steered, waiting } = state;
    switch (event.type) {
      case "message.accepted": {
        const { delivery, runId } = event;
        if (running === null && !paused) return says({ ...state, running: runId }, "acknowledge", "startRun");
        if (waiting.length + steered.length >= most) return says(state, "refuseRun");
        if (running !== null && delivery === "steer")
          return says({ ...state, steered: [...steered, runId] }, "acknowledge", "steerRun");
        return says({ ...state, waiting: [...waiting, runId] }, "acknowledge");
      }
      case "run.cancelled":
        if (event.runId === running) return says(state, "abortRun");
        return waiting.includes(event.runId)
          ? says({ ...state, waiting: waiting.filter((id) => id !== event.runId) }, "dropRun")
          : says(state);
      case "run.ended":
        if (event.runId !== running) return says(state);
        return beginFirst(
          {
            ...state,
            steered: [],
            waiting: [...steered.filter((id) => event.seen?.includes(id) !== true), ...waiting],
          },
          "announceEnd",
        );
      case "session.paused":
        return running === null ? says({ ...state, paused: true }) : says({ ...state, paused: true }, "pauseRun");
      case "session.unpaused":
        if (running !== null) return says({ ...state, paused: false }, "unpauseRun");
        return beginFirst({ ...state, paused: false });
    }
  },
};

/** Which acknowledged messages are neither over nor taken back, kept from what was said alone: a new list, a new ledger. */
const ledger = () => {
  let open: Array<string> = [];
  let steered: Array<string> = [];
  const close = (runId: string): void => {
    const at = open.indexOf(runId);
    if (at >= 0) open.splice(at, 1);
  };
  return ({ events: said, lastIntents }: Observed<Machine>): ReadonlyArray<string> => {
    if (said.length === 0) [open, steered] = [[], []];
    const last = said.at(-1);
    for (const intent of lastIntents)
      if (intent.type === "intent.acknowledge") open.push(intent.runId);
      else if (intent.type === "intent.steerRun") steered.push(intent.messageId);
      else if (intent.type === "intent.dropRun") open = open.filter((runId) => runId !== intent.runId);
      else if (intent.type === "intent.announceEnd") {
        close(intent.runId);
        // What the run was sent is over with it, but for what it never saw.
        const seen = last?.type === "run.ended" ? (last.seen ?? []) : [];
        for (const messageId of steered) if (seen.includes(messageId)) close(messageId);
        steered = [];
      }
    return open;
  };
};

const suite = (machine: Machine, test: (name: string, run: () => void) => void, numRuns = soak.numRuns): void => {
  const families = machineFamilies(machine, { input, events, test, seed: soak.seed, numRuns });
  families.agreesWith(model, { inputs: [{ maxWaiting: 0 }, { maxWaiting: 1 }, { maxWaiting: 2 }], alphabet });
  families.always("starts runs one after another, in the order they were accepted", ({ intents, events: said }) => {
    const started = intents.flatMap((intent) => (intent.type === "intent.startRun" ? [intent.runId] : []));
    const announced = intents.filter(({ type }) => type === "intent.announceEnd").length;
    const inOrder = said.flatMap((event) => (event.type === "message.accepted" ? [event.runId] : []));
    let at = 0;
    for (const runId of started) {
      // What was said to another run comes when that one ends.
      if (!followUps.includes(runId)) continue;
      at = inOrder.indexOf(runId, at);
      if (at < 0) return false;
      at++;
    }
    return started.length - announced <= 1 && started.length - announced >= 0;
  });
  const openIn = ledger();
  families.always("loses no message it acknowledged", (seen) => {
    const { running, steering, waiting } = seen.snapshot.context;
    const known = [running, ...waiting, ...steering];
    for (const runId of openIn(seen)) {
      const at = known.indexOf(runId);
      if (at < 0) return false;
      known.splice(at, 1);
    }
    return true;
  });
  families.always("leaves nothing waiting while nothing runs, unless it is paused", ({ snapshot: { context } }) => {
    const { isPaused, running, steering, waiting } = context;
    return running !== null || (steering.length === 0 && (isPaused || waiting.length === 0));
  });
  families.always("begins nothing while it is paused", ({ events: said, lastIntents }) => {
    const last = said.findLast(({ type }) => type === "session.paused" || type === "session.unpaused");
    return last?.type !== "session.paused" || lastIntents.every(({ type }) => type !== "intent.startRun");
  });
  families.always("begins what a run never saw before anything else", ({ events: said, intents, lastIntents }) => {
    const last = said.at(-1);
    if (last?.type !== "run.ended" || !lastIntents.some(({ type }) => type === "intent.startRun")) return true;
    const sent = intents.flatMap((intent) =>
      intent.type === "intent.steerRun" && intent.runId === last.runId ? [intent.messageId] : [],
    );
    const first = sent.find((id) => last.seen?.includes(id) !== true);
    // Walks may use an id twice; then an earlier run of the name may have been sent the message.
    return (
      first === undefined ||
      lastIntents.some((intent) => intent.type === "intent.startRun" && sent.includes(intent.runId)) ||
      intents.filter((intent) => intent.type === "intent.startRun" && intent.runId === last.runId).length > 1
    );
  });
  families.always("tells only the run under way: messages, pauses and their ends", ({ intents, lastIntents }) => {
    const begun = intents.findLast(({ type }) => type === "intent.startRun");
    return lastIntents.every(
      ({ type, runId }) =>
        !["intent.steerRun", "intent.pauseRun", "intent.unpauseRun"].includes(type) || runId === begun?.runId,
    );
  });
  families.always("keeps no more waiting than it may, sent or not", ({ input: { maxWaiting }, snapshot }) => {
    const { steering, waiting } = snapshot.context;
    return steering.length + waiting.length <= maxWaiting;
  });
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
    {
      name: "steered twice, paused, ended with one unseen, unpaused (0.1.0)",
      input: { maxWaiting: 5 },
      events: [
        accepted("a"),
        accepted("s", "steer"),
        accepted("b"),
        accepted("t", "steer"),
        { type: "session.paused" },
        ended("a", "s"),
        { type: "session.unpaused" },
        ended("t"),
      ],
      intents: [
        { type: "intent.acknowledge", key: "acknowledge a", runId: "a" },
        { type: "intent.startRun", key: "start a", runId: "a" },
        { type: "intent.acknowledge", key: "acknowledge s", runId: "s" },
        { type: "intent.steerRun", key: "steer s", runId: "a", messageId: "s" },
        { type: "intent.acknowledge", key: "acknowledge b", runId: "b" },
        { type: "intent.acknowledge", key: "acknowledge t", runId: "t" },
        { type: "intent.steerRun", key: "steer t", runId: "a", messageId: "t" },
        { type: "intent.pauseRun", key: "pause a", runId: "a" },
        { type: "intent.announceEnd", key: "announce a", runId: "a" },
        { type: "intent.startRun", key: "start t", runId: "t" },
        { type: "intent.announceEnd", key: "announce t", runId: "t" },
        { type: "intent.startRun", key: "start b", runId: "b" },
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
      states!["running"]!["on"]!["run.ended"]!["2"]!["actions"] = [
        "keepUnseen",
        "beginNext",
        "startRun",
        "announceEnd",
      ] as never;
    }),
    "a late end of another run ends this one": sessionMachine.provide({ guards: { hasNext: () => true } }),
    "a message that was never seen is dropped at the end of its run": sessionMachine.provide({
      actions: { keepUnseen: assign({ steering: [] }) },
    }),
    "a message that was never seen waits, and nothing begins it": sessionMachine.provide({
      guards: {
        isLast: ({ context, event }) =>
          event.type === "run.ended" && event.runId === context.running && context.waiting.length === 0,
      },
    }),
    "a message that was never seen comes after those that wait": sessionMachine.provide({
      actions: {
        keepUnseen: assign({
          waiting: ({ context, event }) =>
            event.type === "run.ended" ? [...context.waiting, ...context.steering] : context.waiting,
          steering: [],
        }),
      },
    }),
    "what a run was sent is held against the next one": sessionMachine.provide({
      actions: {
        keepUnseen: assign({
          waiting: ({ context, event }) =>
            event.type === "run.ended" ? [...context.steering, ...context.waiting] : context.waiting,
        }),
      },
    }),
    "a paused session begins the next run": sessionMachine.provide({ guards: { isHeld: () => false } }),
    "a paused session begins a run for a message": mutantOf(sessionMachine, ({ states }) => {
      states!["held"]!["on"]!["message.accepted"] = states!["idle"]!["on"]!["message.accepted"]!;
    }),
    "a session that goes on leaves what waits": sessionMachine.provide({ guards: { hasWaiting: () => false } }),
    "a pause is not told to the run": mutantOf(sessionMachine, ({ states }) => {
      states!["running"]!["on"]!["session.paused"]!["actions"] = ["pause"] as never;
    }),
    "what was sent does not count as waiting": sessionMachine.provide({
      guards: { isFull: ({ context }) => context.waiting.length >= context.maxWaiting },
    }),
    "what a run saw is begun once more": sessionMachine.provide({
      actions: {
        keepUnseen: assign({
          waiting: ({ context, event }) =>
            event.type === "run.ended" ? [...context.steering, ...context.waiting] : context.waiting,
          steering: [],
        }),
      },
    }),
    "a steering message waits for a run of its own": sessionMachine.provide({ guards: { isSteering: () => false } }),
    "a steering message is acknowledged and not told": mutantOf(sessionMachine, ({ states }) => {
      states!["running"]!["on"]!["message.accepted"]!["1"]!["actions"] = ["steer", "acknowledge"] as never;
    }),
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
