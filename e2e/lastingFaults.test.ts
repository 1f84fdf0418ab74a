import { defaultRetryPolicy } from "@kumiko/core-loop";
import { wireFormats } from "@kumiko/models/testing";
import { describe, expect, it } from "vitest";
import { checkCalm, checkInvariants, checkReport } from "./weather/checks.ts";
import { playJob } from "./weather/play.ts";

/** More than any policy tries. */
const forEver = (name: string): ReadonlyArray<string> => Array.from({ length: 40 }, () => name);
const { attempts } = defaultRetryPolicy;

/** How often a fault is borne, by the reason that it is read as. */
const borne = [
  ["status-429", attempts["rate-limit"]],
  ["status-529", attempts.overloaded],
  ["status-500", attempts.server],
  ["resets-in-text", attempts.network],
  ["silent-before-answer", attempts.timeout],
  ["html-success", attempts["bad-response"]],
  // Asked once more, and no more.
  ["empty-reply", 2],
] as const;

describe("a fault that does not pass", () => {
  const cases = borne.flatMap(([name, times]) => wireFormats.map((wire) => [name, times, wire] as const));
  it.concurrent.each(cases)(
    "%s is borne %i times on the wire of %s, then the run ends and says where it is",
    async (name, times, wire) => {
      const { calm, stormy } = await playJob(wire, [undefined, ...forEver(name)]);
      expect(stormy.outcome.status).toBe("failed");
      expect(stormy.asked).toHaveLength(1 + times);
      expect(stormy.executed).toEqual(["a", "b"]);
      checkInvariants(stormy);
      checkReport(stormy.outcome.text, stormy.executed);
      checkCalm(calm);
    },
    60_000,
  );

  it("is said sooner where the server was never reached", async () => {
    const { asked, outcome } = (await playJob("chat", forEver("reset-before-answer"))).stormy;
    expect(outcome.status).toBe("failed");
    expect(asked).toHaveLength(3);
  });

  it("is said sooner where the model writes calls as text again and again: the reply is returned, flagged", async () => {
    const { calm, stormy } = await playJob("chat", forEver("call-as-xml"));
    expect(stormy.outcome).toMatchObject({ status: "done", flags: ["unverified"] });
    expect(stormy.asked).toHaveLength(3);
    checkInvariants(stormy);
    checkCalm(calm);
  });

  it("leaves a report that tells what was tried without success from what is done", async () => {
    const { calm, stormy } = await playJob("anthropic", [undefined, "unknown-tool", "status-401"]);
    const [done = "", tried = ""] = stormy.outcome.text.split("Tried without success:");
    expect(done).toContain('- mark {"name":"a"');
    expect(done).not.toContain("no_such_tool");
    expect(tried).toContain('- no_such_tool {"name":"c"');
    checkReport(stormy.outcome.text, stormy.executed);
    checkCalm(calm);
  });
});
