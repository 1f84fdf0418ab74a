import {
  type AssistantMessage,
  type ImagePart,
  type JsonObject,
  type Message,
  type ModelRequest,
  textOf,
  type ToolCallPart,
  type ToolMessage,
  type ToolSpec,
  type UserMessage,
} from "@kumiko/plugin-api";

/** What of a Chat Completions body does not come from the request. */
export interface ChatCompletionsBodyOptions {
  readonly model: string;
  /** How the server wants the output limit to be called. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Used where the request names no limit. */
  readonly maxOutputTokens?: number;
}

const encoder = new TextEncoder();

// Messages and tool lists are immutable, so each is serialised once for all models of this wire format. As text, not as
// bytes: a small byte array costs 200 bytes more than it holds, and a session holds many.
const messageTexts = new WeakMap<Message, string>();
const toolTexts = new WeakMap<ReadonlyArray<ToolSpec>, string>();

/** How many system prompts an encoder keeps serialised; the oldest goes. A gateway's sessions share a few. */
const keptSystemPrompts = 64;

/**
 * Makes the function that turns a request into the bytes of a streaming Chat Completions body.
 *
 * Each message, tool list and system prompt is serialised once, by identity: a turn costs one copy of the text, and no
 * `JSON.stringify` of what came before. Reasoning is left out: the format has no place for it.
 */
export const makeChatCompletionsBody = (
  options: ChatCompletionsBodyOptions,
): ((request: ModelRequest) => Uint8Array) => {
  const head = `{"model":${JSON.stringify(options.model)},"stream":true,"stream_options":{"include_usage":true}`;
  const systemTexts = new Map<string, string>();
  const textOfSystem = (system: string): string => {
    const known = systemTexts.get(system);
    if (known !== undefined) return known;
    const text = JSON.stringify({ role: "system", content: system });
    const [oldest] = systemTexts.keys();
    if (oldest !== undefined && systemTexts.size >= keptSystemPrompts) systemTexts.delete(oldest);
    systemTexts.set(system, text);
    return text;
  };

  return (request) => {
    const messages: Array<string> = [];
    if (request.system !== "") messages.push(textOfSystem(request.system));
    for (const message of request.messages) {
      const text = textOfMessage(message);
      if (text !== "") messages.push(text);
    }
    const tools = request.tools.length > 0 ? textOfTools(request.tools) : "";
    return encoder.encode(`${head}${tools}${settingsOf(request, options)}${messages.join(",")}]}`);
  };
};

const settingsOf = (request: ModelRequest, options: ChatCompletionsBodyOptions): string => {
  const choice = request.tools.length > 0 && request.toolChoice === "none" ? ',"tool_choice":"none"' : "";
  const limit = request.maxOutputTokens ?? options.maxOutputTokens;
  return `${choice}${limit === undefined ? "" : `,"${options.maxTokensField}":${limit}`},"messages":[`;
};

const textOfTools = (tools: ReadonlyArray<ToolSpec>): string => {
  const known = toolTexts.get(tools);
  if (known !== undefined) return known;
  const specs = tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
  const text = `,"tools":${JSON.stringify(specs)}`;
  toolTexts.set(tools, text);
  return text;
};

// One message may be several of the wire's, or none.
const textOfMessage = (message: Message): string => {
  const known = messageTexts.get(message);
  if (known !== undefined) return known;
  const text = wireMessages(message)
    .map((wire) => JSON.stringify(wire))
    .join(",");
  messageTexts.set(message, text);
  return text;
};

const wireMessages = (message: Message): ReadonlyArray<JsonObject> => {
  if (message.role === "user") return [wireUser(message)];
  return message.role === "assistant" ? [wireAssistant(message)] : wireResults(message);
};

const wireUser = (message: UserMessage): JsonObject => ({
  role: "user",
  content: message.parts.every((part) => part.type === "text")
    ? textOf(message)
    : message.parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : wireImage(part))),
});

const wireImage = (image: ImagePart): JsonObject => ({
  type: "image_url",
  image_url: { url: `data:${image.mediaType};base64,${image.data}` },
});

const wireAssistant = (message: AssistantMessage): JsonObject => {
  const content = textOf(message);
  const calls = message.parts.filter((part) => part.type === "tool-call");
  if (calls.length === 0) return { role: "assistant", content };
  return { role: "assistant", content: content === "" ? null : content, tool_calls: calls.map(wireCall) };
};

// Servers parse the arguments of earlier calls, so what was no JSON goes back as an object that holds it.
const wireCall = (call: ToolCallPart): JsonObject => ({
  id: call.id,
  type: "function",
  function: {
    name: call.name,
    arguments: JSON.stringify(call.malformed === undefined ? call.input : { malformed_arguments: call.malformed }),
  },
});

// A tool message holds text only: images of results follow in a user message of their own.
const wireResults = (message: ToolMessage): ReadonlyArray<JsonObject> => {
  const results = message.parts.map((part) => ({ role: "tool", tool_call_id: part.callId, content: part.text }));
  const images = message.parts.flatMap((part) =>
    part.images === undefined || part.images.length === 0
      ? []
      : [
          { type: "text", text: `Images of the result of ${part.name} (${part.callId}):` },
          ...part.images.map(wireImage),
        ],
  );
  return images.length === 0 ? results : [...results, { role: "user", content: images }];
};
