import type {
  AssistantMessage,
  KnownFile,
  ModelFailureReason,
  OutcomeFlag,
  RunStatus,
  StopReason,
  ToolMessage,
  Usage,
} from "@kumiko/plugin-api";
import type { ClaimedCall } from "./claimedCall.ts";
import type { ModelRef, RetryPolicy } from "./ModelRecovery.ts";

export interface TurnInput {
  readonly runId: string;
  /** Model calls with tools, at most; `gui` applies once a tool of the GUI class was proposed. */
  readonly maxIterations: { readonly standard: number; readonly gui: number };
  /** The models it may ask, in order. Absent: one, unnamed. */
  readonly models?: ReadonlyArray<ModelRef>;
  /** Absent: `defaultRetryPolicy`. */
  readonly retry?: RetryPolicy;
}

/**
 * Why a reply was no answer and what the model is asked instead. `continue`: it was cut at the output limit; `correct`: it
 * claims a call that was not made; `again`: it is empty. `checkpoint`: results are in, and the model is asked where it
 * stands; `goOn`: it has said so, which is no answer to the task.
 */
export type FollowUp =
  | { readonly kind: "checkpoint" }
  | { readonly kind: "goOn" }
  | { readonly kind: "continue" }
  | { readonly kind: "again" }
  | { readonly kind: "correct"; readonly claim: ClaimedCall };

/** What is wrong with the latest model calls. */
export interface Trouble {
  /** Model calls in a row that failed. */
  readonly attempt: number;
  /** When the next attempt may begin, in milliseconds since 1970. */
  readonly notBefore: number | null;
  readonly lastFailure: { readonly reason: ModelFailureReason; readonly detail: string; readonly model: number } | null;
  /** The last reply was no answer. */
  readonly followUp: FollowUp | null;
  /** Follow-ups in a row, by kind. */
  readonly continuations: number;
  readonly corrections: number;
  readonly empties: number;
}

export interface TurnContext {
  readonly runId: string;
  readonly maxIterations: { readonly standard: number; readonly gui: number };
  readonly models: ReadonlyArray<ModelRef>;
  readonly retry: RetryPolicy;
  /** Model calls made with tools on offer; one that failed and is repeated counts once. */
  readonly iteration: number;
  /** Index of the model that is asked. */
  readonly model: number;
  readonly trouble: Trouble;
  /** Whether the model has been asked where it stands; `open`: it has not replied yet. */
  readonly checkpoint: "ahead" | "open" | "past";
  /** The latest arguments that did not fit, and how often in a row. */
  readonly misfit: { readonly what: string; readonly count: number } | null;
  readonly usesGui: boolean;
  /** The last results held a refusal: a final answer now means that the run ended because of it. */
  readonly wasRefused: boolean;
  readonly status: RunStatus;
  /** The latest text of the model: the answer, or the best there is. */
  readonly text: string;
  readonly flags: ReadonlyArray<OutcomeFlag>;
  readonly reason: string | null;
  readonly spent: {
    readonly usage: Usage;
    /** US dollars, of the calls whose price is known; null: of none. */
    readonly costUsd: number | null;
    /** There were calls whose price is not known. */
    readonly isPartial: boolean;
  };
  /** Messages that came on the way and that the model has not been shown yet, by their ids. */
  readonly steering: ReadonlyArray<string>;
  readonly isPaused: boolean;
  /** The calls of the last reply. */
  readonly callIds: ReadonlyArray<string>;
}

/** What the plugins made of the results: the gravest of their verdicts. */
export type Steering =
  | { readonly type: "continue" }
  | { readonly type: "nudge"; readonly text: string }
  | { readonly type: "forceStop"; readonly reason: string };

/** What a model call cost, and which model it was. */
type Spent = {
  readonly model?: string;
  /** Absent: the price is not known. */
  readonly costUsd?: number;
};

export type TurnEvent =
  | { readonly type: "prompt.built" }
  | (Spent & {
      readonly type: "reply.received";
      readonly message: AssistantMessage;
      readonly stopReason: StopReason;
      readonly usage: Usage;
      /** It claims a call, and makes none. */
      readonly claim?: ClaimedCall;
    })
  | (Spent & {
      readonly type: "model.failed";
      readonly reason: ModelFailureReason;
      readonly detail: string;
      /** Milliseconds since 1970. */
      readonly at?: number;
      readonly retryAfterMillis?: number;
      readonly usage?: Usage;
    })
  /** The time of the next attempt has come. */
  | { readonly type: "backOff.over" }
  /** The model is to be told `text` with the next call; it is no message of the user's. */
  | { readonly type: "followUp.added"; readonly kind: FollowUp["kind"]; readonly text: string }
  | { readonly type: "question.opened"; readonly questionId: string }
  | { readonly type: "question.answered"; readonly questionId: string }
  | { readonly type: "calls.admitted"; readonly admitted: ReadonlyArray<string> }
  | { readonly type: "calls.settled" }
  | {
      readonly type: "results.recorded";
      readonly message: ToolMessage;
      readonly refusals: number;
      readonly steering: Steering;
      /** Of each call whose arguments did not fit: the tool and what was wrong, equal for equal mistakes. */
      readonly misfits?: ReadonlyArray<string>;
      /** Contents the calls saw or wrote: what the session knows of files. */
      readonly files?: ReadonlyArray<KnownFile>;
    }
  /** The messages were put into the conversation. */
  | { readonly type: "steering.injected"; readonly messageIds: ReadonlyArray<string> }
  | { readonly type: "message.steered"; readonly messageId: string }
  | { readonly type: "run.paused" }
  | { readonly type: "run.unpaused" }
  /**
   * Another process (or a later opening of the session) takes the run over where its events end. `models`: those that it
   * may ask now.
   */
  | { readonly type: "run.resumed"; readonly models?: ReadonlyArray<ModelRef> }
  | { readonly type: "run.aborted"; readonly reason: string };

export type TurnIntent =
  | { readonly type: "intent.buildPrompt" }
  /** `model` is the index of the one to ask; absent: the first. */
  | { readonly type: "intent.callModel"; readonly iteration: number; readonly model?: number }
  | { readonly type: "intent.callModelForSummary"; readonly reason: string; readonly model?: number }
  | {
      readonly type: "intent.backOff";
      readonly notBefore: number;
      readonly attempt: number;
      readonly model: number;
      readonly reason: ModelFailureReason;
      readonly detail: string;
    }
  | {
      readonly type: "intent.announceSwitch";
      readonly from: number;
      readonly to: number;
      readonly attempt: number;
      readonly reason: ModelFailureReason;
      readonly detail: string;
    }
  | { readonly type: "intent.followUp"; readonly followUp: FollowUp }
  | { readonly type: "intent.admitCalls"; readonly callIds: ReadonlyArray<string> }
  | { readonly type: "intent.executeCalls"; readonly callIds: ReadonlyArray<string> }
  | { readonly type: "intent.recordResults" }
  | { readonly type: "intent.awaitUnpause" }
  | { readonly type: "intent.injectSteering"; readonly messageIds: ReadonlyArray<string> }
  | { readonly type: "intent.cancel"; readonly key: string };
