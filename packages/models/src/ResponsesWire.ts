import {
  type AssistantMessage,
  type ImagePart,
  type Json,
  type Message,
  type OutputSpec,
  type ReasoningPart,
  textOf,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type ToolSpec,
} from "@kumiko/plugin-api";
import { ownProviderData } from "./internal/ownProviderData.ts";
import { isStrictSchema } from "./internal/strictSchema.ts";
import { wireId, wireName } from "./internal/wireName.ts";

// What an OpenAI Responses body is made of, typed so that a test can hold it against the official client's types.

type InputContent =
  | { readonly type: "input_text"; readonly text: string }
  | { readonly type: "input_image"; readonly image_url: string; readonly detail: "auto" };

/** An item of the wire's input. */
export type ResponsesItem =
  | { readonly role: "user"; readonly content: string | Array<InputContent> }
  | { readonly role: "assistant"; readonly content: string }
  | {
      readonly type: "reasoning";
      readonly id: string;
      readonly summary: Array<{ readonly type: "summary_text"; readonly text: string }>;
      readonly encrypted_content: string;
    }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | {
      readonly type: "function_call_output";
      readonly call_id: string;
      readonly output: string | Array<InputContent>;
    };

/** A message as items. `model`: whose reasoning is sent back. */
export const responsesItems = (message: Message, model: string): Array<ResponsesItem> => {
  if (message.role === "tool") return message.parts.map(outputItem);
  if (message.role === "assistant") return assistantItems(message, model);
  return [
    {
      role: "user",
      content: message.parts.every((part) => part.type === "text") ? textOf(message) : message.parts.map(inputContent),
    },
  ];
};

export interface ResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, Json>;
  readonly strict: false;
}

export const responsesTools = (tools: ReadonlyArray<ToolSpec>): Array<ResponsesTool> =>
  tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    parameters: { ...inputSchema },
    // The default would be true, which refuses schemas with optional fields.
    strict: false,
  }));

export interface ResponsesText {
  readonly format: {
    readonly type: "json_schema";
    readonly name: string;
    readonly strict: boolean;
    readonly schema: Record<string, Json>;
  };
}

export const responsesText = ({ name, schema }: OutputSpec): ResponsesText => ({
  format: { type: "json_schema", name, strict: isStrictSchema(schema), schema: { ...schema } },
});

const inputContent = (part: TextPart | ImagePart): InputContent =>
  part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}`, detail: "auto" };

const assistantItems = (message: AssistantMessage, model: string): Array<ResponsesItem> => {
  const items = message.parts.flatMap((part): ReadonlyArray<ResponsesItem> => {
    if (part.type === "tool-call") return [callItem(part)];
    if (part.type === "reasoning") return reasoningItem(part, model);
    return part.text === "" ? [] : [{ role: "assistant", content: part.text }];
  });
  // A reply that was cut while it reasoned: the API takes no reasoning without what it led to.
  const last = items.findLastIndex((item) => !("type" in item) || item.type !== "reasoning");
  return items.slice(0, last + 1);
};

const reasoningItem = ({ providerData, text }: ReasoningPart, model: string): ReadonlyArray<ResponsesItem> => {
  const { id, encrypted_content: encrypted } = ownProviderData(providerData, "responses", model) ?? {};
  if (typeof id !== "string" || typeof encrypted !== "string") return [];
  const summary = text === "" ? [] : [{ type: "summary_text" as const, text }];
  return [{ type: "reasoning", id, summary, encrypted_content: encrypted }];
};

const callItem = (call: ToolCallPart): ResponsesItem => ({
  type: "function_call",
  call_id: wireId(call.id),
  name: wireName(call.name),
  arguments: JSON.stringify(call.malformed === undefined ? call.input : { malformed_arguments: call.malformed }),
});

const outputItem = ({ callId, images, text }: ToolResultPart): ResponsesItem => ({
  type: "function_call_output",
  call_id: wireId(callId),
  output:
    images === undefined || images.length === 0
      ? text
      : [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images].map(inputContent),
});
