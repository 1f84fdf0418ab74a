import { faults, wireFormats } from "@kumiko/models/testing";
import { textOf } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../tools/soak/runs.ts";
import { transcriptFlaws } from "./transcriptFlaws.ts";
import { endingOf, lastPlace, toldUsage, weatherCases } from "./weather/expectations.ts";
import { finalAnswer, marks, prompt, sayings } from "./weather/job.ts";
import { type Played, playJob } from "./weather/play.ts";

/** A whole run and any wait in it, on a busy machine. Without a fault it takes some 50 ms. */
const boundMillis = 10_000;
const isFull = soak.runsOr(0) > 0;

/** What holds of every run, whatever happened to it. */
const checkInvariants = ({ asked, executed, outcome, session, tookMillis }: Played): void => {
  expect(tookMillis).toBeLessThan(boundMillis);
  expect(transcriptFlaws(session.messages)).toEqual([]);
  // Nothing ran twice, and what ran is exactly what was proposed and recorded as having run.
  expect(new Set(executed).size, `set: ${executed.join()}`).toBe(executed.length);
  const recorded = session.runs.flatMap(({ calls }) => calls).filter(({ status }) => status === "ok");
  expect(recorded.map(({ input }) => input)).toEqual(executed.map((name) => expect.objectContaining({ name })));
  // No half message: each is whole as the model meant it.
  const said = session.messages.filter(({ role }) => role === "assistant").map(textOf);
  for (const text of said.filter((text) => text !== "")) expect(text).toSatisfy(isWhole);
  const told = toldUsage(asked);
  expect(outcome.usage.inputTokens).toBeGreaterThanOrEqual(told.inputTokens);
  expect(outcome.usage.outputTokens).toBeGreaterThanOrEqual(told.outputTokens);
  expect(session.runs.at(-1)?.usage).toEqual(outcome.usage);
};

// A reply that was continued is one message of several sayings; a call written as text stays where it was returned flagged.
const isWhole = (text: string): boolean => sayings.some((saying) => text.startsWith(saying) || text.endsWith(saying));

/** In good weather the session goes on: what was left is done, and nothing again. */
const checkCalm = (calm: Played): void => {
  checkInvariants(calm);
  expect(calm.outcome).toMatchObject({ status: "done", text: finalAnswer });
  expect(calm.executed.toSorted()).toEqual([...marks]);
};

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

/** What is done, by name, and what is not. */
const checkReport = (report: string, executed: ReadonlyArray<string>): void => {
  expect(report).toContain("The run could not be finished: the model ");
  if (executed.length === 0) expect(report).toContain("Done: nothing; no call has succeeded.");
  else expect(report).toContain("Done, call by call:");
  for (const name of executed) expect(report).toContain(`- mark {"name":"${name}"`);
  for (const name of marks.filter((mark) => !executed.includes(mark)))
    expect(report.split("Tried without success")[0]).not.toContain(`{"name":"${name}"`);
  expect(report).toContain(`Not done: "${prompt}" has no final answer.`);
};
