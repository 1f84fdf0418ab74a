import { isJsonObject } from "@kumiko/plugin-api";
import type { JournalEntry, JournalRecord } from "@kumiko/runtime-api";
import { callOf } from "./EarlierCall.ts";
import type { ModelRef, RetryPolicy } from "./ModelRecovery.ts";
import type { SessionEvent } from "./session.machine.ts";
import type { ToolCallEvent } from "./tool-call.machine.ts";
import type { TurnEvent } from "./turn.machine.ts";

/** A run began, and keeps the limits it began with, whoever goes on with it. */
export type RunBegan = {
  readonly type: "run.began";
  readonly maxIterations: { readonly standard: number; readonly gui: number };
  readonly models?: ReadonlyArray<ModelRef>;
  readonly retry?: RetryPolicy;
};

/** The conversation was taken back: only its first `messages` messages count from here on. What was said stays written. */
export interface ConversationRewound {
  readonly type: "conversation.rewound";
  readonly messages: number;
}

/** Somebody opened the session for writing. */
export interface SessionOpened {
  readonly type: "session.opened";
  readonly cwd: string;
  readonly model: string;
}

/** An event of a session's journal, by whose it is. */
export type SessionRecord =
  | { readonly actor: "session"; readonly event: SessionEvent | ConversationRewound }
  | { readonly actor: "run"; readonly runId: string; readonly event: TurnEvent | RunBegan }
  | { readonly actor: "call"; readonly callId: string; readonly attempt: number; readonly event: ToolCallEvent };

/**
 * The event in a record, as its actor knows it; undefined for intents and for actors that are none of the loop's. What
 * was written by the loop is read by the loop: a body is not checked again, its file's checksum vouches for it.
 */
export const decodeEvent = ({ actor, body, kind }: JournalRecord): SessionRecord | undefined => {
  // What is no event of any version is passed over, as events of later ones are by the machines.
  if (kind !== "event" || !isJsonObject(body) || typeof body["type"] !== "string") return undefined;
  if (actor === "session") return { actor, event: trusted<SessionEvent | ConversationRewound>(body) };
  if (actor.startsWith("run:"))
    return { actor: "run", runId: actor.slice(4), event: trusted<TurnEvent | RunBegan>(body) };
  const call = callOf(actor);
  return call === undefined ? undefined : { actor: "call", ...call, event: trusted<ToolCallEvent>(body) };
};

/** The message that the session refused with this record. */
export const refusedIn = ({ actor, body, kind }: JournalRecord): string | undefined =>
  kind === "intent" && actor === "session" && isJsonObject(body) && body["type"] === "intent.refuseRun"
    ? String(body["runId"])
    : undefined;

/** What a record says of an opening, where it is about one. */
export const openedIn = ({ actor, body }: JournalRecord): SessionOpened | undefined =>
  actor === "about" && isJsonObject(body) && body["type"] === "session.opened"
    ? trusted<SessionOpened>(body)
    : undefined;

/** The entry that ends the copied past of a fork: what stands before it happened in the session `from`. */
export const forkMark = (from: string): JournalEntry => ({
  actor: "about",
  kind: "event",
  body: { type: "session.forked", from },
});

export const isForkMark = ({ actor, body }: JournalEntry): boolean =>
  actor === "about" && isJsonObject(body) && body["type"] === "session.forked";

const trusted = <A>(body: unknown): A => body as A;
