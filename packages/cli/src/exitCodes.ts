import type { RunStatus } from "@kumiko/plugin-api";

/** How `kumiko` ends. Documented in the README; scripts rely on it. */
export const exitCodes = {
  success: 0,
  /** The run could not go on: the model failed, or something inside broke. */
  error: 1,
  /** Nothing ran: an unknown option or model, an empty prompt, a folder or file that is not there. */
  badInput: 2,
  /** The run ended because a call it needed was refused. */
  denied: 3,
  /** A limit of turns or a loop detector ended it; the answer says what is done. */
  stopped: 4,
  /** The budget ended it. */
  budget: 5,
  /** It waits for an answer, saved: `kumiko answer`, then `kumiko --resume`. */
  suspended: 6,
  /** Another process has the session; nothing was done. */
  inUse: 7,
  interrupted: 130,
  /** Whoever read the output went away. */
  outputClosed: 141,
} as const;

/** The exit code of a run that ended this way. */
export const exitCodeOf = (status: RunStatus): number => {
  switch (status) {
    case "done":
      return exitCodes.success;
    case "denied":
      return exitCodes.denied;
    case "force-stopped":
      return exitCodes.stopped;
    case "aborted":
      return exitCodes.interrupted;
    case "suspended":
      return exitCodes.suspended;
    case "failed":
      return exitCodes.error;
  }
};
