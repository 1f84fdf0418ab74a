import * as Schema from "effect/Schema";
import { Json } from "./Json.ts";

/** Plain text said by a user or an assistant. */
export const TextPart = Schema.Struct({ type: Schema.Literal("text"), text: Schema.String });
export type TextPart = typeof TextPart.Type;

/**
 * The model's reasoning. `providerData` is what the provider needs back unchanged (a signature, an id): an object whose
 * one key names the wire format it belongs to. Another format, and another model where that matters, leaves it out.
 */
export const ReasoningPart = Schema.Struct({
  type: Schema.Literal("reasoning"),
  text: Schema.String,
  providerData: Schema.optionalKey(Json),
});
export type ReasoningPart = typeof ReasoningPart.Type;

/** An image; `data` is base64. */
export const ImagePart = Schema.Struct({
  type: Schema.Literal("image"),
  mediaType: Schema.String,
  data: Schema.String,
});
export type ImagePart = typeof ImagePart.Type;

/**
 * A call the model proposes. `input` is the parsed arguments; where they were not valid JSON, `input` is `null` and
 * `malformed` holds the text as it came, so that the model can be told what it sent.
 */
export const ToolCallPart = Schema.Struct({
  type: Schema.Literal("tool-call"),
  id: Schema.String,
  name: Schema.String,
  input: Json,
  malformed: Schema.optionalKey(Schema.String),
  /** As of {@link ReasoningPart}: what the provider needs back with the call. */
  providerData: Schema.optionalKey(Json),
});
export type ToolCallPart = typeof ToolCallPart.Type;

/** How a call ended. `unknown`: it may or may not have had its effect (the process died meanwhile). */
export const ToolStatus = Schema.Literals(["ok", "error", "denied", "cancelled", "unknown"]);
export type ToolStatus = typeof ToolStatus.Type;

/** What a call gave, as the model reads it. */
export const ToolResultPart = Schema.Struct({
  type: Schema.Literal("tool-result"),
  callId: Schema.String,
  name: Schema.String,
  status: ToolStatus,
  text: Schema.String,
  images: Schema.optionalKey(Schema.Array(ImagePart)),
  /** Where the whole text is kept that `text` shows a part of: what to ask `result_read` for, and its content's digest. */
  kept: Schema.optionalKey(Schema.Struct({ reference: Schema.String, digest: Schema.String, characters: Schema.Int })),
});
export type ToolResultPart = typeof ToolResultPart.Type;

export const UserMessage = Schema.Struct({
  role: Schema.Literal("user"),
  parts: Schema.Array(Schema.Union([TextPart, ImagePart])),
});
export type UserMessage = typeof UserMessage.Type;

export const AssistantMessage = Schema.Struct({
  role: Schema.Literal("assistant"),
  parts: Schema.Array(Schema.Union([TextPart, ReasoningPart, ToolCallPart])),
});
export type AssistantMessage = typeof AssistantMessage.Type;

export const ToolMessage = Schema.Struct({ role: Schema.Literal("tool"), parts: Schema.Array(ToolResultPart) });
export type ToolMessage = typeof ToolMessage.Type;

/** One entry of a conversation. Messages are immutable: their identity may be used as a cache key. */
export const Message = Schema.Union([UserMessage, AssistantMessage, ToolMessage]);
export type Message = typeof Message.Type;

/** A user message of one text. */
export const userText = (text: string): UserMessage => ({ role: "user", parts: [{ type: "text", text }] });

/** The text of a message: its text parts joined; reasoning, calls and results do not count. */
export const textOf = (message: Message): string => {
  let text = "";
  for (const part of message.parts) if (part.type === "text") text += part.text;
  return text;
};

/** The calls an assistant message proposes, in the model's order. */
export const toolCallsOf = (message: AssistantMessage): ReadonlyArray<ToolCallPart> =>
  message.parts.filter((part) => part.type === "tool-call");
