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

/**
 * Makes one model call and tells of it as it comes. A failure is an event too: what becomes of it, the machine says. One
 * that the model is silent in for too long is told of by `send`, and then ended by whoever made it.
 */
export const callModel = (
  run: RunContext,
  request: ModelRequest,
  index: number,
  send: (event: TurnEvent) => void,
): Effect.Effect<TurnEvent> => {
  const { hub, kernel, silence } = run;
  const model = run.models[index] ?? kernel.model;
  let heard = 0;
  silence.begin({
    onSilence: (silentMillis) => hub.publish({ type: "model.silent", silentMillis }),
    onTooLong: (silentMillis) => send(failed(run, model, tooSilent(model, request, heard, silentMillis))),
  });
  const generated = kernel.generate(model, request, run.info(), (event) => {
    silence.spoke();
    if ("text" in event) heard += event.text.length;
    if (!hub.hasReaders) return;
    if (event.type === "text.delta") hub.publish({ type: "assistant.delta", text: event.text });
    else if (event.type === "reasoning.delta") hub.publish({ type: "reasoning.delta", text: event.text });
  });
  return Effect.matchEffect(generated, {
    onSuccess: (reply) => Effect.sync(() => received(run, request, model, reply)),
    onFailure: (failure) => Effect.sync(() => failed(run, model, failure)),
  });
};

// Nobody tells what a call cost that was given up: its tokens are estimated, four characters each.
const tooSilent = (
  model: LanguageModel,
  { messages, system }: ModelRequest,
  heard: number,
  silentMillis: number,
): ModelCallFailed =>
  new ModelCallFailed({
    reason: "timeout",
    model: model.id,
    detail: `it said nothing for ${Math.round(silentMillis / 1000)} s`,
    usage: {
      inputTokens: Math.ceil((system.length + JSON.stringify(messages).length) / 4),
      outputTokens: Math.ceil(heard / 4),
    },
  });

const received = (
  run: RunContext,
  request: ModelRequest,
  model: LanguageModel,
  { message: said, stopReason, usage }: ModelReply,
): TurnEvent => {
  run.silence.end();
  const message = withUniqueIds(said);
  const cost = spentOn(model, usage);
  run.hub.publish({ type: "assistant.end", message, usage, ...cost });
  const claim =
    request.toolChoice === "none" || toolCallsOf(message).length > 0
      ? undefined
      : claimedCall(run.conversation.begunText + textOf(message), {
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
): TurnEvent => {
  run.silence.end();
  return {
    type: "model.failed",
    reason,
    detail,
    model: model.id,
    at: run.now(),
    // A wish without end is written down as a number, so that a replay decides as was decided here.
    ...(retryAfterMillis === undefined
      ? {}
      : { retryAfterMillis: Math.min(retryAfterMillis, Number.MAX_SAFE_INTEGER) }),
    ...(usage === undefined ? {} : { usage, ...spentOn(model, usage) }),
  };
};

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
