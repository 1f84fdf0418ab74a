import { machineFamilies, mutantOf, type Observed } from "@kumiko/machine-kit/testing";
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import { soak } from "../../../tools/soak/runs.ts";
import { type TurnEvent, type TurnIntent, turnMachine } from "../src/index.ts";
import { countFailure, noTrouble } from "../src/turnSteps.ts";
import { isCaught } from "./isCaught.ts";
import { events, fewer, input, inputOf, model, recorded, reply } from "./turnModel.ts";

type Machine = typeof turnMachine;
const stuck = "the model gave arguments that do not fit 3 times in the same way: grep: no pattern";

/** So many iterations of one call that is settled without running; each result may hold a mistake. */
const iterations = (most: number, ...mistakes: ReadonlyArray<string>) => ({
  events: Array.from({ length: most }, (): ReadonlyArray<TurnEvent> => [
    reply("calling", "grep"),
    { type: "calls.admitted", admitted: [] },
    recorded(0, "continue", ...mistakes),
  ]).flat(),
  intents: Array.from({ length: most }, (_, at): ReadonlyArray<TurnIntent> => [
    { type: "intent.callModel", iteration: at + 1 },
    { type: "intent.cancel", key: "intent.callModel" },
    { type: "intent.admitCalls", callIds: ["c0"] },
    { type: "intent.cancel", key: "intent.admitCalls" },
    { type: "intent.recordResults" },
    { type: "intent.cancel", key: "intent.recordResults" },
  ]).flat(),
});

const count = (intents: ReadonlyArray<{ readonly type: string }>, type: string): number =>
  intents.filter((intent) => intent.type === type).length;

/** What was asked for and neither cancelled nor asked for anew. */
const openOf = (intents: ReadonlyArray<TurnIntent>): ReadonlySet<string> => {
  const open = new Set<string>();
  for (const intent of intents)
    if (intent.type === "intent.cancel") open.delete(intent.key);
    else if (intent.type !== "intent.announceSwitch") open.add(intent.type);
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
  families.agreesWith(model, { inputs: [inputOf(2, 1)], alphabet: fewer });
  families.always("calls the model no more often than the cap, and once more for the summary", (seen) => {
    const last = seen.events.at(-1)?.type ?? "";
    const iterations = seen.intents.flatMap((intent) => (intent.type === "intent.callModel" ? [intent.iteration] : []));
    const [latest = 0, earlier = 0] = iterations.toReversed();
    // A call that is made again, because it failed or the run was taken over, is the same one, by its number.
    const isRepeated = ["run.resumed", "backOff.over", "model.failed", "reply.received"].includes(last);
    const mayRepeat = isRepeated || last === "followUp.added" || last === "run.unpaused";
    const isNew = latest - earlier === 1 && !isRepeated;
    const counts = count(seen.lastIntents, "intent.callModel") === 0 || isNew || (mayRepeat && latest === earlier);
    const isSummary = count(seen.lastIntents, "intent.callModelForSummary") > 0;
    const summaries = count(seen.intents, "intent.callModelForSummary");
    return latest <= mostOf(seen) && counts && (!isSummary || isRepeated || summaries === 1);
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
    // A wait for a model that is not asked any more is over.
    if (open === "intent.backOff" && count(seen.lastIntents, open) === 0)
      return seen.lastIntents.some(({ type }) => type.startsWith("intent.callModel") || type === "intent.awaitUnpause");
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
  families.always("repeats no call before its time, and none more often than the policy says", (seen) => {
    const last = seen.events.at(-1);
    return seen.lastIntents.every(
      (intent) =>
        intent.type !== "intent.backOff" ||
        last?.type !== "model.failed" ||
        (intent.notBefore >= (last.at ?? 0) + Math.max(seen.input.retry?.baseMillis ?? 0, last.retryAfterMillis ?? 0) &&
          intent.attempt < (seen.input.retry?.attempts[last.reason] ?? 0)),
    );
  });
  families.always("asks for more only after a reply that is no answer, and a bounded number of times", (seen) => {
    const asked = seen.intents.flatMap((intent) => (intent.type === "intent.followUp" ? [intent.followUp.kind] : []));
    const resumed = seen.events.filter(({ type }) => type === "run.resumed").length;
    const replies = seen.events.filter(({ type }) => type === "reply.received").length;
    return asked.length <= replies + resumed;
  });
  let told = 0;
  families.always("counts every token it was told of, of calls that failed too", (seen) => {
    const last = seen.events.at(-1);
    if (last === undefined) told = 0;
    // Whoever was not asked is not heard.
    const wasAsked = [...openOf(before(seen))].some((intent) => intent.startsWith("intent.callModel"));
    if (wasAsked && last !== undefined && "usage" in last) told += last.usage?.inputTokens ?? 0;
    return seen.snapshot.context.spent.usage.inputTokens === told;
  });
  families.always(
    "ends with a status, and with a reason unless it is done",
    ({ snapshot }) =>
      snapshot.status === "active" || (snapshot.context.status === "done") === (snapshot.context.reason === null),
  );
  families.reachesEverything({
    inputs: [inputOf(2, 1)],
    alphabet: fewer,
    except: {
      "transition turn.active.recording on results.recorded #1": "takes four iterations; a history below goes there",
      "transition turn.active.recording on results.recorded #3": "takes six iterations; a history below goes there",
    },
  });
  families.resumesAtAnyCut();
  families.isDeterministicAndTotal();
  families.replays([
    {
      name: "asked where it stands after six of ten iterations, it says so and goes on (0.2.0)",
      input: inputOf(10, 10),
      events: [
        { type: "prompt.built" },
        ...iterations(6).events,
        { type: "followUp.added", kind: "checkpoint", text: "where do you stand?" },
        reply("in the middle"),
        { type: "followUp.added", kind: "goOn", text: "go on" },
        reply("calling", "grep"),
        { type: "calls.admitted", admitted: [] },
        recorded(0, "continue"),
        reply("answer"),
      ],
      intents: [
        { type: "intent.buildPrompt" },
        { type: "intent.cancel", key: "intent.buildPrompt" },
        ...iterations(6).intents,
        { type: "intent.followUp", followUp: { kind: "checkpoint" } },
        { type: "intent.cancel", key: "intent.followUp" },
        { type: "intent.callModel", iteration: 7 },
        { type: "intent.cancel", key: "intent.callModel" },
        { type: "intent.followUp", followUp: { kind: "goOn" } },
        { type: "intent.cancel", key: "intent.followUp" },
        { type: "intent.callModel", iteration: 8 },
        { type: "intent.cancel", key: "intent.callModel" },
        { type: "intent.admitCalls", callIds: ["c0"] },
        { type: "intent.cancel", key: "intent.admitCalls" },
        { type: "intent.recordResults" },
        { type: "intent.cancel", key: "intent.recordResults" },
        { type: "intent.callModel", iteration: 9 },
        { type: "intent.cancel", key: "intent.callModel" },
      ],
    },
    {
      name: "the third equal mistake stops the run; its summary is put to the second model (0.2.0)",
      input: inputOf(9, 9),
      events: [
        { type: "prompt.built" },
        ...iterations(3, "grep: no pattern").events,
        { type: "model.failed", reason: "overloaded", detail: "busy", at: 50, retryAfterMillis: 700 },
        { type: "backOff.over" },
        { type: "model.failed", reason: "overloaded", detail: "busy", at: 900 },
        reply("summary"),
      ],
      intents: [
        { type: "intent.buildPrompt" },
        { type: "intent.cancel", key: "intent.buildPrompt" },
        ...iterations(3).intents,
        { type: "intent.callModelForSummary", reason: stuck },
        { type: "intent.cancel", key: "intent.callModelForSummary" },
        { type: "intent.backOff", notBefore: 750, attempt: 1, model: 0, reason: "overloaded", detail: "busy" },
        { type: "intent.cancel", key: "intent.backOff" },
        { type: "intent.callModelForSummary", reason: stuck },
        { type: "intent.cancel", key: "intent.callModelForSummary" },
        { type: "intent.announceSwitch", from: 0, to: 1, attempt: 2, reason: "overloaded", detail: "busy" },
        { type: "intent.callModelForSummary", reason: stuck, model: 1 },
        { type: "intent.cancel", key: "intent.callModelForSummary" },
      ],
    },
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
      ({ states }) => delete states!["active"]!["states"]!["closing"]!["states"]!["calling"]!["on"]!["model.failed"],
    ),
    "an ended run has no reason": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["calling"]!["on"]!["model.failed"]!["2"]!["actions"] = [
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
    "a failed call is never repeated": turnMachine.provide({ guards: { canRetry: () => false } }),
    "a failed call is repeated for ever": turnMachine.provide({
      actions: { countFailure: assign({ trouble: { ...noTrouble, notBefore: 0 } }) },
    }),
    "a failed call is repeated at once": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["calling"]!["on"]!["model.failed"]!["0"]!["target"] = "calling" as never;
    }),
    "the second model is never asked": turnMachine.provide({ guards: { canSwitch: () => false } }),
    "the first model is asked again in place of the second": turnMachine.provide({
      actions: { switchModel: assign({ trouble: noTrouble }) },
    }),
    "the failures of one model count for the next": turnMachine.provide({ actions: { forgetFailures: () => {} } }),
    "the tokens of a failed call are lost": turnMachine.provide({
      actions: {
        countFailure: assign((step) => ({ ...countFailure(step), spent: step.context.spent })),
      },
    }),
    "a pause is not heard when another model is asked": turnMachine.provide({
      guards: { canSwitchLater: () => false },
    }),
    "a pause is not heard when another model is asked after empty replies": turnMachine.provide({
      guards: { isEmptyForLater: () => false },
    }),
    "a pause is not heard during a wait": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["backingOff"]!["on"]!["backOff.over"] = { target: "calling" } as never;
    }),
    "a resumed run does not wait for the rest": mutantOf(turnMachine, ({ states }) => {
      states!["active"]!["states"]!["backingOff"]!["on"]!["run.resumed"] = {
        target: "calling",
        actions: "takeModels",
      } as never;
    }),
    "an empty reply is the answer": turnMachine.provide({
      guards: { needsFollowUp: () => false, isEmptyForSwitch: () => false, isEmpty: () => false },
    }),
    "a reply that was cut is the answer": turnMachine.provide({ guards: { needsFollowUp: () => false } }),
    "follow-ups never end": turnMachine.provide({
      actions: { beginFollowUp: assign({ trouble: { ...noTrouble, followUp: { kind: "again" } } }) },
    }),
    "the checkpoint comes again and again": turnMachine.provide({
      guards: { isCheckpointDue: ({ context }) => context.iteration >= 6 },
    }),
    "nobody asks where it stands": turnMachine.provide({ guards: { isCheckpointDue: () => false } }),
    "equal mistakes are not counted": turnMachine.provide({
      actions: { takeResults: assign({ misfit: { what: "grep: no pattern", count: 1 } }) },
    }),
    "a run that is stuck goes on": turnMachine.provide({ guards: { isStuck: () => false } }),
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
