import { type AnthropicThinking, makeAnthropicBody } from "./AnthropicBody.ts";
import { makeAnthropicReply } from "./AnthropicReply.ts";
import { bearer } from "./internal/bearer.ts";
import { sendableKey } from "./ModelEndpoint.ts";
import {
  type ClosableLanguageModel,
  makeStreamingModel,
  type StreamingModelOptions,
  type WireFormat,
} from "./StreamingModel.ts";

/** Settings of {@link anthropic}. */
export interface AnthropicOptions extends StreamingModelOptions {
  /** Default: `https://api.anthropic.com/v1`. */
  readonly baseUrl?: string;
  /** Sent as `x-api-key`. */
  readonly apiKey?: string;
  /** Sent as a bearer token, in place of the key: what gateways and signed-in users have. */
  readonly authToken?: string;
  /** Limit of a reply where a request names none. Default 8192, and the budget of `thinking` on top. */
  readonly maxOutputTokens?: number;
  /** Absent: the model's default. */
  readonly thinking?: AnthropicThinking;
  /** Absent: the model's default. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max";
  /** Whether prompts are marked for the provider's cache, which pays from the second call on. Default true. */
  readonly promptCache?: boolean;
}

/**
 * A Claude model, or any behind an endpoint that speaks Anthropic's Messages, streaming. As for the rest, see
 * `openAiCompatible`.
 *
 * @example
 * ```ts
 * const model = anthropic({ model: "claude-sonnet-5-5", apiKey: "sk-ant-key", thinking: { type: "adaptive" } })
 * ```
 */
export const anthropic = (options: AnthropicOptions): ClosableLanguageModel => {
  const { baseUrl = "https://api.anthropic.com/v1", model } = options;
  const { headers, secrets } = authOf(options);
  return makeStreamingModel(
    { ...options, baseUrl },
    {
      path: "/messages",
      headers: { "anthropic-version": "2023-06-01", ...headers },
      secrets,
      bodyOf: makeAnthropicBody(options),
      replyReader: (asked, onEvent) => makeAnthropicReply({ ...asked, model }, onEvent),
    },
  );
};

const authOf = ({ apiKey, authToken }: AnthropicOptions): Pick<WireFormat, "headers" | "secrets"> => {
  if (authToken !== undefined || apiKey === undefined) return bearer(authToken);
  const key = sendableKey(apiKey);
  return { headers: { "x-api-key": key }, secrets: [key] };
};
