import type { ModelEvent, ModelReply, Usage } from "@kumiko/plugin-api";
import type * as Result from "effect/Result";
import { type CallProblem, tidy } from "./CallProblem.ts";

/** What a reply is read against. */
export interface ReplyOptions {
  readonly toolChoice: "auto" | "none";
  /** Messages of the request: makes the ids given to calls without one unique in the conversation. */
  readonly messageCount: number;
  /** Whether an id is that of a call in the conversation: some servers count from nought in each reply. Default: none is. */
  readonly isTaken?: (callId: string) => boolean;
  /** Bytes of the request's body: usage is estimated from it where the server tells none. */
  readonly requestBytes: number;
}

/** Reads the data of one reply's event stream into events and a reply. Never throws, whatever comes. */
export interface ReplyReader {
  /** Takes the data of one event. A problem is final. */
  readonly read: (data: string) => CallProblem | undefined;
  /** Whether the format's own end was read: nothing more will come. */
  readonly isDone: () => boolean;
  /** To be called once, when the stream is over: ends the open parts and gives the reply. */
  readonly finish: () => Result.Result<ModelReply, CallProblem>;
  /** What the call has cost so far, told or estimated; absent: the provider has not begun to answer. */
  readonly spent: () => Usage | undefined;
}

/** Makes the reader of one reply; `onEvent` is called synchronously while data is read. */
export type MakeReplyReader = (options: ReplyOptions, onEvent: (event: ModelEvent) => void) => ReplyReader;

/** The problem of event data that is no JSON object. */
export const notJson = (data: string): CallProblem => ({
  reason: "bad-response",
  detail: `the stream holds something that is no JSON object: ${tidy(data.slice(0, 80))}`,
});

export const streamIsEmpty: CallProblem = {
  reason: "bad-response",
  detail: "the server answered with a stream that holds no reply",
};

export const streamIsCut: CallProblem = {
  reason: "network",
  detail: "the stream ended before the reply was complete",
};
