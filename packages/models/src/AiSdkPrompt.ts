import {
  type AssistantMessage,
  type ImagePart,
  isJsonObject,
  type Json,
  type Message,
  type ToolResultPart,
} from "@kumiko/plugin-api";
import { isList } from "./internal/wireJson.ts";
import { ownProviderData } from "./internal/ownProviderData.ts";

// What the AI SDK's models are asked with, typed so that a test can hold it against the SDK's own types.

/** JSON that others may change: what is handed to the SDK is a copy. */
type AiSdkJson = null | boolean | number | string | Array<AiSdkJson> | AiSdkObject;
interface AiSdkObject {
  [key: string]: AiSdkJson;
}
type ProviderOptions = Record<string, AiSdkObject>;

/** How a version of the specification writes images: `file` in a message, `media` in a tool's result. */
export interface AiSdkForm<File, Media> {
  readonly file: (image: ImagePart) => File;
  readonly media: (image: ImagePart) => Media;
}

interface Text {
  readonly type: "text";
  readonly text: string;
}
interface Reasoning extends Omit<Text, "type"> {
  readonly type: "reasoning";
  readonly providerOptions?: ProviderOptions;
}
interface Call {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: AiSdkJson;
  readonly providerOptions?: ProviderOptions;
}
interface Result<Media> {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output:
    | { readonly type: "text" | "error-text"; readonly value: string }
    | { readonly type: "content"; readonly value: Array<Text | Media> };
}

export type AiSdkMessage<File, Media> =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: Array<Text | File> }
  | { readonly role: "assistant"; readonly content: Array<Text | Reasoning | Call> }
  | { readonly role: "tool"; readonly content: Array<Result<Media>> };

export const aiSdkFormV2 = {
  file: ({ data, mediaType }: ImagePart) => ({ type: "file" as const, data, mediaType }),
  media: ({ data, mediaType }: ImagePart) => ({ type: "media" as const, data, mediaType }),
};

export const aiSdkFormV3 = {
  file: aiSdkFormV2.file,
  media: ({ data, mediaType }: ImagePart) => ({ type: "image-data" as const, data, mediaType }),
};

const fileV4 = ({ data, mediaType }: ImagePart) => ({
  type: "file" as const,
  data: { type: "data" as const, data },
  mediaType,
});
export const aiSdkFormV4 = { file: fileV4, media: fileV4 };

/** A conversation as the SDK has it. `model`: whose metadata is handed back. */
export const aiSdkMessages = <File, Media>(
  system: string,
  messages: ReadonlyArray<Message>,
  form: AiSdkForm<File, Media>,
  model: string,
): Array<AiSdkMessage<File, Media>> => [
  ...(system === "" ? [] : [{ role: "system" as const, content: system }]),
  ...messages.map((message): AiSdkMessage<File, Media> => {
    if (message.role === "tool")
      return { role: "tool", content: message.parts.map((part) => resultPart(part, form.media)) };
    if (message.role === "assistant") return { role: "assistant", content: assistantParts(message, model) };
    return {
      role: "user",
      content: message.parts.map((part) =>
        part.type === "text" ? { type: "text" as const, text: part.text } : form.file(part),
      ),
    };
  }),
];

const assistantParts = (message: AssistantMessage, model: string): Array<Text | Reasoning | Call> =>
  message.parts.flatMap((part): ReadonlyArray<Text | Reasoning | Call> => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    const providerOptions = metadataOf(part.providerData, model);
    const kept = providerOptions === undefined ? {} : { providerOptions };
    // Reasoning that its provider would not know again stays away.
    if (part.type === "reasoning")
      return providerOptions === undefined ? [] : [{ type: "reasoning", text: part.text, ...kept }];
    const input = part.malformed === undefined ? part.input : { malformed_arguments: part.malformed };
    return [{ type: "tool-call", toolCallId: part.id, toolName: part.name, input: copyOf(input), ...kept }];
  });

const resultPart = <Media>(part: ToolResultPart, media: (image: ImagePart) => Media): Result<Media> => {
  const { callId, images = [], name, status, text } = part;
  return {
    type: "tool-result",
    toolCallId: callId,
    toolName: name,
    output:
      images.length > 0
        ? { type: "content", value: [...(text === "" ? [] : [{ type: "text" as const, text }]), ...images.map(media)] }
        : { type: status === "ok" ? "text" : "error-text", value: text },
  };
};

const metadataOf = (data: Json | undefined, model: string): ProviderOptions | undefined => {
  const metadata = ownProviderData(data, "aiSdk", model)?.["metadata"];
  if (!isJsonObject(metadata)) return undefined;
  return Object.fromEntries(
    Object.entries(metadata).flatMap(([provider, value]) => {
      const copy = copyOf(value);
      return isObject(copy) ? [[provider, copy]] : [];
    }),
  );
};

const isObject = (value: AiSdkJson): value is AiSdkObject => isJsonObject(value);

const copyOf = (value: Json): AiSdkJson => {
  if (isList(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return isScalar(value) ? value : null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
};

const isScalar = (value: Json): value is null | boolean | number | string =>
  value === null || typeof value !== "object";
