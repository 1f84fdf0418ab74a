import { type Fault, faults, type WireFormat, wireFormats } from "@kumiko/models/testing";
import { defaultRetryPolicy } from "@kumiko/core-loop";
import { job } from "./job.ts";
import type { Played } from "./play.ts";

/** Which request of the job a fault strikes; the last asks for the answer. */
type Place = 0 | 1 | 2;
export const lastPlace = 2;

export interface WeatherCase {
  readonly name: string;
  readonly wire: WireFormat;
  readonly place: Place;
}

const places: ReadonlyArray<Place> = [0, 1, lastPlace];
/** Parts of a reply that the answer does not have: a fault cannot strike it there. */
const callPlaces = new Set(["call-start", "arguments", "call-end"]);

/** Every fault on every wire at every place where it can strike. */
export const weatherCases: ReadonlyArray<WeatherCase> = Object.entries(faults).flatMap(([name, fault]) =>
  wireFormats
    .filter((wire) => fault.wires === undefined || fault.wires.includes(wire))
    .flatMap((wire) =>
      places
        .filter((place) => place === 0 || fault.listens === undefined)
        .filter((place) => place !== lastPlace || fault.cut === undefined || !callPlaces.has(fault.cut.at))
        .map((place) => ({ name, wire, place })),
    ),
);

/**
 * How a run must end. `recovers`: as without the fault; `answers`: done, with what the model said in place of its calls;
 * `fails`: with a report.
 */
export type Ending = "recovers" | "answers" | "fails";

/** Replies that are the model's own decision to stop: there is nothing to repeat. */
const decisions = new Set(["refusal", "stop-without-calls", "unknown-stop"]);

/** What is declared of a fault: by what it is expected to be read as, and the default attempts at that. */
export const endingOf = ({ name, place }: WeatherCase): Ending => {
  const { expected, listens, retryAfter } = declared(name);
  if (decisions.has(name)) return place === lastPlace ? "recovers" : "answers";
  if (listens !== undefined || retryAfter) return "fails";
  if (expected.reply === true || expected.malformedCalls === true) return "recovers";
  return expected.failures?.every((reason) => defaultRetryPolicy.attempts[reason] === 1) === true
    ? "fails"
    : "recovers";
};

const declared = (name: string): Pick<Fault, "expected" | "listens"> & { readonly retryAfter: boolean } => {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`there is no fault ${name}`);
  // Every wait that a fault asks for is longer than the harness here is willing to wait.
  return { ...fault, retryAfter: fault.expected.retryAfterMillis !== undefined };
};

/** Of every scripted reply. */
const usage = { inputTokens: 30, outputTokens: 5 };

/** The least that a run must have counted: what the server told of whole replies, and at the beginning of broken ones. */
export const toldUsage = (asked: Played["asked"]): typeof usage => {
  let inputTokens = 0;
  let outputTokens = 0;
  for (const call of asked) {
    const { fault: name, wire } = call;
    const fault = name === undefined ? undefined : faults[name];
    const cut = fault?.cut;
    // A reply that has no such part is not played at all: the server says that it cannot.
    const isPlayed = cut !== undefined && (!callPlaces.has(cut.at) || job(call).calls !== undefined);
    const isWhole =
      fault === undefined || ((fault.expected.reply ?? fault.expected.malformedCalls) === true && cut === undefined);
    // Anthropic tells at the start what the request counts; a call that was given up for its silence is estimated.
    const isBegun = wire === "anthropic" && isPlayed && fault?.ending !== "pings";
    if (isWhole || isBegun) inputTokens += usage.inputTokens;
    if (isWhole) outputTokens += usage.outputTokens;
  }
  return { inputTokens, outputTokens };
};
