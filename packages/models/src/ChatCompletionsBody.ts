import type { JsonObject, Message, ModelRequest, ToolSpec } from "@kumiko/plugin-api";
import {
  type ChatMessage,
  chatMessages,
  chatResponseFormat,
  chatTools,
  type SentReasoning,
} from "./ChatCompletionsWire.ts";
import { moreFields, textOnce, valueOnce } from "./internal/serialisedOnce.ts";

/** What of a Chat Completions body does not come from the request. */
export interface ChatCompletionsBodyOptions {
  readonly model: string;
  /** How the server wants the output limit to be called. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Used where the request names no limit. */
  readonly maxOutputTokens?: number;
  /** Field in which reasoning goes back to the model it came from. Absent: it is left out. */
  readonly sendsReasoning?: SentReasoning["field"];
  /** Put into every body as they are. */
  readonly extraBody?: JsonObject;
}

const encoder = new TextEncoder();

const textOfMessages = (messages: ReadonlyArray<ChatMessage>): string =>
  messages.map((message) => JSON.stringify(message)).join(",");

// Messages and tool lists are immutable, so each is serialised once for all models of this wire format; only what
// holds a model's own reasoning is the model's.
const commonText = valueOnce((message: Message) => textOfMessages(chatMessages(message)));
const textOfTools = valueOnce((tools: ReadonlyArray<ToolSpec>) => `,"tools":${JSON.stringify(chatTools(tools))}`);

/**
 * Makes the function that turns a request into the bytes of a streaming Chat Completions body.
 *
 * Each message, tool list and system prompt is serialised once, by identity: a turn costs one copy of the text, and no
 * `JSON.stringify` of what came before. Reasoning is left out unless `sendsReasoning` asks for it.
 */
export const makeChatCompletionsBody = (
  options: ChatCompletionsBodyOptions,
): ((request: ModelRequest) => Uint8Array) => {
  const { model, sendsReasoning: field } = options;
  const head = `{"model":${JSON.stringify(model)},"stream":true,"stream_options":{"include_usage":true}${moreFields(options.extraBody)}`;
  const textOfSystem = textOnce((system) => textOfMessages([{ role: "system", content: system }]));
  const textOfMessage =
    field === undefined
      ? commonText
      : valueOnce((message: Message) => textOfMessages(chatMessages(message, { field, model })));

  return (request) => {
    const messages: Array<string> = [];
    if (request.system !== "") messages.push(textOfSystem(request.system));
    for (const message of request.messages) {
      const text = textOfMessage(message);
      if (text !== "") messages.push(text);
    }
    const tools = request.tools.length > 0 ? textOfTools(request.tools) : "";
    return encoder.encode(`${head}${tools}${settingsOf(request, options)},"messages":[${messages.join(",")}]}`);
  };
};

const settingsOf = (request: ModelRequest, options: ChatCompletionsBodyOptions): string => {
  const limit = request.maxOutputTokens ?? options.maxOutputTokens;
  return moreFields({
    ...(request.tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    ...(limit === undefined ? {} : { [options.maxTokensField]: limit }),
    ...(request.output === undefined ? {} : { response_format: chatResponseFormat(request.output) }),
  });
};
