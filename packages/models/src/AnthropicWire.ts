import {
  type AssistantMessage,
  type ImagePart,
  isJsonObject,
  type Json,
  type Message,
  type OutputSpec,
  type ReasoningPart,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  type ToolSpec,
} from "@kumiko/plugin-api";
import { ownProviderData } from "./internal/ownProviderData.ts";
import { closedSchema } from "./internal/strictSchema.ts";
import { wireName } from "./internal/wireName.ts";

// What an Anthropic Messages body is made of, typed so that a test can hold it against the official client's types.

interface TextBlock {
  readonly type: "text";
  readonly text: string;
}
type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";
interface ImageBlock {
  readonly type: "image";
  readonly source: { readonly type: "base64"; readonly media_type: ImageType; readonly data: string };
}

/** A content block of the wire's. */
export type AnthropicBlock =
  | TextBlock
  | ImageBlock
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: Json;
    }
  | {
      readonly type: "tool_result";
      readonly tool_use_id: string;
      readonly content: string | Array<TextBlock | ImageBlock>;
      readonly is_error?: true;
    };

/** A message as blocks. `model`: whose reasoning is sent back. */
export const anthropicBlocks = (message: Message, model: string): Array<AnthropicBlock> => {
  if (message.role === "user") return message.parts.flatMap(proseBlock);
  return message.role === "tool" ? message.parts.map(resultBlock) : assistantBlocks(message, model);
};

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: "object"; readonly [key: string]: Json };
}

export const anthropicTools = (tools: ReadonlyArray<ToolSpec>): Array<AnthropicTool> =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: { ...inputSchema, type: "object" },
  }));

export interface AnthropicFormat {
  readonly type: "json_schema";
  readonly schema: Record<string, Json>;
}

export const anthropicFormat = ({ schema }: OutputSpec): AnthropicFormat => ({
  type: "json_schema",
  schema: closedSchema(schema),
});

// The API refuses texts of white space alone, and images of other kinds.
const proseBlock = (part: TextPart | ImagePart): ReadonlyArray<TextBlock | ImageBlock> => {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  const { mediaType, data } = part;
  return isImageType(mediaType)
    ? [{ type: "image", source: { type: "base64", media_type: mediaType, data } }]
    : [{ type: "text", text: `[an image of type ${mediaType}, which cannot be shown]` }];
};

const isImageType = (mediaType: string): mediaType is ImageType => /^image\/(?:jpeg|png|gif|webp)$/.test(mediaType);

const assistantBlocks = (message: AssistantMessage, model: string): Array<AnthropicBlock> => {
  const blocks = message.parts.flatMap((part): ReadonlyArray<AnthropicBlock> => {
    if (part.type === "text") return proseBlock(part);
    return part.type === "tool-call" ? [callBlock(part)] : thoughtBlock(part, model);
  });
  // A reply that was cut while it thought: the API takes no message that ends so.
  const last = blocks.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking");
  return blocks.slice(0, last + 1);
};

const thoughtBlock = ({ providerData, text }: ReasoningPart, model: string): ReadonlyArray<AnthropicBlock> => {
  const { redacted, signature } = ownProviderData(providerData, "anthropic", model) ?? {};
  if (typeof redacted === "string") return [{ type: "redacted_thinking", data: redacted }];
  return typeof signature === "string" ? [{ type: "thinking", thinking: text, signature }] : [];
};

const callBlock = (call: ToolCallPart): AnthropicBlock => ({
  type: "tool_use",
  // Other servers give ids with characters that this API refuses, and models names.
  id: wireName(call.id),
  name: wireName(call.name),
  input:
    call.malformed === undefined
      ? isJsonObject(call.input)
        ? call.input
        : {}
      : { malformed_arguments: call.malformed },
});

const resultBlock = (result: ToolResultPart): AnthropicBlock => ({
  type: "tool_result",
  tool_use_id: wireName(result.callId),
  content:
    result.images === undefined || result.images.length === 0
      ? result.text
      : [{ type: "text" as const, text: result.text }, ...result.images].flatMap(proseBlock),
  ...(result.status === "ok" ? {} : { is_error: true }),
});
