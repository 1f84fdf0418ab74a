import type { ModelFailureReason } from "@kumiko/plugin-api";
import { errorBody, errorEvent, errorFrame, overflowAnswers } from "./errorBodies.ts";
import type { Fault } from "./Fault.ts";
import type { Frame } from "./Frame.ts";
import { type WireFormat, wireFormats } from "./ReplyScript.ts";

const json = { "content-type": "application/json" };

const status = (code: number, does: string, type: string, ...failures: ReadonlyArray<ModelFailureReason>): Fault => ({
  does: `answers ${code}: ${does}`,
  answer: (wire) => ({ status: code, headers: json, body: errorBody(wire, type, `${does} (key {key})`) }),
  expected: { failures },
});

const limited = (headers: Readonly<Record<string, string>>, does: string, retryAfterMillis: number): Fault => ({
  does: `answers 429 and names the wait ${does}`,
  answer: (wire) => ({
    status: 429,
    headers: { ...json, ...headers },
    body: errorBody(wire, "rate_limit_error", "too many requests"),
  }),
  expected: { failures: ["rate-limit"], retryAfterMillis },
});

const page = "<!DOCTYPE html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>";

/** The frames up to the first text, then an error. */
const errorAfterText = (frames: ReadonlyArray<Frame>, error: Frame): ReadonlyArray<Frame> => [
  ...frames.slice(0, frames.findIndex(({ place }) => place === "call-start" || place === "finish") + 1 || 1),
  error,
];

const inStream = (
  does: string,
  codes: Readonly<Record<WireFormat, string>>,
  ...failures: ReadonlyArray<ModelFailureReason>
): Fault => ({
  does: `tells within a stream of status 200: ${does}`,
  frames: (frames, wire) => errorAfterText(frames, errorFrame(wire, codes[wire], `${does} (key {key})`)),
  expected: { failures },
});

const overflows: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(overflowAnswers).map(([name, said]): [string, Fault] => [
    name,
    {
      does: "says in its own words that the conversation is too long",
      wires: wireFormats.filter((wire) => said[wire] !== undefined),
      answer: (wire) => ({ headers: json, ...(said[wire] ?? { status: 400, body: "" }) }),
      expected: { failures: ["context-overflow"] },
    },
  ]),
);

/** Every answer that is no reply: statuses, pages, errors that come within a stream. */
export const answerFaults: Readonly<Record<string, Fault>> = {
  "status-400": status(400, "the request is wrong", "invalid_request_error", "bad-request"),
  "status-401": status(401, "the key is wrong", "authentication_error", "auth"),
  "status-402": status(402, "the account is empty", "billing_error", "auth"),
  "status-403": status(403, "the key may not do this", "permission_error", "auth"),
  "status-404": status(404, "there is no such model", "not_found_error", "not-found"),
  "status-408": status(408, "the request took too long", "timeout_error", "timeout"),
  "status-413": status(413, "the request is too large", "request_too_large", "context-overflow"),
  "status-429": status(429, "too many requests", "rate_limit_error", "rate-limit"),
  "retry-after-seconds": limited({ "retry-after": "7" }, "in seconds", 7_000),
  "retry-after-date": limited(
    { date: "Mon, 30 Nov 2026 10:00:00 GMT", "retry-after": "Mon, 30 Nov 2026 10:00:09 GMT" },
    "as a date",
    9_000,
  ),
  "retry-after-millis": limited({ "retry-after-ms": "1234", "retry-after": "2" }, "in milliseconds", 1_234),
  "status-500": status(500, "something broke", "api_error", "server"),
  "status-502": status(502, "a bad gateway", "api_error", "server"),
  "status-503": status(503, "come back later", "api_error", "overloaded"),
  "status-504": status(504, "the gateway waited too long", "timeout_error", "server", "timeout"),
  "status-529": status(529, "too much to do", "overloaded_error", "overloaded"),
  "html-error": {
    does: "answers 502 with a page for people",
    answer: () => ({ status: 502, headers: { "content-type": "text/html" }, body: page }),
    expected: { failures: ["server"] },
  },
  "html-success": {
    does: "answers 200 with a page for people, as captive portals do",
    answer: () => ({ status: 200, headers: { "content-type": "text/html" }, body: page }),
    expected: { failures: ["bad-response"] },
  },
  "json-success": {
    does: "answers 200 with one JSON object although a stream was asked for",
    answer: () => ({ status: 200, headers: json, body: '{"id":"x","choices":[]}' }),
    expected: { failures: ["bad-response"] },
  },
  redirect: {
    does: "sends the client elsewhere, where no key may go",
    answer: () => ({ status: 307, headers: { location: "https://elsewhere.invalid/v1" }, body: "" }),
    expected: { failures: ["bad-request"] },
  },
  "error-in-stream": inStream(
    "something broke",
    { anthropic: "api_error", chat: "server_error", responses: "server_error" },
    "server",
  ),
  "overload-in-stream": inStream(
    "too much to do",
    { anthropic: "overloaded_error", chat: "overloaded", responses: "server_is_overloaded" },
    "overloaded",
  ),
  "limit-in-stream": inStream(
    "too many requests",
    { anthropic: "rate_limit_error", chat: "rate_limit_exceeded", responses: "rate_limit_exceeded" },
    "rate-limit",
  ),
  "overflow-in-stream": inStream(
    "the prompt is too long: it exceeds the context window",
    { anthropic: "invalid_request_error", chat: "context_length_exceeded", responses: "context_length_exceeded" },
    "context-overflow",
  ),
  "error-event": {
    does: "tells of an error by an event of its own",
    wires: ["responses"],
    frames: (frames) => errorAfterText(frames, errorEvent("server_error", "something broke (key {key})")),
    expected: { failures: ["server"] },
  },
  ...overflows,
};
