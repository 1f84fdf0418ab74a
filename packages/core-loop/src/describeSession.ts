import {
  addUsage,
  type FileState,
  type Message,
  noUsage,
  type RunStatus,
  textOf,
  toolCallsOf,
  type Usage,
} from "@kumiko/plugin-api";
import type { JournalRecord } from "@kumiko/runtime-api";
import { Conversation } from "./Conversation.ts";
import { decodeEvent, openedIn, refusedIn } from "./sessionRecords.ts";

/** One run of a session, as its records tell it. */
export interface DescribedRun {
  readonly runId: string;
  /** What the user said. */
  readonly prompt: string;
  /** `waiting`: it has not begun; `unfinished`: it was under way when its process ended, or is now. */
  readonly status: RunStatus | "waiting" | "unfinished";
  /** Milliseconds since 1970, of its message. */
  readonly time: number;
  /** The record its message stands in: rewinding to it takes the run and all after it back. */
  readonly seq: number;
  /** Messages of the conversation before it began. */
  readonly messagesBefore: number;
  readonly iterations: number;
  readonly usage: Usage;
  /** Calls that ran or may have run, in order. */
  readonly calls: ReadonlyArray<DescribedCall>;
}

export interface DescribedCall {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** `open`: nobody wrote down how it ended. */
  readonly status: "ok" | "error" | "denied" | "cancelled" | "unknown" | "open";
  readonly seq: number;
  /** It was written down before it ran: it is not only reading. */
  readonly isIntended: boolean;
  readonly changes: ReadonlyArray<{
    readonly path: string;
    readonly before: FileState | null;
    readonly isKept: boolean;
    readonly after: { readonly digest: string } | null;
  }>;
}

export interface DescribedSession {
  /** The folder it works in, and its model, as it was last opened. */
  readonly cwd: string | undefined;
  readonly model: string | undefined;
  readonly startedAt: number | undefined;
  readonly changedAt: number | undefined;
  /** Those that a rewind took back are left out. */
  readonly runs: ReadonlyArray<DescribedRun>;
  /** The conversation as a model would be sent it. */
  readonly messages: ReadonlyArray<Message>;
  /** Of all model calls, those of runs that were taken back included. */
  readonly usage: Usage;
}

type Mutable<A> = { -readonly [K in keyof A]: A[K] };
interface RunDraft extends Mutable<Omit<DescribedRun, "calls">> {
  calls: Array<Mutable<DescribedCall>>;
}

/**
 * What a session's records say: for lists, transcripts and rewinds. A projection: reads everything once, changes nothing.
 *
 * @example
 * ```ts
 * describeSession([]).runs // => []
 * ```
 */
export const describeSession = (records: ReadonlyArray<JournalRecord>): DescribedSession => {
  const conversation = new Conversation();
  let runs: Array<RunDraft> = [];
  let cwd: string | undefined;
  let model: string | undefined;
  let usage = noUsage;
  const runOf = (runId: string): RunDraft | undefined => runs.findLast((run) => run.runId === runId);

  for (const record of records) {
    const opened = openedIn(record);
    if (opened !== undefined) ({ cwd, model } = opened);
    const refused = refusedIn(record);
    if (refused !== undefined) runs = runs.filter(({ runId }) => runId !== refused);
    const decoded = decodeEvent(record);
    if (decoded === undefined) continue;
    if (decoded.actor === "session") {
      const { event } = decoded;
      if (event.type === "message.accepted")
        runs.push({
          runId: event.runId,
          prompt: textOf(event.message),
          status: "waiting",
          time: record.time,
          seq: record.seq,
          messagesBefore: conversation.messages.length,
          iterations: 0,
          usage: noUsage,
          calls: [],
        });
      else if (event.type === "run.cancelled") {
        const run = runOf(event.runId);
        if (run?.status === "waiting") run.status = "aborted";
      } else if (event.type === "run.ended") {
        const run = runOf(event.runId);
        if (run !== undefined) run.status = event.status;
      } else if (event.type === "conversation.rewound")
        runs = runs.filter(({ messagesBefore, status }) => messagesBefore < event.messages || status === "waiting");
      conversation.applySession(event);
    } else if (decoded.actor === "run") {
      const { event, runId } = decoded;
      if (event.type === "run.began") continue;
      const run = runOf(runId);
      if (run !== undefined && event.type === "prompt.built") {
        run.status = "unfinished";
        run.messagesBefore = conversation.messages.length;
      }
      // A call that failed may have cost something too.
      if (run !== undefined && "usage" in event && event.usage !== undefined) {
        run.usage = addUsage(run.usage, event.usage);
        usage = addUsage(usage, event.usage);
      }
      if (run !== undefined && event.type === "reply.received") {
        run.iterations++;
        for (const { id, input, name } of toolCallsOf(event.message))
          run.calls.push({
            callId: id,
            tool: name,
            input,
            status: "open",
            seq: record.seq,
            isIntended: false,
            changes: [],
          });
      }
      if (run !== undefined && event.type === "results.recorded")
        for (const { callId, status } of event.message.parts) {
          const call = run.calls.findLast((found) => found.callId === callId);
          if (call !== undefined) call.status = status;
        }
      // A message to a run under way is part of that run.
      if (event.type === "steering.injected") runs = runs.filter((other) => !event.messageIds.includes(other.runId));
      conversation.applyTurn(runId, event);
    } else if (decoded.event.type === "call.started") {
      const call = runs
        .findLast(({ status }) => status === "unfinished")
        ?.calls.findLast(({ callId }) => callId === decoded.callId);
      if (call === undefined) continue;
      call.isIntended ||= decoded.event.changes !== undefined;
      call.changes = decoded.event.changes ?? call.changes;
    }
  }
  return {
    cwd,
    model,
    startedAt: records[0]?.time,
    changedAt: records.at(-1)?.time,
    runs,
    messages: conversation.messages,
    usage,
  };
};
