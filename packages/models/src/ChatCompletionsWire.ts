import {
  type AssistantMessage,
  type ImagePart,
  type Json,
  type JsonObject,
  type Message,
  type OutputSpec,
  textOf,
  type ToolCallPart,
  type ToolMessage,
  type ToolSpec,
  type UserMessage,
} from "@kumiko/plugin-api";
import { ownProviderData } from "./internal/ownProviderData.ts";
import { isStrictSchema } from "./internal/strictSchema.ts";
import { objectsIn } from "./internal/wireJson.ts";
import { wireId, wireName } from "./internal/wireName.ts";

// What a Chat Completions body is made of, typed so that a test can hold it against the official client's types.

/** Which field reasoning goes back in, and for which model; `extra_content` is one of each call. */
export interface SentReasoning {
  readonly field: "reasoning_content" | "reasoning_details" | "extra_content";
  readonly model: string;
}

interface WireText {
  readonly type: "text";
  readonly text: string;
}
interface WireImage {
  readonly type: "image_url";
  readonly image_url: { readonly url: string };
}
interface WireCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
  readonly extra_content?: Json;
}

/** A message of the wire's. */
export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | Array<WireText | WireImage> }
  | {
      readonly role: "assistant";
      readonly content: string | null;
      readonly tool_calls?: Array<WireCall>;
      readonly reasoning_content?: string;
      readonly reasoning_details?: ReadonlyArray<Json>;
    }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

/** A message as the wire has it: one may be several, or none. */
export const chatMessages = (message: Message, reasoning?: SentReasoning): Array<ChatMessage> => {
  if (message.role === "user") return [wireUser(message)];
  return message.role === "assistant" ? [wireAssistant(message, reasoning)] : wireResults(message);
};

export interface ChatTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: Record<string, Json> };
}

export const chatTools = (tools: ReadonlyArray<ToolSpec>): Array<ChatTool> =>
  tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: { ...inputSchema } },
  }));

export interface ChatResponseFormat {
  readonly type: "json_schema";
  readonly json_schema: { readonly name: string; readonly strict: boolean; readonly schema: Record<string, Json> };
}

export const chatResponseFormat = ({ name, schema }: OutputSpec): ChatResponseFormat => ({
  type: "json_schema",
  json_schema: { name, strict: isStrictSchema(schema), schema: { ...schema } },
});

const wireUser = (message: UserMessage): ChatMessage => ({
  role: "user",
  content: message.parts.every((part) => part.type === "text")
    ? textOf(message)
    : message.parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : wireImage(part))),
});

const wireImage = (image: ImagePart): WireImage => ({
  type: "image_url",
  image_url: { url: `data:${image.mediaType};base64,${image.data}` },
});

const wireAssistant = (message: AssistantMessage, reasoning: SentReasoning | undefined): ChatMessage => {
  const text = textOf(message);
  const calls = message.parts.filter((part) => part.type === "tool-call");
  return {
    role: "assistant",
    content: calls.length > 0 && text === "" ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => wireCall(call, reasoning)) }),
    ...(reasoning === undefined ? {} : sentReasoning(message, reasoning)),
  };
};

const sentReasoning = (message: AssistantMessage, { field, model }: SentReasoning): JsonObject => {
  const thoughts = message.parts.filter((part) => part.type === "reasoning");
  const own = thoughts
    .map(({ providerData }) => ownProviderData(providerData, "chat", model))
    .filter((data) => data !== undefined);
  if (own.length === 0 || field === "extra_content") return {};
  if (field === "reasoning_content") return { reasoning_content: thoughts.map(({ text }) => text).join("") };
  const details = own.flatMap((data) => objectsIn(data, "reasoning_details"));
  return details.length === 0 ? {} : { reasoning_details: details };
};

// Servers parse the arguments of earlier calls, so what was no JSON goes back as an object that holds it.
const wireCall = (call: ToolCallPart, reasoning: SentReasoning | undefined): WireCall => ({
  id: wireId(call.id),
  type: "function",
  function: {
    name: wireName(call.name),
    arguments: JSON.stringify(call.malformed === undefined ? call.input : { malformed_arguments: call.malformed }),
  },
  ...(reasoning?.field === "extra_content" ? extraContent(call, reasoning.model) : {}),
});

const extraContent = (call: ToolCallPart, model: string): JsonObject => {
  const extra = ownProviderData(call.providerData, "chat", model)?.["extra_content"];
  return extra === undefined ? {} : { extra_content: extra };
};

// A tool message holds text only: images of results follow in a user message of their own.
const wireResults = (message: ToolMessage): Array<ChatMessage> => {
  const results = message.parts.map((part): ChatMessage => ({
    role: "tool",
    tool_call_id: wireId(part.callId),
    content: part.text,
  }));
  const images = message.parts.flatMap((part): ReadonlyArray<WireText | WireImage> =>
    part.images === undefined || part.images.length === 0
      ? []
      : [
          { type: "text", text: `Images of the result of ${wireName(part.name)} (${wireId(part.callId)}):` },
          ...part.images.map(wireImage),
        ],
  );
  return images.length === 0 ? results : [...results, { role: "user", content: images }];
};
