import {
  type AssistantMessage,
  costOf,
  type LanguageModel,
  ModelCallFailed,
  type ModelReply,
  type ModelRequest,
  textOf,
  toolCallsOf,
  type Usage,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { claimedCall } from "./claimedCall.ts";
import type { RunContext } from "./RunContext.ts";
import type { TurnEvent } from "./turn.machine.ts";
import { watchSilence } from "./watchSilence.ts";

/** Makes one model call and tells of it as it comes. A failure is an event too: what becomes of it, the machine says. */
export const callModel = (run: RunContext, request: ModelRequest, index: number): Effect.Effect<TurnEvent> => {
  const { hub, kernel } = run;
  const model = run.models[index] ?? kernel.model;
  let hasSpoken = false;
  const generated = kernel.generate(model, request, run.info(), (event) => {
    hasSpoken = true;
    if (!hub.hasReaders) return;
    if (event.type === "text.delta") hub.publish({ type: "assistant.delta", text: event.text });
    else if (event.type === "reasoning.delta") hub.publish({ type: "reasoning.delta", text: event.text });
  });
  const watched = watchSilence(generated, {
    ...kernel.silence,
    hasSpoken: () => {
      const spoke = hasSpoken;
      hasSpoken = false;
      return spoke;
    },
    onSilence: (silentMillis) => hub.publish({ type: "model.silent", silentMillis }),
    onTooLong: (silentMillis) =>
      new ModelCallFailed({
        reason: "timeout",
        model: model.id,
        detail: `it said nothing for ${Math.round(silentMillis / 1000)} s`,
      }),
  });
  return Effect.matchEffect(watched, {
    onSuccess: (reply) => Effect.sync(() => received(run, request, model, reply)),
    onFailure: (failure) => Effect.sync(() => failed(run, model, failure)),
  });
};

const received = (
  run: RunContext,
  request: ModelRequest,
  model: LanguageModel,
  { message: said, stopReason, usage }: ModelReply,
): TurnEvent => {
  const message = withUniqueIds(said);
  const cost = spentOn(model, usage);
  run.hub.publish({ type: "assistant.end", message, usage, ...cost });
  const claim =
    request.toolChoice === "none" || toolCallsOf(message).length > 0
      ? undefined
      : claimedCall(textOf(message), {
          toolNames: run.kernel.tools,
          hasWorked: run.conversation.hasWorked,
          wasRefused: run.conversation.wasRefused,
        });
  return {
    type: "reply.received",
    message,
    stopReason,
    usage,
    model: model.id,
    ...cost,
    ...(claim === undefined ? {} : { claim }),
  };
};

const failed = (
  run: RunContext,
  model: LanguageModel,
  { detail, reason, retryAfterMillis, usage }: ModelCallFailed,
): TurnEvent => ({
  type: "model.failed",
  reason,
  detail,
  model: model.id,
  at: run.now(),
  ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
  ...(usage === undefined ? {} : { usage, ...spentOn(model, usage) }),
});

const spentOn = ({ prices }: LanguageModel, usage: Usage): { readonly costUsd?: number } =>
  prices === undefined ? {} : { costUsd: costOf(usage, prices) };

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
