import type { JsonObject, StopReason, Usage } from "@kumiko/plugin-api";

/** The wire formats a {@link ModelServer} speaks: Anthropic Messages, OpenAI Chat Completions, OpenAI Responses. */
export type WireFormat = "anthropic" | "chat" | "responses";

export const wireFormats: ReadonlyArray<WireFormat> = ["anthropic", "chat", "responses"];

/** A tool call of a scripted reply. */
export interface ScriptedCall {
  readonly name: string;
  readonly input: JsonObject;
  /** Default: `call_<reply>_<n>`, both from 0. Empty: none is sent. */
  readonly id?: string;
  /** Sent as it is in place of `input`: what a model that stumbles writes. */
  readonly argumentText?: string;
}

/** What the model answers to one request, in no wire format yet. Parts come in this order: reasoning, text, calls. */
export interface ScriptedReply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: ReadonlyArray<ScriptedCall>;
  /** Default: `tool-calls` where there are calls, else `end`. */
  readonly stopReason?: StopReason;
  /** Default: 30 tokens in, 5 out. */
  readonly usage?: Usage;
}

/** A scripted reply with its defaults filled in. */
export interface PlayedReply {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: ReadonlyArray<PlayedCall>;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

export interface PlayedCall {
  readonly id: string;
  readonly name: string;
  readonly argumentText: string;
}

/** Fills in what a script leaves out. `number` counts the replies of a session from 0. */
export const played = (reply: ScriptedReply, number: number): PlayedReply => {
  const { reasoning = "", text = "", calls = [], usage = { inputTokens: 30, outputTokens: 5 } } = reply;
  return {
    reasoning,
    text,
    calls: calls.map((call, index) => ({
      id: call.id ?? `call_${number}_${index}`,
      name: call.name,
      argumentText: call.argumentText ?? JSON.stringify(call.input),
    })),
    stopReason: reply.stopReason ?? (calls.length > 0 ? "tool-calls" : "end"),
    usage,
  };
};

/** A text in three pieces, so that a stream has places to break at. Characters are not cut: the bytes may be, later. */
export const pieces = (text: string): ReadonlyArray<string> => {
  const characters = Array.from(text);
  const third = Math.max(1, Math.ceil(characters.length / 3));
  return [0, 1, 2].map((n) => characters.slice(n * third, (n + 1) * third).join("")).filter((piece) => piece !== "");
};
