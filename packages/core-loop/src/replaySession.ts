import { replay, type SnapshotOf } from "@kumiko/machine-kit";
import type { JournalRecord } from "@kumiko/runtime-api";
import { Conversation } from "./Conversation.ts";
import { earlierCall, type EarlierCall } from "./EarlierCall.ts";
import { KnownFiles } from "./KnownFiles.ts";
import { type SessionEvent, sessionMachine } from "./session.machine.ts";
import { decodeEvent } from "./sessionRecords.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import type { TurnEvent } from "./turn.machine.ts";

/** A session as its records leave it. */
export interface ReplayedSession {
  readonly snapshot: SnapshotOf<typeof sessionMachine>;
  readonly conversation: Conversation;
  readonly files: KnownFiles;
  /** Events of the run under way; none where none is. */
  readonly turn: ReadonlyArray<TurnEvent>;
  /** Calls of that run's last reply. */
  readonly calls: Map<string, EarlierCall>;
  /** What runs that have not begun were told on top of the prompt. */
  readonly instructions: ReadonlyMap<string, string>;
}

/** Builds a session from its records: states by replay, everything else as projections of the same events. */
export const replaySession = (records: ReadonlyArray<JournalRecord>, maxWaiting: number): ReplayedSession => {
  const conversation = new Conversation();
  const files = new KnownFiles();
  const instructions = new Map<string, string>();
  const sessionEvents: Array<SessionEvent> = [];
  let turn: Array<TurnEvent> = [];
  let calls = new Map<string, Array<Array<ToolCallEvent>>>();

  for (const record of records) {
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
      calls = new Map();
    } else if (decoded.actor === "run") {
      const { event } = decoded;
      turn.push(event);
      conversation.applyTurn(decoded.runId, event);
      if (event.type !== "results.recorded") continue;
      files.learn(event.files ?? []);
      calls = new Map();
    } else {
      const attempts = calls.get(decoded.callId) ?? [];
      calls.set(decoded.callId, attempts);
      const attempt = (attempts[decoded.attempt - 1] ??= []);
      attempt.push(decoded.event);
    }
  }
  return {
    snapshot: replay(sessionMachine, { maxWaiting }, sessionEvents).snapshot,
    conversation,
    files,
    turn,
    calls: new Map([...calls].map(([callId, attempts]) => [callId, earlierCall(attempts)])),
    instructions,
  };
};
