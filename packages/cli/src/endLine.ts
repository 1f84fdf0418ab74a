import type { OutcomeFlag, RunOutcome } from "@kumiko/plugin-api";

/** What to say of how a run ended; undefined: nothing, it did its job. */
export const endLine = ({ iterations, reason, status }: RunOutcome): string | undefined => {
  if (reason === undefined) return undefined;
  const turns = `${iterations} turn${iterations === 1 ? "" : "s"}`;
  switch (status) {
    case "denied":
      return `the run ended because ${reason}`;
    case "force-stopped":
      return `the run was stopped after ${turns}: ${reason}`;
    case "aborted":
      return `the run was ended after ${turns}`;
    case "suspended":
      return `the run is suspended after ${turns}: ${reason}`;
    default:
      return `the run failed after ${turns}: ${reason}`;
  }
};

const flagWords: Readonly<Record<OutcomeFlag, string>> = {
  refused: "the model declined",
  truncated: "the answer is cut at the output limit",
  unverified: "the answer claims calls that were not made",
};

/** What to know of an answer that was given all the same. */
export const flagLines = ({ flags = [] }: RunOutcome): ReadonlyArray<string> => flags.map((flag) => flagWords[flag]);
