import { describe, expect, it } from "vitest";
import { problemOfError, problemOfStatus, tidy } from "../src/CallProblem.ts";

const error = (fields: object): string => JSON.stringify({ error: fields });

const wait = (headers: Parameters<typeof problemOfStatus>[2]): number | undefined =>
  problemOfStatus(429, "", headers).retryAfterMillis;

describe("CallProblem", () => {
  it.each([
    [{ retryAfter: "1e306" }, 2_592_000_000],
    [{ retryAfterMillis: "1e308" }, 2_592_000_000],
    [{ retryAfterMillis: "Infinity" }, 2_592_000_000],
    [{ retryAfterMillis: "", retryAfter: "7" }, 7_000],
    [{ retryAfterMillis: "-1", retryAfter: "7" }, 7_000],
    [{ retryAfter: "-7" }, undefined],
    [{ retryAfter: "Fri, 31 Dec 9999 23:59:59 GMT", date: "Mon, 30 Nov 2026 00:00:00 GMT" }, 2_592_000_000],
  ])("wishes for a wait %j come out as a number that can be waited for", (headers, millis) => {
    expect(wait(headers)).toBe(millis);
  });

  it("tells of errors that cannot be shown, however they are nested", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    let deep: unknown = [];
    for (let at = 0; at < 20_000; at++) deep = [deep];
    for (const odd of [circular, deep, 1n, Symbol("x")]) expect(problemOfError(odd).detail).not.toBe("");
  });

  it.each([
    [401, "{}", "auth"],
    [403, "{}", "auth"],
    [402, "{}", "auth"],
    [404, error({ message: "no such model" }), "not-found"],
    [408, "", "timeout"],
    [413, "", "context-overflow"],
    [429, "", "rate-limit"],
    [429, error({ message: "pay", code: "insufficient_quota" }), "auth"],
    [500, "", "server"],
    [502, "<html>", "server"],
    [503, "", "overloaded"],
    [529, "", "overloaded"],
    [400, error({ message: "no", code: "context_length_exceeded" }), "context-overflow"],
    [400, error({ message: "This model's maximum context length is 8192 tokens" }), "context-overflow"],
    [400, error({ message: "the request exceeds the available context size" }), "context-overflow"],
    [422, error({ message: "temperature too high" }), "bad-request"],
    [301, "", "bad-request"],
  ])("status %i with %s is %s", (status, body, reason) => {
    expect(problemOfStatus(status, body)).toMatchObject({ status, reason });
  });

  // What providers say, each in its own form, and what it comes to.
  const anthropic = (type: string, message: string): string =>
    JSON.stringify({ type: "error", error: { type, message } });
  it.each([
    // Anthropic
    [400, anthropic("invalid_request_error", "prompt is too long: 200001 tokens > 200000 maximum"), "context-overflow"],
    [
      400,
      anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit: 9 + 9 > 8"),
      "context-overflow",
    ],
    [400, anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."), "auth"],
    [400, anthropic("invalid_request_error", "messages: roles must alternate"), "bad-request"],
    [401, anthropic("authentication_error", "invalid x-api-key"), "auth"],
    [402, anthropic("billing_error", "pay"), "auth"],
    [403, anthropic("permission_error", "no"), "auth"],
    [404, anthropic("not_found_error", "model: claude-9"), "not-found"],
    [413, anthropic("request_too_large", "Request exceeds the maximum size"), "context-overflow"],
    [429, anthropic("rate_limit_error", "slow"), "rate-limit"],
    [500, anthropic("api_error", "Internal server error"), "server"],
    [504, anthropic("timeout_error", "late"), "timeout"],
    [529, anthropic("overloaded_error", "Overloaded"), "overloaded"],
    // OpenAI
    [
      400,
      error({ code: "context_length_exceeded", message: "Your input exceeds the context window of this model." }),
      "context-overflow",
    ],
    [400, error({ code: "model_not_found", message: "The model does not exist" }), "not-found"],
    [429, error({ code: "rate_limit_exceeded", type: "tokens", message: "Rate limit reached" }), "rate-limit"],
    [429, error({ type: "insufficient_quota", message: "You exceeded your current quota" }), "auth"],
    [429, error({ code: "billing_hard_limit_reached", message: "limit" }), "auth"],
    [
      429,
      error({ code: "rate_limit_exceeded", message: "Request too large for gpt-x on tokens per min (TPM)" }),
      "context-overflow",
    ],
    [500, error({ type: "server_error", message: "The server had an error" }), "server"],
    [503, error({ code: "slow_down", message: "Slow Down" }), "overloaded"],
    // llama.cpp, vLLM, Ollama, LM Studio
    [
      400,
      error({ code: 400, type: "exceed_context_size_error", message: "the request exceeds it" }),
      "context-overflow",
    ],
    [500, error({ message: "context size exceeded", type: "server_error" }), "context-overflow"],
    [503, error({ code: 503, type: "unavailable_error", message: "Loading model" }), "overloaded"],
    [
      400,
      '{"object":"error","message":"This model\'s maximum context length is 8192 tokens.","type":"BadRequestError","code":400}',
      "context-overflow",
    ],
    [
      400,
      error({ message: "The decoder prompt (length 9) is longer than the maximum model length of 8" }),
      "context-overflow",
    ],
    [404, error({ message: 'model "x" not found, try pulling it first' }), "not-found"],
    [400, error({ message: "prompt too long; exceeded max context length by 9 tokens" }), "context-overflow"],
    [400, error({ message: "Trying to keep the first 9 tokens when context the overflows." }), "context-overflow"],
    // OpenRouter, DeepSeek, Together, xAI, Mistral, Bedrock
    [402, error({ code: 402, message: "Insufficient credits" }), "auth"],
    [
      400,
      error({ code: 400, message: "Provider returned error", metadata: { raw: "prompt is too long: 9 > 8" } }),
      "context-overflow",
    ],
    [402, error({ message: "Insufficient Balance" }), "auth"],
    [422, error({ message: "`inputs` tokens + `max_new_tokens` must be <= 8193" }), "context-overflow"],
    [
      400,
      '{"error":"This model\'s maximum prompt length is 9 but the request contains 10 tokens."}',
      "context-overflow",
    ],
    [400, '{"message":"Input is too long for requested model."}', "context-overflow"],
    // Gemini
    [
      400,
      '[{"error":{"code":400,"status":"INVALID_ARGUMENT","message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}]',
      "context-overflow",
    ],
    [
      400,
      error({ code: 400, status: "INVALID_ARGUMENT", message: "API key not valid. Please pass a valid API key." }),
      "auth",
    ],
    [
      429,
      error({
        code: 429,
        status: "RESOURCE_EXHAUSTED",
        message: "You exceeded your current quota, please check your plan and billing details",
      }),
      "rate-limit",
    ],
    [503, error({ code: 503, status: "UNAVAILABLE", message: "The model is overloaded." }), "overloaded"],
    // What stands between
    [409, "", "server"],
    [504, "<html>", "timeout"],
    [524, "", "timeout"],
  ])("status %i with %s comes to %s", (status, body, reason) => {
    expect(problemOfStatus(status, body)).toMatchObject({ status, reason });
  });

  it.each([
    [{ type: "overloaded_error", message: "Overloaded" }, "overloaded"],
    [{ code: "rate_limit_exceeded", message: "slow" }, "rate-limit"],
    [{ code: "server_error", message: "x" }, "server"],
    [{ code: "invalid_prompt", message: "x" }, "bad-request"],
    [{ code: "image_too_large", message: "x" }, "bad-request"],
    [{ code: "insufficient_quota", message: "x" }, "auth"],
    [{ type: "invalid_request_error", message: "prompt is too long" }, "context-overflow"],
    [{ code: 502, message: "Provider returned error", metadata: { raw: "upstream is overloaded" } }, "server"],
    [{ message: "something" }, "server"],
    ["Request timed out.", "timeout"],
  ])("an error %j inside a stream comes to %s", (told, reason) => {
    expect(problemOfError(told).reason).toBe(reason);
  });

  it("finds the wait in what is said, where no header tells it", () => {
    const waitIn = (body: string): number | undefined => problemOfStatus(429, body).retryAfterMillis;
    expect(waitIn(error({ message: "Rate limit reached. Please try again in 1.242s." }))).toBe(1242);
    expect(waitIn(error({ message: "Please try again in 20ms." }))).toBe(20);
    expect(waitIn(error({ message: "Please try again in 1m6.5s." }))).toBe(66_500);
    expect(waitIn(error({ message: "x", details: [{ retryDelay: "34s" }] }))).toBe(34_000);
    expect(waitIn(error({ message: "try again in a while" }))).toBeUndefined();
    expect(problemOfStatus(401, "try again in 5s").retryAfterMillis).toBeUndefined();
    expect(problemOfStatus(429, error({ message: "try again in 9s" }), { retryAfter: "2" }).retryAfterMillis).toBe(
      2000,
    );
  });

  it("shows what the provider said, in whichever form it says it", () => {
    expect(problemOfStatus(400, error({ message: "a" })).detail).toBe("a");
    expect(problemOfStatus(400, '{"error":"b"}').detail).toBe("b");
    expect(problemOfStatus(400, '{"detail":"c"}').detail).toBe("c");
    expect(problemOfStatus(400, '{"message":"d"}').detail).toBe("d");
    expect(problemOfStatus(502, "<html><h1>Bad gateway</h1></html>").detail).toBe("Bad gateway");
    expect(problemOfStatus(500, "").detail).toBe("the server gave no reason");
    expect(problemOfStatus(307, "", { location: "https://other.example/v1" }).detail).toContain(
      "https://other.example/v1",
    );
  });

  it("reads the wait in seconds, milliseconds or as a date against the response's own", () => {
    expect(wait({ retryAfter: "1.5" })).toBe(1500);
    expect(wait({ retryAfter: "9", retryAfterMillis: "250" })).toBe(250);
    const date = "Mon, 30 Nov 2026 10:00:00 GMT";
    expect(wait({ retryAfter: "Mon, 30 Nov 2026 10:00:30 GMT", date })).toBe(30_000);
    for (const retryAfter of ["soon", "-1", "Mon, 30 Nov 2026 09:00:00 GMT", ""])
      expect(wait({ retryAfter, date })).toBeUndefined();
    expect(wait({ retryAfter: "Mon, 30 Nov 2026 10:00:30 GMT" })).toBeUndefined();
  });

  it("makes hostile text harmless", () => {
    expect(tidy("a\u001b[31m\n\r\tb\u202ec\u0000")).toBe("a [31m b c");
    expect(tidy("x".repeat(1_000_000)).length).toBeLessThan(700);
  });
});
