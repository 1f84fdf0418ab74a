import { replay, type SnapshotOf } from "@kumiko/machine-kit";
import type { FileChange, Json, Recovery, SavedChange, ToolOutput } from "@kumiko/plugin-api";
import { type ToolCallEvent, toolCallMachine } from "./tool-call.machine.ts";

/** A call of the last reply as an earlier process left it. */
export interface EarlierCall {
  /** How many times it was taken up; each time its machine began anew, under an actor of its own. */
  readonly attempts: number;
  /** It began, and may have had its effect. */
  readonly hasStarted: boolean;
  /** What it was about to change; the bytes stay where they are. */
  readonly changes: ReadonlyArray<FileChange>;
  /** The input it ran with, where it was not the model's own. */
  readonly input?: Json;
  readonly recovery?: Recovery;
  /** It ran to its end, and what came of it is known. */
  readonly settled?: {
    readonly snapshot: SnapshotOf<typeof toolCallMachine>;
    readonly output?: ToolOutput;
    readonly problem?: string;
  };
}

/** The actor of a call's n-th attempt, as the journal names it: `call:<id>`, `call2:<id>`, … */
export const callActor = (callId: string, attempt: number): string => `call${attempt === 1 ? "" : attempt}:${callId}`;

/** The call an actor's name is about; undefined: it is no call's. */
export const callOf = (actor: string): { readonly callId: string; readonly attempt: number } | undefined => {
  const match = /^call(\d*):([^]*)$/.exec(actor);
  if (match === null) return undefined;
  const [, attempt = "", callId = ""] = match;
  return { callId, attempt: attempt === "" ? 1 : Number(attempt) };
};

/** What the events of a call's attempts, in order, say of it. */
export const earlierCall = (attempts: ReadonlyArray<ReadonlyArray<ToolCallEvent>>): EarlierCall => {
  const started = attempts.flat().findLast((event) => event.type === "call.started");
  const last = attempts.at(-1) ?? [];
  const { snapshot } = replay(toolCallMachine, undefined, last);
  const changes = started?.type === "call.started" ? (started.changes ?? []).map(withoutBytes) : [];
  const { disposition, status } = snapshot.context;
  const isKnown = snapshot.value === "settled" && disposition === "executed" && status !== "cancelled";
  const end = last.at(-1);
  return {
    attempts: attempts.length,
    // Whatever became of later attempts: only a look-up that found nothing done lets it begin anew.
    hasStarted: isOpen(attempts.flat()),
    changes,
    ...(started?.type === "call.started" && started.input !== undefined ? { input: started.input } : {}),
    ...(started?.type === "call.started" && started.recovery !== undefined ? { recovery: started.recovery } : {}),
    ...(isKnown && hasText(end) ? { settled: { snapshot, ...textOf(end) } } : {}),
  };
};

const isOpen = (events: ReadonlyArray<ToolCallEvent>): boolean =>
  events.findLastIndex(({ type }) => type === "call.started") >
  events.findLastIndex(({ type }) => type === "call.notDone");

const withoutBytes = ({ after, before, path }: SavedChange): FileChange => ({ path, before, after });

const hasText = (event: ToolCallEvent | undefined): boolean =>
  (event?.type === "call.succeeded" && event.output !== undefined) ||
  (event?.type === "call.failed" && event.problem !== undefined);

const textOf = (event: ToolCallEvent | undefined): { readonly output?: ToolOutput; readonly problem?: string } => {
  if (event?.type === "call.succeeded" && event.output !== undefined) return { output: event.output };
  return event?.type === "call.failed" && event.problem !== undefined ? { problem: event.problem } : {};
};
