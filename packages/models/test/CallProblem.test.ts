import { describe, expect, it } from "vitest";
import { problemOfStatus, tidy } from "../src/CallProblem.ts";

const error = (fields: object): string => JSON.stringify({ error: fields });

const wait = (headers: Parameters<typeof problemOfStatus>[2]): number | undefined =>
  problemOfStatus(429, "", headers).retryAfterMillis;

describe("CallProblem", () => {
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
