import { textOf } from "@kumiko/plugin-api";
import { expect } from "vitest";
import { transcriptFlaws } from "../transcriptFlaws.ts";
import { toldUsage } from "./expectations.ts";
import { finalAnswer, marks, prompt, sayings } from "./job.ts";
import type { Played } from "./play.ts";

/** A whole run and any wait in it, on a busy machine. Without a fault it takes some 50 ms. */
const boundMillis = 10_000;
/** What holds of every run, whatever happened to it. */
export const checkInvariants = ({ asked, executed, outcome, session, tookMillis }: Played): void => {
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
export const checkCalm = (calm: Played): void => {
  checkInvariants(calm);
  expect(calm.outcome).toMatchObject({ status: "done", text: finalAnswer });
  expect(calm.executed.toSorted()).toEqual([...marks]);
};

/** What is done, by name, and what is not. */
export const checkReport = (report: string, executed: ReadonlyArray<string>): void => {
  expect(report).toContain("The run could not be finished: the model ");
  if (executed.length === 0) expect(report).toContain("Done: nothing; no call has succeeded.");
  else expect(report).toContain("Done, call by call:");
  for (const name of executed) expect(report).toContain(`- mark {"name":"${name}"`);
  for (const name of marks.filter((mark) => !executed.includes(mark)))
    expect(report.split("Tried without success")[0]).not.toContain(`{"name":"${name}"`);
  expect(report).toContain(`Not done: "${prompt}" has no final answer.`);
};
