import { isJsonObject, type ModelFailureReason } from "@kumiko/plugin-api";
import { reasonOfStatus, reasonOfWords, type Said } from "./failureReason.ts";
import { objectIn, textIn } from "./internal/wireJson.ts";

/** Why a call gave no reply, before the model's id is put to it and secrets are taken out. */
export interface CallProblem {
  readonly reason: ModelFailureReason;
  readonly detail: string;
  readonly status?: number;
  readonly retryAfterMillis?: number;
}

/** The headers of a response that decide what its failure means. */
export interface FailureHeaders {
  readonly retryAfter?: string;
  readonly retryAfterMillis?: string;
  readonly date?: string;
  readonly location?: string;
}

/** Longest `detail`, in characters: what providers say fits, a page of HTML is cut. */
const maxDetail = 600;

/** The problem of a response whose status is not 2xx. `body` is its text, possibly cut. */
export const problemOfStatus = (status: number, body: string, headers: FailureHeaders = {}): CallProblem => {
  const said = saidIn(body);
  const reason = reasonOfStatus(status, said);
  const retryAfterMillis = reason === "auth" ? undefined : (retryAfterOf(headers) ?? waitIn(reason, body));
  const elsewhere =
    status >= 300 && status < 400
      ? `the server redirects to ${headers.location ?? "another address"}: use that as the base URL`
      : "";
  return {
    reason,
    detail: tidy([elsewhere, said.text].filter((text) => text !== "").join("; ") || "the server gave no reason"),
    status,
    ...(retryAfterMillis === undefined ? {} : { retryAfterMillis }),
  };
};

/** The problem of an error object that came inside a stream or with status 200. */
export const problemOfError = (error: unknown): CallProblem => {
  const said = saidBy(error);
  const code = isJsonObject(error) ? error["code"] : undefined;
  const status = typeof code === "number" && Number.isInteger(code) && code >= 400 && code < 600 ? code : undefined;
  const detail = tidy(said.text || "the server reported an error without a reason");
  const reason = status === undefined ? (reasonOfWords(said) ?? "server") : reasonOfStatus(status, said);
  const wait = waitIn(reason, said.text);
  return {
    reason,
    detail,
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMillis: wait }),
  };
};

/** A text fit for a log or a terminal: no control characters, white space collapsed, at most 600 characters. */
export const tidy = (text: string): string => {
  // Twice the length is enough to collapse and cut; a hostile body may be long.
  const clean = text
    .slice(0, maxDetail * 2)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return clean.length > maxDetail ? `${clean.slice(0, maxDetail)} …` : clean;
};

const saidIn = (body: string): Said => {
  try {
    const value: unknown = JSON.parse(body);
    // Google wraps its errors into a list.
    const told: unknown = Array.isArray(value) ? value[0] : value;
    return isJsonObject(told) ? saidBy(told["error"] ?? told["detail"] ?? told) : { text: body, code: "" };
  } catch {
    return { text: body.trimStart().startsWith("<") ? body.replace(/<[^<>]{0,1000}>/g, " ") : body, code: "" };
  }
};

const saidBy = (error: unknown): Said => {
  if (typeof error === "string") return { text: error, code: "" };
  if (!isJsonObject(error)) return { text: error === undefined || error === null ? "" : shown(error), code: "" };
  const message = error["message"];
  // A router says little itself; what the provider behind it said is in the raw text.
  const raw = textIn(objectIn(error, "metadata"), "raw");
  return {
    text: typeof message === "string" ? `${message}${raw === "" ? "" : `: ${raw}`}` : shown(error),
    code: `${textIn(error, "code")} ${textIn(error, "type")} ${textIn(error, "status")}`,
  };
};

// What is thrown or sent may be anything: circular, nested without end, no JSON at all.
const shown = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "an error that cannot be shown";
  }
};

// A date is measured against the response's own date, so that no clock is needed and clocks may differ.
const retryAfterOf = (headers: FailureHeaders): number | undefined => {
  const millis = headers.retryAfterMillis?.trim() ?? "";
  if (millis !== "" && Number(millis) >= 0) return bounded(Number(millis));
  const wish = headers.retryAfter?.trim();
  if (wish === undefined || wish === "") return undefined;
  const seconds = Number(wish);
  if (!Number.isNaN(seconds)) return seconds >= 0 ? bounded(seconds * 1000) : undefined;
  const wait = Date.parse(wish) - Date.parse(headers.date ?? "");
  return Number.isFinite(wait) && wait >= 0 ? bounded(wait) : undefined;
};

/** A month: whoever wants more wants no more calls. */
const longestWaitMillis = 30 * 86_400_000;

const bounded = (millis: number): number => Math.min(Math.round(millis), longestWaitMillis);

// Where no header says it: "Please try again in 1m6.5s", "in 20ms", and Google's `"retryDelay": "34s"`.
const waitIn = (reason: ModelFailureReason, text: string): number | undefined => {
  if (reason !== "rate-limit" && reason !== "overloaded") return undefined;
  const found = /(?:try again in |"retryDelay":\s*")(?:(\d{1,4})m(?!s))?(?:(\d{1,6}(?:\.\d{1,9})?)(ms|s))?/i.exec(text);
  if (found === null) return undefined;
  const [, minutes = "0", amount = "0", unit = "s"] = found;
  const millis = Number(minutes) * 60_000 + Number(amount) * (unit.toLowerCase() === "ms" ? 1 : 1000);
  return millis > 0 ? bounded(Math.ceil(millis)) : undefined;
};
