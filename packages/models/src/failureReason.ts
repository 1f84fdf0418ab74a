import type { ModelFailureReason } from "@kumiko/plugin-api";

/** What a provider says of a failure. */
export interface Said {
  readonly text: string;
  /** The provider's own names for the error: its `code`, `type` and `status`. */
  readonly code: string;
}

type Words = readonly [reason: ModelFailureReason, code: RegExp, text?: RegExp];

/** Of a text only its beginning is looked at; a hostile one may be long. */
const maxText = 1200;

// An exhausted account comes with many a status, and no waiting helps. Google says "check your billing" of a passing
// limit too, so that does not count.
const exhausted: Words = [
  "auth",
  /insufficient_quota|billing|insufficient_(?:credits|balance|funds)/i,
  /credit balance is too low|insufficient (?:credits|balance|funds)|out of credits/i,
];

const overflow: Words = [
  "context-overflow",
  /context_length_exceeded|exceed_context_size|request_too_large|context_window/i,
  new RegExp(
    [
      "context (?:length|window|size|limit)|context the overflows|maximum context",
      "prompt is too long|prompt too long|input is too long|maximum (?:prompt|model) length|longer than the maximum",
      "too many (?:input )?tokens|reduce the length|input token count|exceeds the maximum number of (?:input )?tokens",
      "tokens \\+ `max_new_tokens`",
    ].join("|"),
    "i",
  ),
];

// The first that fits counts; general ones come last.
const others: ReadonlyArray<Words> = [
  ["rate-limit", /rate_?limit|too_many_requests|throttl|resource_exhausted/i, /rate limit|too many requests/i],
  [
    "overloaded",
    /overloaded|slow_down|unavailable/i,
    /overloaded|(?:at|over|exceeds) capacity|temporarily unavailable/i,
  ],
  ["timeout", /timeout|deadline_exceeded/i, /timed out/i],
  [
    "auth",
    /invalid_api_key|authentication|permission|unauthorized|unauthenticated/i,
    /api key not valid|(?:invalid|incorrect) api key/i,
  ],
  ["not-found", /not_?found/i],
  ["server", /server_error|api_error|internal/i],
  ["bad-request", /invalid|bad_?request|unsupported|image|policy|unprocessable/i],
];

const statusReasons: ReadonlyMap<number, ModelFailureReason> = new Map([
  [401, "auth"],
  [402, "auth"],
  [403, "auth"],
  [404, "not-found"],
  [408, "timeout"],
  [409, "server"],
  [413, "context-overflow"],
  [429, "rate-limit"],
  [503, "overloaded"],
  [504, "timeout"],
  [524, "timeout"],
  [529, "overloaded"],
]);

/** The class of an answer's failure: by its status, where what is said does not say it better. */
export const reasonOfStatus = (status: number, said: Said): ModelFailureReason => {
  if (fits(exhausted, said)) return "auth";
  // A request that is larger than all that may be sent in a minute never gets through by waiting.
  if (status === 429 && /request too large/i.test(said.text.slice(0, maxText))) return "context-overflow";
  const known = statusReasons.get(status);
  if (known !== undefined) return known;
  // Some servers die of a prompt that is too long, and say so.
  if (fits(overflow, said)) return "context-overflow";
  if (status >= 500) return "server";
  return reasonOfWords(said) ?? "bad-request";
};

/** The class of a failure that has no status; `undefined`: nothing tells. */
export const reasonOfWords = (said: Said): ModelFailureReason | undefined =>
  [exhausted, overflow, ...others].find((words) => fits(words, said))?.[0];

const fits = ([, code, text]: Words, said: Said): boolean =>
  code.test(said.code) || (text?.test(said.text.slice(0, maxText)) ?? false);
