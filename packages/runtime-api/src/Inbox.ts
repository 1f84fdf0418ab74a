import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import type { JournalFailed } from "./Journal.ts";

/**
 * What comes to a session from outside. A message steers the run that is under way (it sees it before its next model
 * call) or waits for a run of its own. A pause holds the run before its next model call; an abort ends it.
 */
export const InboxItem = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("message"),
    text: Schema.String,
    delivery: Schema.Literals(["steer", "follow-up"]),
  }),
  Schema.Struct({ type: Schema.Literal("abort"), reason: Schema.String }),
  Schema.Struct({ type: Schema.Literal("pause") }),
  Schema.Struct({ type: Schema.Literal("unpause") }),
]);
export type InboxItem = typeof InboxItem.Type;

/** An item as it stands in line. */
export interface InboxTicket {
  /** 1, 2, 3, …: messages are taken in this order. */
  readonly ticket: number;
  /** When it was posted, in milliseconds since 1970. */
  readonly time: number;
  readonly item: InboxItem;
}

/** An item that was not taken in. */
export class InboxRefused extends Schema.TaggedError<InboxRefused>()("InboxRefused", {
  reason: Schema.Literals(["full", "unknown-session", "unavailable"]),
  sessionKey: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return this.detail;
  }
}

/**
 * Input to sessions, posted from any process.
 *
 * **Contract.** What `post` has accepted survives the death of both processes and is delivered once: a ticket counts as
 * taken when an append of the session's writer says so (`taken`). Messages come in the order of their tickets; aborts,
 * pauses and their ends have a lane of their own and come first. At most {@link inboxCapacity} items wait in each lane;
 * more are refused.
 */
export class Inbox extends Context.Service<
  Inbox,
  {
    readonly post: (sessionKey: string, item: InboxItem) => Effect.Effect<number, InboxRefused>;
    /** What was not taken yet, the control lane first, without waiting. */
    readonly waiting: (sessionKey: string) => Effect.Effect<ReadonlyArray<InboxTicket>, JournalFailed>;
    /** Waits until there are items that were neither taken nor are `seen`, and gives them: the control lane first. */
    readonly next: (
      sessionKey: string,
      seen: ReadonlySet<number>,
    ) => Effect.Effect<ReadonlyArray<InboxTicket>, JournalFailed>;
  }
>()("@kumiko/runtime-api/Inbox") {}

/** Items that may wait in a lane of one session's inbox. */
export const inboxCapacity = 100;
