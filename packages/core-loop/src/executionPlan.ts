import type { Resource, Risk } from "@kumiko/plugin-api";
import { conflicts } from "./internal/overlaps.ts";

interface PlannedCall {
  readonly risk: Risk;
  readonly resources: ReadonlyArray<Resource>;
}

/**
 * Which earlier calls each call has to wait for, decided before any of them runs: those that write what it touches, or
 * touch what it writes. Calls that may write but do not say what wait for one another. All others run side by side.
 *
 * @example
 * ```ts
 * const write = { risk: "local-write", resources: [{ key: "file:/a", mode: "write" }] } as const
 * const read = { risk: "read", resources: [{ key: "file:/b", mode: "read" }] } as const
 * executionPlan([write, read, write]) // => [[], [], [0]]
 * ```
 */
export const executionPlan = (calls: ReadonlyArray<PlannedCall>): ReadonlyArray<ReadonlyArray<number>> =>
  calls.map((call, at) => calls.slice(0, at).flatMap((earlier, index) => (mustWait(call, earlier) ? [index] : [])));

const mustWait = (call: PlannedCall, earlier: PlannedCall): boolean =>
  conflicts(call.resources, earlier.resources) || (writesUnsaid(call) && writesUnsaid(earlier));

const writesUnsaid = ({ risk, resources }: PlannedCall): boolean =>
  risk !== "read" && !resources.some(({ mode }) => mode === "write");
