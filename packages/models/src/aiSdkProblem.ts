import { isJsonObject, type ModelFailureReason } from "@kumiko/plugin-api";
import { type CallProblem, type FailureHeaders, problemOfError, problemOfStatus, tidy } from "./CallProblem.ts";
import { reasonOfWords } from "./failureReason.ts";
import { objectIn, textIn } from "./internal/wireJson.ts";

/** The problem that an AI SDK model threw or streamed: an `APICallError` by its status, others by their names. */
export const aiSdkProblem = (error: unknown): CallProblem => {
  if (!(error instanceof Error)) return problemOfError(error);
  const { isRetryable, responseBody, responseHeaders, statusCode } = fieldsOf(error);
  if (statusCode !== undefined) {
    const problem = problemOfStatus(statusCode, responseBody ?? error.message, headersOf(responseHeaders));
    // The adapter may know better that waiting helps.
    return isRetryable === true && problem.reason === "bad-request" ? { ...problem, reason: "server" } : problem;
  }
  const detail = tidy(error.message || error.name);
  const known = reasonsByName.get(error.name);
  if (known !== undefined) return { reason: known, detail };
  const code = codeOf(error);
  if (/TIMEOUT|TIMEDOUT/i.test(code) || error.name === "TimeoutError") return { reason: "timeout", detail };
  const words = reasonOfWords({ text: error.message, code });
  return { reason: words ?? (isRetryable === false && code === "" ? "bad-request" : "network"), detail };
};

interface ErrorFields {
  readonly statusCode?: number;
  readonly isRetryable?: boolean;
  readonly responseBody?: string;
  readonly responseHeaders?: unknown;
}

const fieldsOf = (error: Error): ErrorFields => ({
  ...("statusCode" in error && typeof error.statusCode === "number" ? { statusCode: error.statusCode } : {}),
  ...("isRetryable" in error && typeof error.isRetryable === "boolean" ? { isRetryable: error.isRetryable } : {}),
  ...("responseBody" in error && typeof error.responseBody === "string" && error.responseBody !== ""
    ? { responseBody: error.responseBody }
    : {}),
  ...("responseHeaders" in error ? { responseHeaders: error.responseHeaders } : {}),
});

const headersOf = (headers: unknown): FailureHeaders => {
  const all = objectIn(isJsonObject(headers) ? { headers } : {}, "headers");
  const [retryAfter, retryAfterMillis, date] = ["retry-after", "retry-after-ms", "date"].map((name) =>
    headers instanceof Headers ? headers.get(name) : textIn(all, name),
  );
  return {
    ...(retryAfter ? { retryAfter } : {}),
    ...(retryAfterMillis ? { retryAfterMillis } : {}),
    ...(date ? { date } : {}),
  };
};

const reasonsByName: ReadonlyMap<string, ModelFailureReason> = new Map([
  ["AI_LoadAPIKeyError", "auth"],
  ["AI_LoadSettingError", "bad-request"],
  ["AI_NoSuchModelError", "not-found"],
  ["AI_InvalidArgumentError", "bad-request"],
  ["AI_InvalidPromptError", "bad-request"],
  ["AI_TooManyEmbeddingValuesForCallError", "bad-request"],
  ["AI_UnsupportedFunctionalityError", "bad-request"],
  ["AI_EmptyResponseBodyError", "bad-response"],
  ["AI_InvalidResponseDataError", "bad-response"],
  ["AI_JSONParseError", "bad-response"],
  ["AI_NoContentGeneratedError", "bad-response"],
  ["AI_TypeValidationError", "bad-response"],
]);

/** Causes that are looked at; one may be its own. */
const mostCauses = 8;

const codeOf = (error: Error, depth = 0): string => {
  if ("code" in error && typeof error.code === "string") return error.code;
  return error.cause instanceof Error && depth < mostCauses ? codeOf(error.cause, depth + 1) : "";
};
