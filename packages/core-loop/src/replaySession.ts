import { replay, type SnapshotOf, stepperOf } from "@kumiko/machine-kit";
import { isJsonObject } from "@kumiko/plugin-api";
import type { JournalRecord } from "@kumiko/runtime-api";
import { Conversation } from "./Conversation.ts";
import { earlierCall, type EarlierCall } from "./EarlierCall.ts";
import { KnownFiles } from "./KnownFiles.ts";
import { type SessionEvent, type SessionIntent, sessionMachine } from "./session.machine.ts";
import { decodeEvent, refusedIn, type RunBegan } from "./sessionRecords.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import type { TurnEvent } from "./turn.machine.ts";

/** A session as its records leave it. */
export interface ReplayedSession {
  readonly snapshot: SnapshotOf<typeof sessionMachine>;
  readonly conversation: Conversation;
  readonly files: KnownFiles;
  /** Events of the run under way; none where none is. */
  readonly turn: ReadonlyArray<TurnEvent>;
  /** The limits that run began with. */
  readonly maxIterations: RunBegan["maxIterations"] | undefined;
  /** Calls of that run's last reply. */
  readonly calls: Map<string, EarlierCall>;
  /** What runs that have not begun were told on top of the prompt. */
  readonly instructions: ReadonlyMap<string, string>;
}

/** More than anybody starts a program over one call; what says more is not ours. */
const maxAttempts = 10_000;

/**
 * Builds a session from its records: states by replay, everything else as projections of the same events. What was
 * accepted stays accepted and what was refused refused, whatever the bounds are now.
 */
export const replaySession = (records: ReadonlyArray<JournalRecord>, maxWaiting: number): ReplayedSession => {
  const conversation = new Conversation();
  const files = new KnownFiles();
  const instructions = new Map<string, string>();
  let sessionEvents: Array<SessionEvent> = [];
  let turn: Array<TurnEvent> = [];
  let maxIterations: RunBegan["maxIterations"] | undefined;
  let calls = new Map<string, Array<Array<ToolCallEvent>>>();

  for (const record of records) {
    const refused = refusedIn(record);
    if (refused !== undefined) {
      conversation.forget(refused);
      sessionEvents = sessionEvents.filter((event) => event.type !== "message.accepted" || event.runId !== refused);
    }
    const decoded = decodeEvent(record);
    if (decoded === undefined) continue;
    if (decoded.actor === "session") {
      const { event } = decoded;
      conversation.applySession(event);
      if (event.type === "conversation.rewound") continue;
      sessionEvents.push(event);
      if (event.type === "message.accepted" && event.instructions !== undefined)
        instructions.set(event.runId, event.instructions);
      if (event.type !== "run.ended") continue;
      instructions.delete(event.runId);
      turn = [];
      maxIterations = undefined;
      calls = new Map();
    } else if (decoded.actor === "run") {
      const { event } = decoded;
      if (event.type === "run.began") {
        ({ maxIterations } = event);
        continue;
      }
      turn.push(event);
      conversation.applyTurn(decoded.runId, event);
      if (event.type !== "results.recorded") continue;
      files.learn(event.files ?? []);
      calls = new Map();
    } else {
      if (decoded.attempt > maxAttempts) continue;
      const attempts = calls.get(decoded.callId) ?? [];
      calls.set(decoded.callId, attempts);
      const attempt = (attempts[Math.max(decoded.attempt, 1) - 1] ??= []);
      attempt.push(decoded.event);
    }
  }
  return {
    snapshot: boundedBy(
      replay(sessionMachine, { maxWaiting: Number.MAX_SAFE_INTEGER }, sessionEvents).snapshot,
      maxWaiting,
    ),
    conversation,
    files,
    turn,
    maxIterations,
    calls: new Map([...calls].map(([callId, attempts]) => [callId, earlierCall(attempts)])),
    instructions,
  };
};

// The same state, with the bound of today.
const boundedBy = (
  snapshot: SnapshotOf<typeof sessionMachine>,
  maxWaiting: number,
): SnapshotOf<typeof sessionMachine> => {
  const { decode, encode } = stepperOf(sessionMachine);
  const encoded = encode(snapshot);
  return isJsonObject(encoded) && isJsonObject(encoded["context"])
    ? decode({ ...encoded, context: { ...encoded["context"], maxWaiting } })
    : snapshot;
};

/** The run that was under way, with what it had done. */
export const unfinishedTurn = ({
  calls,
  maxIterations,
  snapshot,
  turn,
}: ReplayedSession):
  | (Pick<ReplayedSession, "calls" | "maxIterations" | "turn"> & { readonly runId: string })
  | undefined => {
  const { running } = snapshot.context;
  return running === null || turn.length === 0 ? undefined : { runId: running, turn, calls, maxIterations };
};

/** What its actor is to begin with. */
export const intentsLeft = ({ snapshot }: ReplayedSession): ReadonlyArray<SessionIntent> => {
  const { running } = snapshot.context;
  return running === null ? [] : [{ type: "intent.startRun", key: `start ${running}`, runId: running }];
};
