import { spentIn } from "./runTurn.ts";
import { noUsage, type RunOutcome } from "@kumiko/plugin-api";
import type { LiveRun } from "./LiveRun.ts";

export const closed = "the harness was closed";
export const overtime = (millis: number): string => `it took longer than it may: ${millis / 60_000} minutes`;

export const emptyOutcome = (status: RunOutcome["status"], reason: string): RunOutcome => ({
  status,
  text: "",
  reason,
  iterations: 0,
  usage: noUsage,
});

export const suspendedOutcome = (run: LiveRun | undefined, reason: string): RunOutcome => {
  const context = run?.actor?.snapshot().context;
  return {
    status: "suspended",
    text: context?.text ?? "",
    reason: `${reason}; the session is saved, and goes on when it is opened again`,
    ...(context === undefined ? { iterations: 0, usage: noUsage } : spentIn(context)),
  };
};
