import { replay, type SnapshotOf, stepperOf } from "@kumiko/machine-kit";
import { isJsonObject } from "@kumiko/plugin-api";
import type { JournalRecord, RunRequest } from "@kumiko/runtime-api";
import { Conversation } from "./Conversation.ts";
import { earlierCall, type EarlierCall } from "./EarlierCall.ts";
import { KnownFiles } from "./KnownFiles.ts";
import { type SessionEvent, type SessionIntent, sessionMachine } from "./session.machine.ts";
import { decodeEvent, refusedIn, type RunBegan } from "./sessionRecords.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import type { TurnEvent } from "./turn.machine.ts";

/** What a run may ask for beside its prompt. */
type RunWish = Pick<RunRequest, "instructions" | "model" | "profile">;

/** A session as its records leave it. */
export interface ReplayedSession {
  readonly snapshot: SnapshotOf<typeof sessionMachine>;
  readonly conversation: Conversation;
  readonly files: KnownFiles;
  /** Events of the run under way; none where none is. */
  readonly turn: ReadonlyArray<TurnEvent>;
  /** What that run began with. */
  readonly began: RunBegan | undefined;
  /** Calls of that run's last reply. */
  readonly calls: Map<string, EarlierCall>;
  /** What runs that have not ended were asked for beside the prompt. */
  readonly wishes: ReadonlyMap<string, RunWish>;
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
  const wishes = new Map<string, RunWish>();
  let sessionEvents: Array<SessionEvent> = [];
  let turn: Array<TurnEvent> = [];
  let began: RunBegan | undefined;
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
      if (event.type === "message.accepted") wishes.set(event.runId, wishOf(event));
      if (event.type !== "run.ended") continue;
      wishes.delete(event.runId);
      turn = [];
      began = undefined;
      calls = new Map();
    } else if (decoded.actor === "run") {
      const { event } = decoded;
      if (event.type === "run.began") {
        began = event;
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
    began,
    calls: new Map([...calls].map(([callId, attempts]) => [callId, earlierCall(attempts)])),
    wishes,
  };
};

const wishOf = ({ instructions, model, profile }: RunWish): RunWish => ({
  ...(instructions === undefined ? {} : { instructions }),
  ...(model === undefined ? {} : { model }),
  ...(profile === undefined ? {} : { profile }),
});

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
  began,
  calls,
  snapshot,
  turn,
}: ReplayedSession): (Pick<ReplayedSession, "began" | "calls" | "turn"> & { readonly runId: string }) | undefined => {
  const { running } = snapshot.context;
  return running === null || turn.length === 0 ? undefined : { runId: running, turn, calls, began };
};

/** What its actor is to begin with. */
export const intentsLeft = ({ snapshot }: ReplayedSession): ReadonlyArray<SessionIntent> => {
  const { running } = snapshot.context;
  return running === null ? [] : [{ type: "intent.startRun", key: `start ${running}`, runId: running }];
};
