import { ModelFailureReason } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinContinuation } from "../src/joinContinuation.ts";
import { defaultRetryPolicy, type FailedAttempt, recoverFrom } from "../src/ModelRecovery.ts";

const attempt = fc.record({
  reason: fc.constantFrom(...ModelFailureReason.literals),
  at: fc.integer({ min: 0, max: 2 ** 41 }),
  retryAfterMillis: fc.option(fc.integer({ min: 0, max: 8_000_000 }), { nil: undefined }),
  attempt: fc.integer({ min: 1, max: 12 }),
  models: fc.array(
    fc.record({ model: fc.constantFrom("a", "b", "c"), contextWindowTokens: fc.constantFrom(8_000, 200_000) }),
    { minLength: 1, maxLength: 5 },
  ),
  model: fc.integer({ min: 0, max: 4 }),
});

describe("recoverFrom", () => {
  it("never waits less than the provider asks for, nor longer than an hour for it, and only goes forward", () => {
    fc.assert(
      fc.property(attempt, (failed: FailedAttempt) => {
        const recovery = recoverFrom(failed, defaultRetryPolicy);
        if (recovery.type === "retry") {
          const wait = recovery.notBefore - failed.at;
          expect(wait).toBeGreaterThanOrEqual(Math.max(1_000, failed.retryAfterMillis ?? 0));
          expect(wait).toBeLessThanOrEqual(3_600_000);
          expect(failed.attempt).toBeLessThan(defaultRetryPolicy.attempts[failed.reason]);
        }
        if (recovery.type === "switch") expect(recovery.model).toBeGreaterThan(failed.model);
        expect(recoverFrom(failed, defaultRetryPolicy)).toEqual(recovery);
      }),
      { seed: 11, numRuns: 500 },
    );
  });

  it("doubles its waits up to half a minute, from one second, for rate limits from five", () => {
    const waits = (reason: "overloaded" | "rate-limit", count: number) =>
      Array.from({ length: count }, (_, at) => {
        const said = recoverFrom(
          { reason, at: 0, retryAfterMillis: undefined, attempt: at + 1, models: [{ model: "a" }], model: 0 },
          defaultRetryPolicy,
        );
        return said.type === "retry" ? said.notBefore : said.type;
      });
    expect(waits("overloaded", 8)).toEqual([1e3, 2e3, 4e3, 8e3, 16e3, 30e3, 30e3, "giveUp"]);
    expect(waits("rate-limit", 10)).toEqual([5e3, 1e4, 2e4, 3e4, 3e4, 3e4, 3e4, 3e4, 3e4, "giveUp"]);
  });
});

describe("joinContinuation", () => {
  it("gives a text that was cut anywhere back whole, repeated tail or not", () => {
    const text = fc.string({ minLength: 30, maxLength: 300, unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 12, max: 60 }), (whole, place, repeated) => {
        const at = place % whole.length;
        const from = Math.max(0, at - repeated);
        const head = whole.slice(0, at);
        // What is repeated may be short by chance, or may itself repeat: then nothing is said.
        if (at - from >= 12 && new Set(head.slice(-60)).size > 20)
          expect(joinContinuation(head, whole.slice(from))).toBe(whole);
        if (!head.endsWith(whole.slice(at, at + 12))) expect(joinContinuation(head, whole.slice(at))).toBe(whole);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});
