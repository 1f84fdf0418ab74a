import type { ModelFailureReason, StopReason } from "@kumiko/plugin-api";
import type { Frame, FramePlace } from "./Frame.ts";
import type { ScriptedReply, WireFormat } from "./ReplyScript.ts";

/** An answer that is no stream. `{key}` in the body becomes the key the client sent: careless servers echo it. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a client must make of a fault; more than one is right where the wire leaves it open. */
export interface Expected {
  /** The scripted reply, as the fault has changed it, must come through whole. */
  readonly reply?: true;
  /** The reply may come with its calls marked as malformed. With `reply`: or as they were meant. */
  readonly malformedCalls?: true;
  /** Stop reasons that are right; absent: the scripted one. */
  readonly stopReasons?: ReadonlyArray<StopReason>;
  /** Failures that are right. */
  readonly failures?: ReadonlyArray<ModelFailureReason>;
  readonly retryAfterMillis?: number;
}

/** One way to misbehave, as data. A {@link ModelServer} plays it for one request. */
export interface Fault {
  /** What the server does, in a sentence. */
  readonly does: string;
  readonly expected: Expected;
  /** Formats that can misbehave so. Default: all. */
  readonly wires?: ReadonlyArray<WireFormat>;
  /** Changes what the script says before it is put into a format. */
  readonly reply?: (reply: ScriptedReply) => ScriptedReply;
  /** Changes the frames. */
  readonly frames?: (frames: ReadonlyArray<Frame>, wire: WireFormat) => ReadonlyArray<Frame>;
  /** Stops after the first frame of this place; `isTorn`: within it. */
  readonly cut?: { readonly at: FramePlace; readonly isTorn?: true };
  /** How frames become writes. Default: one each. */
  readonly delivery?: "frames" | "bytes" | "at-once" | "comments" | "crlf";
  /** What follows the frames. Default `end`. `open`: all was said, yet the stream stays open. */
  readonly ending?: "end" | "reset" | "silence" | "pings" | "open";
  /** What comes in place of a stream. */
  readonly answer?: (wire: WireFormat) => PlainAnswer;
  /** What comes in place of any answer. `slow`: the answer, later. */
  readonly connection?: "reset" | "silence" | "slow";
  /** How the whole server must listen for it. */
  readonly listens?: "self-signed" | "plain-at-https";
}
