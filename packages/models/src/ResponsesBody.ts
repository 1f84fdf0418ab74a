import type { JsonObject, Message, ModelRequest, ToolSpec } from "@kumiko/plugin-api";
import { moreFields, textOnce, valueOnce } from "./internal/serialisedOnce.ts";
import { responsesItems, responsesText, responsesTools } from "./ResponsesWire.ts";

/** How a reasoning model reasons, and whether it tells of it. */
export interface ResponsesReasoning {
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
  /** Absent: nothing of the reasoning can be read; it goes back to the model all the same. */
  readonly summary?: "auto" | "concise" | "detailed";
}

/** What of a Responses body does not come from the request. */
export interface ResponsesBodyOptions {
  readonly model: string;
  /** Used where the request names no limit. */
  readonly maxOutputTokens?: number;
  /** For reasoning models: their reasoning is asked for in encrypted form and goes back with the conversation. */
  readonly reasoning?: ResponsesReasoning;
  /** Put into every body as they are. */
  readonly extraBody?: JsonObject;
}

const encoder = new TextEncoder();

/**
 * Makes the function that turns a request into the bytes of a streaming Responses body. Nothing is stored at the
 * provider: the whole conversation is sent, each message serialised once. Reasoning goes back to the model it came from,
 * in its place.
 */
export const makeResponsesBody = (options: ResponsesBodyOptions): ((request: ModelRequest) => Uint8Array) => {
  const { model, reasoning, maxOutputTokens } = options;
  const itemsOf = valueOnce((message: Message) => joined(responsesItems(message, model)));
  const textOfTools = valueOnce((tools: ReadonlyArray<ToolSpec>) => `,"tools":[${joined(responsesTools(tools))}]`);
  const textOfSystem = textOnce((system) => moreFields({ instructions: system }));
  const head = JSON.stringify({
    model,
    stream: true,
    store: false,
    ...(reasoning === undefined ? {} : { reasoning, include: ["reasoning.encrypted_content"] }),
  }).slice(0, -1);
  const more = moreFields(options.extraBody);

  return (request) => {
    const limit = request.maxOutputTokens ?? maxOutputTokens;
    const settings = moreFields({
      ...(limit === undefined ? {} : { max_output_tokens: limit }),
      ...(request.output === undefined ? {} : { text: responsesText(request.output) }),
      ...(request.tools.length > 0 && request.toolChoice === "none" ? { tool_choice: "none" } : {}),
    });
    const tools = request.tools.length === 0 ? "" : textOfTools(request.tools);
    const system = request.system === "" ? "" : textOfSystem(request.system);
    const items = request.messages.map(itemsOf).filter((text) => text !== "");
    return encoder.encode(`${head}${more}${settings}${tools}${system},"input":[${items.join(",")}]}`);
  };
};

const joined = (values: ReadonlyArray<object>): string => values.map((value) => JSON.stringify(value)).join(",");
