import { MachineKit, type MachineActor, replay } from "@kumiko/machine-kit";
import {
  type AssistantMessage,
  type ModelReply,
  type ModelRequest,
  noUsage,
  type RunOutcome,
  toolCallsOf,
  userText,
} from "@kumiko/plugin-api";
import type { JournalFailed } from "@kumiko/runtime-api";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { admitCalls } from "./admitCalls.ts";
import type { CallSlot } from "./CallSlot.ts";
import { executeCalls } from "./executeCalls.ts";
import { guarded, messageOf } from "./guarded.ts";
import { shapePrompt, systemPromptOf } from "./prompt.ts";
import { recordCalls, settleRest } from "./recordCalls.ts";
import type { RunContext } from "./RunContext.ts";
import { type TurnEvent, type TurnIntent, turnMachine, type TurnSnapshot } from "./turn.machine.ts";
import { plainEvents } from "./plainEvents.ts";

/** What a turn's actor may fail with: the journal. Everything else is an outcome. */
export type TurnActor = MachineActor<typeof turnMachine, JournalFailed>;

/**
 * Starts a run's turn machine in the current scope, or goes on where `events`, those of an earlier process, end. Its
 * events go to the session's log and conversation. `settleRest` is for its end: it records the calls that the run left
 * without a result.
 */
export const startTurn = Effect.fnUntraced(function* (run: RunContext, resumed?: ResumedTurn) {
  const { conversation, kernel, log } = run;
  const { runId } = run.info();
  const actorName = `run:${runId}`;
  const input = { runId, maxIterations: resumed?.maxIterations ?? kernel.iterationCap };
  const state: TurnState = { system: undefined, slots: [], send: () => false };
  const from =
    resumed === undefined ? undefined : { snapshot: replay(turnMachine, input, resumed.events).snapshot, intents: [] };
  if (from === undefined) log.event(actorName, { type: "run.began", maxIterations: { ...input.maxIterations } });
  if (from !== undefined) run.startIteration(from.snapshot.context.iteration);
  const actor: TurnActor = yield* MachineKit.run(turnMachine, {
    input,
    perform: (intent) => perform(run, state, intent),
    ...(from === undefined ? {} : { from }),
    log: {
      event: (event) => {
        log.event(actorName, event);
        conversation.applyTurn(runId, event);
      },
      intent: (intent) => log.intent(actorName, intent),
      // Boundaries: the results of the iteration before are safe before the next model call; a reply and its
      // admissions before anything runs, which execution sees to. The end is committed by the session.
      commitsBefore: (intent) =>
        intent.type === "intent.callModelForSummary" ||
        intent.type === "intent.awaitUnpause" ||
        (intent.type === "intent.callModel" && intent.iteration > 1),
      commit: () => log.commit,
      commitsAtEnd: false,
    },
  });
  state.send = actor.send;
  if (resumed !== undefined && from !== undefined) {
    const { isPaused } = from.snapshot.context;
    if (isPaused !== resumed.isPaused) actor.send({ type: resumed.isPaused ? "run.paused" : "run.unpaused" });
    if (resumed.abortReason === undefined) actor.send({ type: "run.resumed" });
    else actor.send({ type: "run.aborted", reason: resumed.abortReason });
  }
  return { actor, settleRest: Effect.suspend(() => settleRest(run, state.slots)) };
});

/** A run as an earlier process left it. */
export interface ResumedTurn {
  readonly events: ReadonlyArray<TurnEvent>;
  /** The limits it began with. */
  readonly maxIterations: { readonly standard: number; readonly gui: number } | undefined;
  /** As its session knows it: the run may not have been told. */
  readonly isPaused: boolean;
  readonly abortReason: string | undefined;
}

interface TurnState {
  /** Undefined until it was built, in this process: a prompt is not written down. */
  system: string | undefined;
  slots: ReadonlyArray<CallSlot>;
  send: (event: TurnEvent) => boolean;
}

const perform = (run: RunContext, state: TurnState, intent: TurnIntent): Effect.Effect<TurnEvent | void> => {
  switch (intent.type) {
    case "intent.buildPrompt":
      return Effect.map(buildPrompt(run), (system): TurnEvent => {
        state.system = system;
        return plainEvents.promptBuilt;
      });
    case "intent.callModel":
      run.startIteration(intent.iteration);
      return Effect.flatMap(systemOf(run, state), (system) => callModel(run, requestOf(run, system, "auto")));
    case "intent.callModelForSummary":
      return Effect.flatMap(systemOf(run, state), (system) => summarise(run, system, intent.reason));
    case "intent.injectSteering":
      return Effect.succeed({ type: "steering.injected", messageIds: intent.messageIds });
    case "intent.admitCalls": {
      const reply = run.conversation.lastReply;
      const slots: Array<CallSlot> = [];
      state.slots = slots;
      const signals = {
        opened: (questionId: string) => void state.send({ type: "question.opened", questionId }),
        answered: (questionId: string) => void state.send({ type: "question.answered", questionId }),
        abort: (reason: string) => void state.send({ type: "run.aborted", reason }),
      };
      return admitCalls(run, reply === undefined ? [] : toolCallsOf(reply), signals, slots).pipe(
        // The journal is gone: nothing can be kept any more, so the run ends here and its supervisor says why.
        Effect.orDie,
        Effect.map((): TurnEvent => {
          const admitted = slots.filter(({ isAdmitted }) => isAdmitted).map(({ part }) => part.id);
          return { type: "calls.admitted", admitted };
        }),
      );
    }
    case "intent.executeCalls":
      return executeCalls(run, state.slots).pipe(Effect.orDie, Effect.as(plainEvents.callsSettled));
    case "intent.recordResults":
      return recordCalls(run, state.slots);
    case "intent.awaitUnpause":
    case "intent.cancel":
      return Effect.void;
  }
};

const systemOf = (run: RunContext, state: TurnState): Effect.Effect<string> =>
  state.system === undefined
    ? Effect.tap(buildPrompt(run), (system) =>
        Effect.sync(() => {
          state.system = system;
        }),
      )
    : Effect.succeed(state.system);

const buildPrompt = (run: RunContext): Effect.Effect<string> =>
  Effect.map(
    shapePrompt(run.kernel.promptBuild, run.draft, (contribution, draft) =>
      guarded(
        run,
        "prompt.build",
        () => contribution(draft, run.info()),
        () => draft,
      ),
    ),
    systemPromptOf,
  );

const requestOf = (run: RunContext, system: string, toolChoice: ModelRequest["toolChoice"]): ModelRequest => ({
  system,
  tools: run.kernel.toolSpecs,
  messages: run.conversation.messages,
  toolChoice,
});

const callModel = (run: RunContext, request: ModelRequest): Effect.Effect<TurnEvent> => {
  const { hub, kernel } = run;
  const generated = kernel.generate(request, run.info(), (event) => {
    if (!hub.hasReaders) return;
    if (event.type === "text.delta") hub.publish({ type: "assistant.delta", text: event.text });
    else if (event.type === "reasoning.delta") hub.publish({ type: "reasoning.delta", text: event.text });
  });
  return Effect.matchEffect(generated, {
    onSuccess: ({ message: said, stopReason, usage }: ModelReply) => {
      const message = withUniqueIds(said);
      hub.publish({ type: "assistant.end", message, usage });
      return Effect.succeed<TurnEvent>({ type: "reply.received", message, stopReason, usage });
    },
    onFailure: ({ detail, reason }) => Effect.succeed<TurnEvent>({ type: "model.failed", reason, detail }),
  });
};

const summarise = (run: RunContext, system: string, reason: string): Effect.Effect<TurnEvent> => {
  run.hub.publish({ type: "loop.forceStop", reason });
  const request = requestOf(run, system, "none");
  const instruction = userText(
    `The run ends here because ${reason}. You cannot call tools any more. Say in plain text what is done, what is not, and what you would do next. Claim only what a tool result shows.`,
  );
  return Effect.map(callModel(run, { ...request, messages: [...request.messages, instruction] }), (event) =>
    event.type === "reply.received" ? { ...event, message: withoutCalls(event.message) } : event,
  );
};

// Results are told apart by their call's id; a model that uses one twice in a reply gets the second renamed.
const withUniqueIds = (message: AssistantMessage): AssistantMessage => {
  const ids = toolCallsOf(message).map(({ id }) => id);
  if (new Set(ids).size === ids.length) return message;
  const seen = new Set<string>();
  return {
    ...message,
    parts: message.parts.map((part) => {
      if (part.type !== "tool-call") return part;
      let { id } = part;
      for (let n = 2; seen.has(id); n++) id = `${part.id}_${n}`;
      seen.add(id);
      return { ...part, id };
    }),
  };
};

// Some models call tools even when told that they cannot; such a call is never looked at.
const withoutCalls = (message: AssistantMessage): AssistantMessage =>
  toolCallsOf(message).length === 0
    ? message
    : { role: "assistant", parts: message.parts.filter(({ type }) => type !== "tool-call") };

/** How a run ended, read off its last snapshot. */
export const outcomeOf = ({ context }: TurnSnapshot): RunOutcome => ({
  status: context.status,
  text: context.text,
  ...(context.reason === null ? {} : { reason: context.reason }),
  iterations: context.iteration,
  usage: context.usage,
});

/** The outcome of a run whose actor broke: what it had, and what broke it. */
export const outcomeOfFailure = (snapshot: TurnSnapshot | undefined, cause: Cause.Cause<unknown>): RunOutcome => ({
  status: Cause.hasInterruptsOnly(cause) ? "aborted" : "failed",
  text: snapshot?.context.text ?? "",
  reason: Cause.hasInterruptsOnly(cause) ? "the harness was closed" : messageOf(Cause.squash(cause)),
  iterations: snapshot?.context.iteration ?? 0,
  usage: snapshot?.context.usage ?? noUsage,
});
