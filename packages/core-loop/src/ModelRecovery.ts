import type { ModelFailureReason } from "@kumiko/plugin-api";

/** One model a run may ask, as its machine knows it. */
export type ModelRef = {
  readonly model: string;
  /** Which account of the provider, where there are several. */
  readonly profile?: string;
  readonly contextWindowTokens?: number;
};

/** How failed model calls are repeated. Nothing is random: a restarted process comes to the same times. */
export type RetryPolicy = {
  /** Before the second attempt; doubled for each one after. Rate limits begin at five times that. */
  readonly baseMillis: number;
  /** The longest wait of our own. */
  readonly maxMillis: number;
  /** The longest wait that a provider may ask for; a longer one counts as having no attempt left. */
  readonly maxRetryAfterMillis: number;
  /** Attempts in a row, the first included, by what went wrong with the last of them; 1: it is not repeated. */
  readonly attempts: Readonly<Record<ModelFailureReason, number>>;
};

/**
 * The default. Ten attempts at a rate limit take 3.5 minutes, eight at an overload 1.5: longer than most disturbances of a
 * provider. What the provider asks for beats both. Timeouts are few, since each has taken minutes already.
 */
export const defaultRetryPolicy: RetryPolicy = {
  baseMillis: 1_000,
  maxMillis: 30_000,
  maxRetryAfterMillis: 3_600_000,
  attempts: {
    "rate-limit": 10,
    overloaded: 8,
    server: 6,
    network: 8,
    timeout: 3,
    "bad-response": 3,
    "context-overflow": 1,
    auth: 1,
    "bad-request": 1,
    "not-found": 1,
  },
};

/** A failed call and where the run stands. */
export interface FailedAttempt {
  readonly reason: ModelFailureReason;
  /** When it failed, in milliseconds since 1970. */
  readonly at: number;
  readonly retryAfterMillis: number | undefined;
  /** How many calls in a row have failed, this one included. */
  readonly attempt: number;
  readonly models: ReadonlyArray<ModelRef>;
  /** Index of the one that failed. */
  readonly model: number;
  /** The run has had no reply yet. */
  readonly isFirst?: boolean;
}

/** A server that was never reached is more likely named wrongly than down for a while: then it is said soon. */
const firstAttempts = 3;

/** What to do about a failed call. */
export type ModelRecovery =
  | { readonly type: "retry"; readonly notBefore: number }
  | { readonly type: "switch"; readonly model: number }
  | { readonly type: "giveUp" };

/**
 * Decides about a failed model call: the same call again after a wait, another account or model, or the end.
 *
 * A wait doubles from attempt to attempt and is never shorter than the provider asks for. When attempts are used up, or
 * none makes sense, the next of `models` is asked. Another account of the same model is taken only where the account may
 * be the cause (`auth`, `rate-limit`), and after a rate limit only one: the limit may be the model's. A context overflow
 * goes to a model that is known to see more, if there is one. Earlier models are not returned to within the run.
 *
 * @example
 * ```ts
 * recoverFrom({ reason: "overloaded", at: 0, retryAfterMillis: 5000, attempt: 1, models: [{ model: "a/b" }], model: 0 }, defaultRetryPolicy)
 * // => { type: "retry", notBefore: 5000 }
 * ```
 */
export const recoverFrom = (failed: FailedAttempt, policy: RetryPolicy): ModelRecovery => {
  const { at, attempt, reason, retryAfterMillis = 0 } = failed;
  if (attempt < attemptsAt(failed, policy) && retryAfterMillis <= policy.maxRetryAfterMillis)
    return { type: "retry", notBefore: at + Math.max(backOffMillis(reason, attempt, policy), retryAfterMillis) };
  const next = nextModel(failed);
  return next === undefined ? { type: "giveUp" } : { type: "switch", model: next };
};

/** Attempts in a row, the first included, that there are for what went wrong. */
export const attemptsAt = (
  { isFirst, reason }: Pick<FailedAttempt, "isFirst" | "reason">,
  { attempts }: RetryPolicy,
): number => (reason === "network" && isFirst === true ? Math.min(attempts[reason], firstAttempts) : attempts[reason]);

/** The next of `models` to ask for a reason that waiting does not cure. */
export const nextModel = ({
  model,
  models,
  reason,
}: Pick<FailedAttempt, "model" | "models" | "reason">): number | undefined => {
  const current = models[model];
  if (current === undefined) return undefined;
  const index = models.findIndex((other, at) => at > model && helps(reason, current, other, models[model - 1]));
  return index < 0 ? undefined : index;
};

const helps = (
  reason: ModelFailureReason,
  failed: ModelRef,
  other: ModelRef,
  before: ModelRef | undefined,
): boolean => {
  if (reason === "context-overflow")
    return (
      failed.contextWindowTokens !== undefined &&
      other.contextWindowTokens !== undefined &&
      other.contextWindowTokens > failed.contextWindowTokens
    );
  if (other.model !== failed.model) return true;
  return reason === "auth" || (reason === "rate-limit" && before?.model !== failed.model);
};

const backOffMillis = (reason: ModelFailureReason, attempt: number, policy: RetryPolicy): number => {
  const base = reason === "rate-limit" ? policy.baseMillis * 5 : policy.baseMillis;
  return Math.min(policy.maxMillis, base * 2 ** (attempt - 1));
};
