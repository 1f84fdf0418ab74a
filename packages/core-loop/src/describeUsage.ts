import { noUsage, type Usage } from "@kumiko/plugin-api";
import type { JournalRecord } from "@kumiko/runtime-api";
import { decodeEvent, isForkMark, openedIn, type SessionRecord } from "./sessionRecords.ts";

/** One model call of a session, as its records tell it. */
export interface DescribedModelCall {
  readonly runId: string;
  /** When it ended, in milliseconds since 1970. */
  readonly time: number;
  /** Undefined: nobody wrote it down. */
  readonly model: string | undefined;
  readonly usage: Usage;
  /** US dollars. Absent: the price was not known, or nothing is known to have been used. */
  readonly costUsd?: number;
  /** It gave no reply; it may have cost all the same. */
  readonly isFailed: boolean;
}

/**
 * The model calls that a session's records tell of, in order: those of runs that failed, were ended or taken back too. Of
 * a fork, only its own: those of its past are told by the session it came from. A projection: reads everything once,
 * changes nothing.
 *
 * @example
 * ```ts
 * describeUsage([]) // => []
 * ```
 */
export const describeUsage = (records: ReadonlyArray<JournalRecord>): ReadonlyArray<DescribedModelCall> => {
  let calls: Array<DescribedModelCall> = [];
  // Calls that were written down without their model were to the one the session was opened with.
  let opened: string | undefined;
  for (const record of records) {
    if (isForkMark(record)) calls = [];
    opened = openedIn(record)?.model ?? opened;
    const decoded = decodeEvent(record);
    const spent = decoded === undefined ? undefined : modelCallIn(decoded);
    if (spent === undefined) continue;
    calls.push({ ...spent, time: record.time, model: spent.model ?? opened });
  }
  return calls;
};

/** The model call that an event tells the end of. */
export const modelCallIn = (decoded: SessionRecord): Omit<DescribedModelCall, "time"> | undefined => {
  if (decoded.actor !== "run") return undefined;
  const { event, runId } = decoded;
  if (event.type !== "reply.received" && event.type !== "model.failed") return undefined;
  const { costUsd, model, usage } = event;
  return {
    runId,
    model,
    usage: usage ?? noUsage,
    ...(costUsd === undefined ? {} : { costUsd }),
    isFailed: event.type === "model.failed",
  };
};
