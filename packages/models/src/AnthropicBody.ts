import type { JsonObject, Message, ModelRequest, ToolSpec } from "@kumiko/plugin-api";
import { anthropicBlocks, anthropicFormat, anthropicTools } from "./AnthropicWire.ts";
import { moreFields, textOnce, valueOnce } from "./internal/serialisedOnce.ts";

/**
 * How a model thinks. `enabled`: within a budget, the way of older models; `adaptive`: as it sees fit, which newer ones
 * want. `display` of `omitted` saves the time to stream what nobody reads.
 */
export type AnthropicThinking =
  | {
      readonly type: "enabled";
      readonly budget_tokens: number;
      readonly display?: "summarized" | "omitted";
    }
  | { readonly type: "adaptive"; readonly display?: "summarized" | "omitted" }
  | { readonly type: "disabled" };

/** What of a Messages body does not come from the request. */
export interface AnthropicBodyOptions {
  readonly model: string;
  /** Used where the request names no limit; the API wants one. */
  readonly maxOutputTokens?: number;
  readonly thinking?: AnthropicThinking;
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max";
  /** Whether the prompt is marked for the provider's cache. Default true. */
  readonly promptCache?: boolean;
  /** Put into every body as they are. */
  readonly extraBody?: JsonObject;
}

/** Limit of a reply where neither request nor options name one: all models can say that much. */
const defaultMaxOutputTokens = 8192;
/** Least budget that the API takes. */
const minThinkingTokens = 1024;
const marker = ',"cache_control":{"type":"ephemeral"}';

const encoder = new TextEncoder();

interface Turn {
  readonly role: "user" | "assistant";
  /** Results come first in a turn: the API wants them there. */
  readonly results: Array<string>;
  readonly others: Array<string>;
}

/**
 * Makes the function that turns a request into the bytes of a streaming Anthropic Messages body.
 *
 * Each message, tool list and system prompt is serialised once. Cache markers stand at the end of tools, system prompt
 * and the last two user turns and are put into the finished text, so that the prompt is the same text from turn to turn
 * but for them. Reasoning goes back to the model it came from, and to no other.
 */
export const makeAnthropicBody = (options: AnthropicBodyOptions): ((request: ModelRequest) => Uint8Array) => {
  const { model, promptCache = true } = options;
  const marked = promptCache ? (text: string): string => `${text.slice(0, -1)}${marker}}` : (text: string) => text;
  const blocksOf = valueOnce((message: Message) => joined(anthropicBlocks(message, model)));
  const textOfTools = valueOnce((tools: ReadonlyArray<ToolSpec>) => marked(joined(anthropicTools(tools))));
  const textOfSystem = textOnce((system) => marked(JSON.stringify({ type: "text", text: system })));
  const head = `{"model":${JSON.stringify(model)},"stream":true${moreFields(options.extraBody)}`;

  const textOfTurn = (turn: Turn, isMarked: boolean): string => {
    const content = [...turn.results, ...turn.others].join(",");
    return `{"role":"${turn.role}","content":[${isMarked ? marked(content) : content}]}`;
  };

  return (request) => {
    const turns = turnsOf(request.messages, blocksOf);
    const markedTurns = new Set(turns.filter(({ role }) => role === "user").slice(-2));
    const messages = turns.map((turn) => textOfTurn(turn, markedTurns.has(turn)));
    const tools = request.tools.length === 0 ? "" : `,"tools":[${textOfTools(request.tools)}]`;
    const system = request.system.trim() === "" ? "" : `,"system":[${textOfSystem(request.system)}]`;
    const settings = moreFields(settingsOf(request, options, turns));
    return encoder.encode(`${head}${settings}${tools}${system},"messages":[${messages.join(",")}]}`);
  };
};

const joined = (values: ReadonlyArray<object>): string => values.map((value) => JSON.stringify(value)).join(",");

// User and assistant must take turns: what adjoins and is the same's becomes one. Messages without blocks are no turns.
const turnsOf = (messages: ReadonlyArray<Message>, blocksOf: (message: Message) => string): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = [];
  for (const message of messages) {
    const blocks = blocksOf(message);
    if (blocks === "") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    let turn = turns.at(-1);
    if (turn?.role !== role) turns.push((turn = { role, results: [], others: [] }));
    (message.role === "tool" ? turn.results : turn.others).push(blocks);
  }
  return turns;
};

const settingsOf = (
  request: ModelRequest,
  options: AnthropicBodyOptions,
  turns: ReadonlyArray<Turn>,
): Record<string, unknown> => {
  const wish = options.thinking;
  const ownDefault = defaultMaxOutputTokens + (wish?.type === "enabled" ? wish.budget_tokens : 0);
  const limit = request.maxOutputTokens ?? options.maxOutputTokens ?? ownDefault;
  const thinking = wish?.type === "enabled" ? boundedThinking(wish, limit, turns) : wish;
  const { effort } = options;
  const format = request.output === undefined ? undefined : anthropicFormat(request.output);
  return {
    max_tokens: limit,
    ...(thinking === undefined ? {} : { thinking }),
    ...(effort === undefined && format === undefined
      ? {}
      : {
          output_config: { ...(effort === undefined ? {} : { effort }), ...(format === undefined ? {} : { format }) },
        }),
    ...(request.tools.length > 0 && request.toolChoice === "none" ? { tool_choice: { type: "none" } } : {}),
  };
};

// The budget is part of the limit. A turn that began without thinking (another model's) cannot take it up halfway.
const boundedThinking = (
  wish: AnthropicThinking & { readonly type: "enabled" },
  limit: number,
  turns: ReadonlyArray<Turn>,
): AnthropicThinking | undefined => {
  const budget = Math.min(wish.budget_tokens, limit - 1);
  // Calls and results go back to the prompt that they serve; what the model said first began the turn.
  let prompt = turns.length - 1;
  while ((turns[prompt]?.results.length ?? 0) > 0) prompt -= 2;
  const began = turns[prompt + 1]?.others[0];
  const isClosed = began !== undefined && !/^\{"type":"(?:redacted_)?thinking"/.test(began);
  return budget < minThinkingTokens || isClosed ? undefined : { ...wish, budget_tokens: budget };
};
