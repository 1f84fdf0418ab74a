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
  it("gives a text that was cut anywhere back whole", () => {
    const text = fc.string({ minLength: 30, maxLength: 300, unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.nat(), (whole, place) => {
        const at = place % whole.length;
        const head = whole.slice(0, at);
        if (!head.endsWith(whole.slice(at, at + 12))) expect(joinContinuation(head, whole.slice(at))).toBe(whole);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  it("takes out what is begun again", () => {
    const said = "Here is the plan. First, read every file of the project. Then change the parser so that";
    const again = "Then change the parser so that it keeps the last line.";
    expect(joinContinuation(said, again)).toBe(`${said} it keeps the last line.`);
    expect(joinContinuation("```ts\nconst a = fir", "```ts\nst();\n```")).toBe("```ts\nconst a = first();\n```");
  });

  it.each([
    ["m = [0, 0, 0, 0, 0, 0, ", "0, 0, 0, 0, 0, 0, 1]"],
    ["0x00, 0x00, 0x00, ", "0x00, 0x00, 0x00, 0x01"],
    ["data: AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAB"],
    ["if (a)            ", "            return"],
    ["<tr><td></td><td></td>", "<td></td><td></td></tr>"],
    ["|---|---|---|---|", "---|---|---|---|\n"],
    ["  assert.equal(add(1, 1), 2);\n", "  assert.equal(add(1, 1), 2);\n"],
    ["// -----------------", "-----------------\n"],
  ])("keeps what may be meant twice: %j and %j", (head, tail) => {
    expect(joinContinuation(head, tail)).toBe(head + tail);
  });
});
