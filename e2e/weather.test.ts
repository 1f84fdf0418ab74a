import { faults, wireFormats } from "@kumiko/models/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../tools/soak/runs.ts";
import { checkCalm, checkInvariants, checkReport } from "./weather/checks.ts";
import { endingOf, lastPlace, weatherCases } from "./weather/expectations.ts";
import { finalAnswer, marks, sayings } from "./weather/job.ts";
import { playJob } from "./weather/play.ts";

const isFull = soak.runsOr(0) > 0;

// Enough of the table for every fault, wire and place to be met: the places take turns.
const sample = weatherCases.filter(({ name, place, wire }) => {
  const here = weatherCases.filter((other) => other.name === name && other.wire === wire);
  const turn = Object.keys(faults).indexOf(name) + wireFormats.indexOf(wire);
  return here[turn % here.length]?.place === place;
});

describe("a run in bad weather", () => {
  it.concurrent.each((isFull ? weatherCases : sample).map((one) => [one.name, one.wire, one.place + 1, one] as const))(
    "%s on the wire of %s at call %i",
    async (name, wire, _call, one) => {
      const { calm, stormy } = await playJob(wire, [...Array.from({ length: one.place }, () => undefined), name]);
      const { asked, executed, outcome } = stormy;
      const ending = endingOf(one);
      checkInvariants(stormy);
      if (ending === "recovers") {
        expect(outcome).toMatchObject({ status: "done", text: finalAnswer });
        expect(executed).toEqual([...marks]);
        // The fault costs one call at most.
        expect(asked.length).toBeLessThanOrEqual(lastPlace + 2);
      } else if (ending === "answers") {
        expect(outcome).toMatchObject({ status: "done", text: sayings[one.place] });
        expect(asked).toHaveLength(one.place + 1);
      } else {
        expect(outcome.status).toBe("failed");
        expect(asked.length).toBe(faults[name]?.listens === undefined ? one.place + 1 : 0);
        checkReport(outcome.text, executed);
      }
      checkCalm(calm);
    },
    60_000,
  );

  const stormy = Object.keys(faults).filter((name) => faults[name]?.listens === undefined);
  const storms = fc.sample(
    fc.record({
      wire: fc.constantFrom(...wireFormats),
      standIn: fc.option(fc.constantFrom(...wireFormats), { nil: undefined }),
      weather: fc.array(fc.option(fc.constantFrom(...stormy), { nil: undefined, freq: 4 }), {
        minLength: 2,
        maxLength: 9,
      }),
    }),
    { numRuns: soak.runsOr(40), seed: soak.seed },
  );
  it.concurrent.each(storms.map(({ standIn, weather, wire }, at) => [at, wire, standIn, weather] as const))(
    "storm %i on the wire of %s, with %s behind it",
    async (_at, wire, standIn, weather) => {
      const { calm, stormy } = await playJob(wire, weather, standIn);
      checkInvariants(stormy);
      expect(["done", "failed", "force-stopped"]).toContain(stormy.outcome.status);
      if (stormy.outcome.status === "failed") checkReport(stormy.outcome.text, stormy.executed);
      expect(stormy.asked.length).toBeLessThanOrEqual(weather.length + lastPlace + 1);
      checkCalm(calm);
    },
    60_000,
  );
});
