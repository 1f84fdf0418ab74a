import type { ReferenceModel } from "@kumiko/machine-kit/testing";
import type { AssistantMessage, StopReason } from "@kumiko/plugin-api";
import fc from "fast-check";
import { defaultRetryPolicy, type RetryPolicy, type TurnEvent, type turnMachine } from "../src/index.ts";

type Reply = TurnEvent & { readonly type: "reply.received" };
const usage = { inputTokens: 2, outputTokens: 1 };

export const reply = (text: string, ...names: ReadonlyArray<string>): Reply => {
  const message: AssistantMessage = {
    role: "assistant",
    parts: [
      { type: "text", text },
      ...names.map((name, at) => ({ type: "tool-call" as const, id: `c${at}`, name, input: {} })),
    ],
  };
  return { type: "reply.received", message, stopReason: names.length > 0 ? "tool-calls" : "end", usage };
};
const stopped = (text: string, stopReason: StopReason): Reply => ({ ...reply(text), stopReason });
const cut = stopped("half", "length");
const claiming: Reply = { ...reply("I called it"), claim: "call-as-text" };

export const recorded = (
  refusals: number,
  steering: "continue" | "nudge" | "forceStop",
  ...misfits: ReadonlyArray<string>
): TurnEvent => ({
  type: "results.recorded",
  message: { role: "tool", parts: [] },
  refusals,
  ...(misfits.length === 0 ? {} : { misfits }),
  steering:
    steering === "continue"
      ? { type: steering }
      : steering === "nudge"
        ? { type: steering, text: "look" }
        : { type: steering, reason: "enough" },
});

const gone = { type: "model.failed", reason: "network", detail: "gone", at: 1_000 } as const;
const wrong = { type: "model.failed", reason: "bad-request", detail: "wrong", at: 1_000, usage } as const;
const others: TurnEvent = { type: "run.resumed", models: [{ model: "c" }] };

const alphabet: ReadonlyArray<TurnEvent> = [
  { type: "prompt.built" },
  reply("answer"),
  reply("calling", "grep"),
  reply("looking", "browser_click", "grep"),
  reply(" "),
  cut,
  stopped("", "refusal"),
  claiming,
  gone,
  { ...gone, reason: "rate-limit", retryAfterMillis: 700, usage },
  { ...gone, reason: "overloaded", retryAfterMillis: 10_000_000 },
  { ...gone, reason: "context-overflow" },
  wrong,
  { type: "model.failed", reason: "network", detail: "of an earlier version" },
  { type: "backOff.over" },
  { type: "followUp.added", kind: "again", text: "go on" },
  { type: "question.opened", questionId: "q" },
  { type: "question.answered", questionId: "q" },
  { type: "calls.admitted", admitted: ["c0"] },
  { type: "calls.admitted", admitted: [] },
  { type: "calls.settled" },
  recorded(0, "continue"),
  recorded(1, "continue"),
  recorded(0, "nudge"),
  recorded(0, "forceStop"),
  recorded(0, "continue", "grep: no pattern"),
  recorded(0, "continue", "grep: a flag too many", "grep: no pattern"),
  { type: "message.steered", messageId: "s" },
  { type: "message.steered", messageId: "t" },
  { type: "steering.injected", messageIds: ["s"] },
  { type: "steering.injected", messageIds: ["t", "s"] },
  { type: "run.paused" },
  { type: "run.unpaused" },
  { type: "run.resumed" },
  { type: "run.resumed", models: [{ model: "b" }, { model: "a" }] },
  others,
  { type: "run.aborted", reason: "stop" },
];

const free = (said: Reply): Reply => ({ ...said, usage: { inputTokens: 0, outputTokens: 0 } });

/** The same events with less in them, so that they lead to few enough states to try every event in each. */
export const fewer: ReadonlyArray<TurnEvent> = [
  { type: "prompt.built" },
  free(reply("")),
  free(reply("x")),
  free(reply("x", "grep")),
  free(reply("x", "browser_click")),
  free({ ...reply("x"), stopReason: "length" }),
  gone,
  { type: "model.failed", reason: "bad-request", detail: "gone", at: 1_000 },
  { type: "backOff.over" },
  { type: "followUp.added", kind: "again", text: "go on" },
  { type: "question.opened", questionId: "q" },
  { type: "question.answered", questionId: "q" },
  { type: "calls.admitted", admitted: ["c0"] },
  { type: "calls.admitted", admitted: [] },
  { type: "calls.settled" },
  recorded(0, "continue"),
  recorded(1, "continue"),
  recorded(0, "forceStop"),
  { type: "message.steered", messageId: "s" },
  { type: "steering.injected", messageIds: ["s"] },
  // Others were; `s` came meanwhile.
  { type: "steering.injected", messageIds: ["t"] },
  { type: "run.paused" },
  { type: "run.unpaused" },
  { type: "run.resumed" },
  others,
  { type: "run.aborted", reason: "stop" },
];

// Few aborts, which end a run wherever it is, and many prompts and failures: walks are to get somewhere, and to any end.
export const events = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...alphabet) },
  { weight: 7, arbitrary: fc.constantFrom(...alphabet.filter(({ type }) => type !== "run.aborted")) },
  { weight: 2, arbitrary: fc.constantFrom(...alphabet.filter(({ type }) => /^(prompt|model|backOff)\./.test(type))) },
);

const retry: RetryPolicy = {
  ...defaultRetryPolicy,
  baseMillis: 100,
  attempts: { ...defaultRetryPolicy.attempts, network: 3, "rate-limit": 2, overloaded: 2 },
};
export const inputOf = (standard: number, gui: number) => ({
  runId: "r",
  maxIterations: { standard, gui },
  models: [{ model: "a" }, { model: "b" }],
  retry,
});
export const input = fc.record({
  runId: fc.constant("r"),
  maxIterations: fc.record({ standard: fc.integer({ min: 1, max: 5 }), gui: fc.integer({ min: 1, max: 6 }) }),
  models: fc.constantFrom([{ model: "a" }], [{ model: "a" }, { model: "b" }]),
  retry: fc.constant(retry),
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
  /** Names of the models that are left, the one that is asked first. */
  readonly models: ReadonlyArray<string>;
  readonly used: ReadonlyArray<string>;
  readonly failures: number;
  /** The next call is one that was made before and has given nothing. */
  readonly isOpen: boolean;
  /** The reply before was no answer, and of which kind. */
  readonly follows: "" | "continue" | "correct" | "again" | "checkpoint" | "goOn";
  readonly checkpoint: "ahead" | "open" | "past";
  readonly followed: { readonly continue: number; readonly correct: number; readonly again: number };
  readonly mistake: string;
  readonly mistakes: number;
}
const noFollowUps = { follows: "", followed: { continue: 0, correct: 0, again: 0 } } as const;

const started: Readonly<Record<string, string>> = {
  preparing: "intent.buildPrompt",
  calling: "intent.callModel",
  backingOff: "intent.backOff",
  followingUp: "intent.followUp",
  injecting: "intent.injectSteering",
  paused: "intent.awaitUnpause",
  "admitting.checking": "intent.admitCalls",
  executing: "intent.executeCalls",
  recording: "intent.recordResults",
  "closing.calling": "intent.callModelForSummary",
  "closing.backingOff": "intent.backOff",
};
const intentOf = (phase: string): ReadonlyArray<string> => {
  const intent = started[phase];
  return intent === undefined ? [] : [intent];
};
const goWith = (state: State, phase: string, more: Partial<State>, ...said: ReadonlyArray<string>) => {
  const leaves = state.phase === "admitting.asking" || state.phase in started ? ["intent.cancel"] : [];
  return { state: { ...state, ...more, phase }, intents: [...leaves, ...said, ...intentOf(phase)] };
};
const go = (state: State, phase: string, more: Partial<State> = {}) => goWith(state, phase, more);
/** The next iteration, unless the run is to wait. */
const callNext = (state: State, more: Partial<State> = {}) =>
  state.paused ? go(state, "paused", more) : go(state, "calling", { ...more, iteration: state.iteration + 1 });
/** To the next model call, unless a message is to be read first, or the run is to wait. */
const goOn = (state: State, more: Partial<State> = {}) =>
  state.unread.length > 0 ? go(state, "injecting", more) : callNext(state, more);
const stayWith = (state: State, more: Partial<State>) => ({ state: { ...state, ...more }, intents: [] });
const capOf = ({ gui, standard, usesGui }: State): number => (usesGui ? Math.max(gui, standard) : standard);
const finals = new Set(["done", "denied", "forceStopped", "failed", "aborted"]);

/** A failed call: again later, or another model, or the end. */
const failed = (state: State, event: TurnEvent & { readonly type: "model.failed" }, end: string) => {
  const failures = state.failures + 1;
  const mayWait = (event.retryAfterMillis ?? 0) <= retry.maxRetryAfterMillis;
  if (event.at !== undefined && mayWait && failures < retry.attempts[event.reason])
    return go(state, state.phase.replace("calling", "backingOff"), { failures, isOpen: true });
  const [current = "", ...rest] = state.models;
  // None of them is known to see more than another.
  if (event.at === undefined || rest.length === 0 || event.reason === "context-overflow") return go(state, end);
  const followed = { ...state.followed, again: 0 };
  const more = { models: rest, used: [...state.used, current], failures: 0, followed, isOpen: true };
  const waits = state.paused && state.phase === "calling";
  return goWith(state, waits ? "paused" : state.phase, more, "intent.announceSwitch");
};

const replied = (before: State, { claim, message, stopReason }: Reply) => {
  const state = { ...before, failures: 0, isOpen: false };
  const { followed, follows, iteration, refused, unread } = state;
  const calls = message.parts.filter(({ type }) => type === "tool-call");
  const isBlank = message.parts.every((part) => part.type !== "text" || part.text.trim() === "");
  const hasRoom = iteration < capOf(state);
  const followUp = (kind: keyof State["followed"]) =>
    go(state, "followingUp", {
      follows: kind,
      followed: { ...followed, [kind]: followed[kind] + 1 },
      iteration: kind === "again" ? iteration : iteration + 1,
    });
  if (calls.length > 0)
    return go(state, "admitting.checking", {
      ...noFollowUps,
      checkpoint: state.checkpoint === "open" ? "past" : state.checkpoint,
      usesGui: state.usesGui || JSON.stringify(calls).includes("browser_click"),
    });
  if (isBlank && stopReason !== "refusal") {
    if (follows !== "continue") {
      if (followed.again === 0) return followUp("again");
      const [current = "", ...rest] = state.models;
      if (rest.length === 0) return go(state, "failed");
      const more = { models: rest, used: [...state.used, current], followed: { ...followed, again: 0 }, isOpen: true };
      return goWith(state, state.paused ? "paused" : "calling", more, "intent.announceSwitch");
    }
  } else if (stopReason === "length" && followed.continue < 3 && hasRoom) return followUp("continue");
  else if (claim !== undefined && followed.correct < 2 && hasRoom) return followUp("correct");
  else if (state.checkpoint === "open" && hasRoom)
    return go(state, "followingUp", { follows: "goOn", checkpoint: "past", iteration: iteration + 1 });
  else if (unread.length > 0 && hasRoom) return go(state, "injecting", noFollowUps);
  return go(state, refused ? "denied" : "done");
};

const resumed = (state: State, event: TurnEvent & { readonly type: "run.resumed" }) => {
  const { phase } = state;
  const names = event.models?.map(({ model: name }) => name);
  const [current = ""] = state.models;
  const isThere = names?.includes(current) ?? true;
  const now =
    names === undefined
      ? state
      : isThere
        ? { ...state, models: names.slice(names.indexOf(current)) }
        : { ...state, models: names, failures: 0 };
  if (phase === "executing" || phase === "recording" || phase.startsWith("admitting"))
    return go(now, "admitting.checking");
  if (phase.endsWith("backingOff") && !isThere)
    return go(now, phase === "backingOff" && now.paused ? "paused" : phase.replace("backingOff", "calling"));
  // What was under way is done once more.
  return { state: now, intents: intentOf(phase) };
};

/** What the machine must do, said once more and in other words. */
export const model: ReferenceModel<typeof turnMachine, State> = {
  start: ({ maxIterations, models = [] }) => ({
    state: {
      phase: "preparing",
      iteration: 0,
      ...maxIterations,
      usesGui: false,
      refused: false,
      unread: [],
      paused: false,
      models: models.map(({ model: name }) => name),
      used: [],
      failures: 0,
      isOpen: false,
      ...noFollowUps,
      checkpoint: "ahead",
      mistake: "",
      mistakes: 0,
    },
    intents: ["intent.buildPrompt"],
  }),
  phase: ({ phase }) => (finals.has(phase) ? phase : `active.${phase}`),
  next: (state, event) => {
    const { follows, isOpen, iteration, paused, phase, unread } = state;
    const stay = { state, intents: [] };
    if (finals.has(phase)) return stay;
    if (event.type === "run.aborted") return go(state, "aborted");
    if (event.type === "message.steered")
      return unread.includes(event.messageId) ? stay : stayWith(state, { unread: [...unread, event.messageId] });
    if (event.type === "run.paused") return stayWith(state, { paused: true });
    if (event.type === "run.unpaused" && phase !== "paused") return stayWith(state, { paused: false });
    if (event.type === "run.resumed") return resumed(state, event);
    switch (phase) {
      case "preparing":
        return event.type === "prompt.built" ? callNext(state) : stay;
      case "calling":
        if (event.type === "model.failed") return failed(state, event, "failed");
        return event.type === "reply.received" ? replied(state, event) : stay;
      case "backingOff":
        return event.type === "backOff.over" ? go(state, paused ? "paused" : "calling") : stay;
      case "followingUp":
        return event.type === "followUp.added" ? go(state, paused ? "paused" : "calling") : stay;
      case "injecting": {
        if (event.type !== "steering.injected") return stay;
        // What came meanwhile waits for the next time.
        return callNext(state, { unread: unread.filter((id) => !event.messageIds.includes(id)), refused: false });
      }
      case "paused":
        if (event.type !== "run.unpaused") return stay;
        return isOpen || follows !== "" ? go(state, "calling", { paused: false }) : goOn({ ...state, paused: false });
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
        const [first = ""] = event.misfits ?? [];
        const isSame = state.mistake !== "" && (event.misfits ?? []).includes(state.mistake);
        const mistakes = isSame ? state.mistakes + 1 : first === "" ? 0 : 1;
        const more = { refused: event.refusals > 0, mistakes, mistake: isSame ? state.mistake : first };
        const stops = event.steering.type === "forceStop" || mistakes === 3 || iteration >= capOf(state);
        if (stops) return go(state, "closing.calling", more);
        if (state.checkpoint === "ahead" && capOf(state) >= 10 && iteration >= Math.floor(capOf(state) * 0.6))
          return go(state, "followingUp", {
            ...more,
            ...noFollowUps,
            follows: "checkpoint",
            checkpoint: "open",
            iteration: iteration + 1,
          });
        return goOn(state, more);
      }
      case "closing.calling":
        if (event.type === "model.failed") return failed(state, event, "forceStopped");
        return event.type === "reply.received" ? go(state, "forceStopped") : stay;
      case "closing.backingOff":
        return event.type === "backOff.over" ? go(state, "closing.calling") : stay;
      default:
        return stay;
    }
  },
};
