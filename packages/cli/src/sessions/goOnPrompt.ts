import type { SessionSummary } from "./SessionSummary.ts";

/** What the model is told where a session is resumed whose last run did not come to its end, and nothing else is said. */
export const goOnPrompt =
  "Go on with the task where it stopped. Check what is done before doing anything again. If nothing is left to do, say so.";

/** Whether a session whose last run ended so has something to go on with. */
export const canGoOn = (status: SessionSummary["status"] | undefined): status is keyof typeof endingWords =>
  status !== undefined && status in endingWords;

/** How a run ended that can be gone on with. */
export const endingWords = { failed: "failed", aborted: "was ended", "force-stopped": "was stopped" } as const;

/** `its last run failed: …`. */
export const goOnNotice = (id: string, status: keyof typeof endingWords): string =>
  `the last run of session ${id} ${endingWords[status]}: the model is asked to go on with it`;
