import { addUsage, type OutcomeFlag, textOf, toolCallsOf } from "@kumiko/plugin-api";
import { isGuiTool } from "./IterationCap.ts";
import { joinContinuation } from "./joinContinuation.ts";
import { judgeFailure, judgeReply } from "./judgeReply.ts";
import { isSameModel } from "./modelsFor.ts";
import type { Trouble, TurnContext, TurnEvent } from "./TurnTypes.ts";

/*
 * What an event makes of the context of a turn: pure, one function a step. Each gives the fields that change.
 */

type Change = Partial<TurnContext>;
type Step = (args: { readonly context: TurnContext; readonly event: TurnEvent }) => Change;

/** None: the last model call gave an answer, or calls. One object for all turns: most of them never know another. */
export const noTrouble: Trouble = {
  attempt: 0,
  notBefore: null,
  lastFailure: null,
  followUp: null,
  continuations: 0,
  corrections: 0,
  empties: 0,
};

const none: ReadonlyArray<never> = [];
const emptyReply = { reason: "bad-response", detail: "the model gave an empty reply twice" } as const;

/** Results in a row whose arguments do not fit in the same way; then the run is stopped. */
export const maxMisfits = 3;

/** The answer, or as much of it as there is. */
export const takeReply: Step = ({ context, event }) => ({
  spent: spentWith(context, event),
  text: textAfter(context, event),
  trouble: noTrouble,
});

/** A reply that goes on with calls. */
export const takeCalls: Step = ({ context, event }) => {
  const calls = event.type === "reply.received" ? toolCallsOf(event.message) : none;
  return {
    spent: spentWith(context, event),
    text: textAfter(context, event),
    trouble: noTrouble,
    callIds: calls.map(({ id }) => id),
    checkpoint: context.checkpoint === "open" ? "past" : context.checkpoint,
    usesGui: context.usesGui || calls.some(({ name }) => isGuiTool(name)),
  };
};

/** The summary that ends a run; what was said before is none. */
export const takeSummary: Step = ({ context, event }) => {
  const text = event.type === "reply.received" ? textOf(event.message) : "";
  return {
    spent: spentWith(context, event),
    flags: flagsOf(context, event),
    ...(text.trim() === ""
      ? { reason: `${context.reason ?? ""}; the closing summary failed: it was empty` }
      : { text }),
  };
};

/** Every reply costs, and shows that the model can be reached. */
export const countReply: Step = ({ context, event }) => ({
  spent: spentWith(context, event),
  trouble: { ...context.trouble, attempt: 0, notBefore: null },
});

/** Of a reply that is no answer, only what is to be continued is worth keeping. */
export const beginFollowUp: Step = ({ context, event }) => {
  const verdict = event.type === "reply.received" ? judgeReply(context, event) : undefined;
  if (verdict?.type !== "followUp") return {};
  const { followUp } = verdict;
  const { kind } = followUp;
  const { continuations, corrections, empties } = context.trouble;
  return {
    spent: spentWith(context, event),
    trouble: {
      ...noTrouble,
      followUp,
      continuations: continuations + (kind === "continue" ? 1 : 0),
      corrections: corrections + (kind === "correct" ? 1 : 0),
      empties: empties + (kind === "again" ? 1 : 0),
    },
    // An empty reply is repeated: that is the same iteration.
    iteration: context.iteration + (kind === "again" ? 0 : 1),
    ...(kind === "continue" || kind === "goOn" ? { text: textAfter(context, event) } : {}),
    ...(kind === "goOn" ? { checkpoint: "past" as const } : {}),
  };
};

/** The model is asked where it stands, with the next call. */
export const beginCheckpoint: Step = ({ context }) => ({
  checkpoint: "open",
  iteration: context.iteration + 1,
  trouble: { ...noTrouble, followUp: { kind: "checkpoint" } },
});

export const countFailure: Step = ({ context, event }) => {
  if (event.type !== "model.failed") return {};
  const recovery = judgeFailure(context, event);
  const { detail, reason } = event;
  return {
    spent: event.usage === undefined ? context.spent : spentWith(context, event),
    trouble: {
      ...context.trouble,
      attempt: context.trouble.attempt + 1,
      notBefore: recovery.type === "retry" ? recovery.notBefore : null,
      lastFailure: { reason, detail, model: context.model },
    },
  };
};

export const switchModel: Step = ({ context, event }) => {
  const next =
    event.type === "model.failed"
      ? judgeFailure(context, event)
      : event.type === "reply.received"
        ? judgeReply(context, event)
        : undefined;
  if (next?.type !== "switch") return {};
  const { detail, reason } = event.type === "model.failed" ? event : emptyReply;
  return {
    model: next.model,
    trouble: { ...context.trouble, empties: 0, lastFailure: { reason, detail, model: context.model } },
  };
};

/** It is another model's turn: it has not failed yet. What failed last stays known: the call is the same one. */
export const forgetFailures: Step = ({ context }) => ({
  trouble: { ...context.trouble, attempt: 0, notBefore: null },
});

/** Those of this process: the same one as before if it is among them, else the first, without its past. */
export const takeModels: Step = ({ context, event }) => {
  if (event.type !== "run.resumed" || event.models === undefined || event.models.length === 0) return {};
  const { models } = event;
  const model = models.findIndex((other) => isSameModel(other, context.models[context.model]));
  return model >= 0
    ? { models, model }
    : {
        models,
        model: 0,
        trouble: { ...context.trouble, attempt: 0, notBefore: null },
      };
};

export const takeResults: Step = ({ context, event }) => ({
  misfit: misfitAfter(context, event),
  wasRefused: event.type === "results.recorded" && event.refusals > 0,
});

/** The latest arguments that did not fit, counted. */
export const misfitAfter = ({ misfit }: TurnContext, event: TurnEvent): TurnContext["misfit"] => {
  const found = event.type === "results.recorded" ? (event.misfits ?? none) : none;
  const [first] = found;
  if (misfit !== null && found.includes(misfit.what)) return { what: misfit.what, count: misfit.count + 1 };
  return first === undefined ? null : { what: first, count: 1 };
};

/** What to know of the answer that the event gives, or ends. */
export const flagsOf = ({ trouble }: TurnContext, event: TurnEvent): ReadonlyArray<OutcomeFlag> => {
  if (event.type !== "reply.received") return none;
  if (event.stopReason === "refusal") return ["refused"];
  // A continuation that says nothing leaves the cut where it was.
  const isCut =
    event.stopReason === "length" || (trouble.followUp?.kind === "continue" && textOf(event.message).trim() === "");
  const cut: ReadonlyArray<OutcomeFlag> = isCut ? ["truncated"] : none;
  return event.claim === undefined ? cut : [...cut, "unverified"];
};

/** The best text there is, with the event's: a continuation is joined to what it continues. */
const textAfter = ({ text, trouble }: TurnContext, event: TurnEvent): string => {
  if (event.type !== "reply.received") return text;
  const said = textOf(event.message);
  return trouble.followUp?.kind === "continue" ? joinContinuation(text, said) : said || text;
};

const spentWith = ({ spent }: TurnContext, event: TurnEvent): TurnContext["spent"] => {
  const usage = "usage" in event ? event.usage : undefined;
  const costUsd = "costUsd" in event ? event.costUsd : undefined;
  return {
    usage: usage === undefined ? spent.usage : addUsage(spent.usage, usage),
    costUsd: costUsd === undefined ? spent.costUsd : (spent.costUsd ?? 0) + costUsd,
    isPartial: spent.isPartial || costUsd === undefined,
  };
};

/** Whether a reply is judged so. */
export const verdictIs = (
  type: ReturnType<typeof judgeReply>["type"],
  context: TurnContext,
  event: TurnEvent,
): boolean => event.type === "reply.received" && judgeReply(context, event).type === type;

/** Whether this is what to do about a failed call. */
export const recoveryIs = (
  type: ReturnType<typeof judgeFailure>["type"],
  context: TurnContext,
  event: TurnEvent,
): boolean => event.type === "model.failed" && judgeFailure(context, event).type === type;

/** Whether whoever takes the run over can ask the model it was at. */
export const isStillThere = ({ model, models }: TurnContext, event: TurnEvent): boolean =>
  event.type === "run.resumed" &&
  (event.models === undefined || event.models.some((other) => isSameModel(other, models[model])));
