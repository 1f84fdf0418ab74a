import { isJsonObject, type JsonObject, type ModelFailureReason } from "@kumiko/plugin-api";

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
  const reason = reasonOf(status, said);
  const retryAfterMillis = reason === "auth" ? undefined : retryAfterOf(headers);
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
  if (status !== undefined) return { reason: reasonOf(status, said), detail, status };
  return { reason: reasonOfWords(said) ?? "server", detail };
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

interface Said {
  readonly text: string;
  /** The provider's own names for the error: its `code` and `type`. */
  readonly code: string;
}

const saidIn = (body: string): Said => {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) ? saidBy(value["error"] ?? value["detail"] ?? value) : { text: body, code: "" };
  } catch {
    return { text: body.trimStart().startsWith("<") ? body.replace(/<[^<>]{0,1000}>/g, " ") : body, code: "" };
  }
};

const saidBy = (error: unknown): Said => {
  if (typeof error === "string") return { text: error, code: "" };
  if (!isJsonObject(error))
    return { text: error === undefined || error === null ? "" : JSON.stringify(error), code: "" };
  const message = error["message"];
  return {
    text: typeof message === "string" ? message : JSON.stringify(error),
    code: `${textIn(error, "code")} ${textIn(error, "type")}`,
  };
};

const textIn = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === "string" ? value : "";
};

const overflow =
  /context_length_exceeded|exceed_context_size|context (?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens|reduce the length/i;

const reasonOf = (status: number, said: Said): CallProblem["reason"] => {
  const known = statusReasons.get(status);
  // An exhausted account is answered with 429 as well, but no waiting helps.
  if (status === 429 && /insufficient_quota|billing/i.test(said.code)) return "auth";
  if (known !== undefined) return known;
  if (status >= 500) return "server";
  return reasonOfWords(said) ?? "bad-request";
};

const statusReasons: ReadonlyMap<number, CallProblem["reason"]> = new Map([
  [401, "auth"],
  [402, "auth"],
  [403, "auth"],
  [404, "not-found"],
  [408, "timeout"],
  [413, "context-overflow"],
  [429, "rate-limit"],
  [503, "overloaded"],
  [529, "overloaded"],
]);

const reasonOfWords = ({ text, code }: Said): CallProblem["reason"] | undefined => {
  if (overflow.test(code) || overflow.test(text.slice(0, maxDetail * 2))) return "context-overflow";
  if (/rate_limit/i.test(code)) return "rate-limit";
  if (/overloaded/i.test(code)) return "overloaded";
  if (/invalid_api_key|authentication|permission/i.test(code)) return "auth";
  return undefined;
};

// A date is measured against the response's own date, so that no clock is needed and clocks may differ.
const retryAfterOf = (headers: FailureHeaders): number | undefined => {
  const millis = Number(headers.retryAfterMillis ?? Number.NaN);
  if (Number.isFinite(millis) && millis >= 0) return millis;
  const wish = headers.retryAfter?.trim();
  if (wish === undefined || wish === "") return undefined;
  const seconds = Number(wish);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const wait = Date.parse(wish) - Date.parse(headers.date ?? "");
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
};
