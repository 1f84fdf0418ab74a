import { textOf, toolCallsOf } from "@kumiko/plugin-api";
import type { FollowUp, TurnContext, TurnEvent } from "./TurnTypes.ts";
import { iterationCapOf } from "./IterationCap.ts";
import { type ModelRecovery, nextModel, recoverFrom } from "./ModelRecovery.ts";

/** Continuations of a reply that the output limit cut; then it is returned as far as it goes. */
const maxContinuations = 3;
/** Corrections in a row of a reply that claims calls; then it is returned, flagged. */
const maxCorrections = 2;
/** Repetitions of a call whose reply was empty. */
const maxEmpties = 1;

type Reply = TurnEvent & { readonly type: "reply.received" };
type Failure = TurnEvent & { readonly type: "model.failed" };

/**
 * What a reply means. `calls`: it calls tools; `followUp`: it is no answer yet; `switch`: it is empty once more, and
 * another model can be asked; `empty`: nobody can; `readOn`: it answers something that has been added to since; `answer`.
 */
export type ReplyVerdict =
  | { readonly type: "calls" | "empty" | "readOn" | "answer" }
  | { readonly type: "followUp"; readonly followUp: FollowUp }
  | { readonly type: "switch"; readonly model: number };

/**
 * Judges a reply by its content; what the provider says of why it stopped counts only where it adds to that. Follow-ups
 * keep within the iteration cap, except for the repetition of an empty reply, which repeats the same iteration.
 */
export const judgeReply = (context: TurnContext, { claim, message, stopReason }: Reply): ReplyVerdict => {
  const { iteration, model, models, steering, trouble } = context;
  const { continuations, corrections, empties, followUp } = trouble;
  const isBelowCap = iteration < iterationCapOf(context);
  if (toolCallsOf(message).length > 0) return { type: "calls" };
  if (textOf(message).trim() === "" && stopReason !== "refusal") {
    // What came before the cut is an answer, if half a one.
    if (followUp?.kind === "continue") return { type: "answer" };
    if (empties < maxEmpties) return { type: "followUp", followUp: { kind: "again" } };
    const next = nextModel({ models, model, reason: "bad-response" });
    return next === undefined ? { type: "empty" } : { type: "switch", model: next };
  }
  if (stopReason === "length" && continuations < maxContinuations && isBelowCap)
    return { type: "followUp", followUp: { kind: "continue" } };
  if (claim !== undefined && corrections < maxCorrections && isBelowCap)
    return { type: "followUp", followUp: { kind: "correct", claim } };
  if (context.checkpoint === "open" && isBelowCap) return { type: "followUp", followUp: { kind: "goOn" } };
  return { type: steering.length > 0 && isBelowCap ? "readOn" : "answer" };
};

/** A run shorter than this has no checkpoint: it would be asked where it stands when it has hardly begun. */
const shortestWithCheckpoint = 10;

/** Whether results of the last iteration end three fifths of the run for the first time. */
export const isCheckpointDue = (context: TurnContext): boolean => {
  const cap = iterationCapOf(context);
  return (
    context.checkpoint === "ahead" && cap >= shortestWithCheckpoint && context.iteration >= Math.floor((cap * 3) / 5)
  );
};

/** What to do about a failed call. One of an earlier version has no time, and is not repeated. */
export const judgeFailure = (context: TurnContext, event: Failure): ModelRecovery =>
  event.at === undefined
    ? { type: "giveUp" }
    : recoverFrom(
        {
          reason: event.reason,
          at: event.at,
          retryAfterMillis: event.retryAfterMillis,
          attempt: context.trouble.attempt + 1,
          models: context.models,
          model: context.model,
          isFirst: context.iteration <= 1,
        },
        context.retry,
      );
