import type { ModelFailureReason, RunEvent } from "@kumiko/plugin-api";
import { durationWords } from "./usage/usageWords.ts";

export type ModelFailed = RunEvent & { readonly type: "model.failed" };

/** What went wrong with a model call, in two or three words. */
const failureWords: Readonly<Record<ModelFailureReason, string>> = {
  "rate-limit": "rate limited",
  overloaded: "overloaded",
  timeout: "it took too long",
  network: "it cannot be reached",
  "context-overflow": "the conversation is too long for it",
  auth: "it does not take the key",
  "bad-request": "it does not take the request",
  "not-found": "there is no such model",
  "bad-response": "its reply could not be read",
  server: "it failed inside",
};

/** `a/one: rate limited, next attempt in 12 s (2 of 10)`; undefined where it is not tried again, or the time has come. */
export const waitWords = (
  { attempt, attempts, model, reason, retryAt }: ModelFailed,
  now: number,
): string | undefined => {
  if (retryAt === undefined || retryAt <= now) return undefined;
  const which = `${attempt + 1}${attempts === undefined ? "" : ` of ${attempts}`}`;
  const seconds = Math.ceil((retryAt - now) / 1000) * 1000;
  return `${model}: ${failureWords[reason]}, next attempt in ${wholeSeconds(seconds)} (${which})`;
};

// A countdown has no tenths.
const wholeSeconds = (millis: number): string => (millis < 10_000 ? `${millis / 1000} s` : durationWords(millis));

export const switchWords = ({ from, reason, to }: RunEvent & { readonly type: "model.switched" }): string =>
  `asking ${to} instead of ${from}: ${reason}`;

export const followUpWords = ({ kind, reason }: RunEvent & { readonly type: "loop.followUp" }): string =>
  `${reason}: ${kind === "continue" ? "it goes on" : "the model is asked again"}`;

export const silenceWords = (model: string, silentMillis: number): string =>
  `${model} has said nothing for ${Math.round(silentMillis / 1000)} s`;
