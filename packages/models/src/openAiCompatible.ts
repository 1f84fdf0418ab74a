import { makeChatCompletionsBody } from "./ChatCompletionsBody.ts";
import { makeChatCompletionsReply } from "./ChatCompletionsReply.ts";
import { bearer } from "./internal/bearer.ts";
import { type ClosableLanguageModel, makeStreamingModel, type StreamingModelOptions } from "./StreamingModel.ts";

/** Settings of {@link openAiCompatible}. */
export interface OpenAiCompatibleOptions extends StreamingModelOptions {
  /** Up to and without `/chat/completions`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Default: `max_tokens`, which nearly every server knows; OpenAI itself wants `max_completion_tokens`. */
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens";
  /**
   * Field in which the model's own reasoning goes back to it, for servers that want it: `reasoning_content` as DeepSeek
   * and its kin, `reasoning_details` as OpenRouter, `extra_content` (of each call) as Gemini. Default: reasoning is not
   * sent.
   */
  readonly sendsReasoning?: "reasoning_content" | "reasoning_details" | "extra_content";
}

/**
 * A model behind an OpenAI-compatible Chat Completions endpoint, streaming.
 *
 * Connections are the model's own, kept alive, opened by the first call; idle ones keep no process alive. Throws
 * `ModelSettingsInvalid` when settings do not fit. Failures never hold the key or a header's value.
 *
 * @example
 * ```ts
 * const model = openAiCompatible({ model: "llama3.2", baseUrl: "http://127.0.0.1:11434/v1" })
 * ```
 */
export const openAiCompatible = (options: OpenAiCompatibleOptions): ClosableLanguageModel => {
  const { maxTokensField = "max_tokens", model, sendsReasoning } = options;
  return makeStreamingModel(options, {
    path: "/chat/completions",
    ...bearer(options.apiKey),
    bodyOf: makeChatCompletionsBody({ ...options, maxTokensField }),
    replyReader: (asked, onEvent) =>
      makeChatCompletionsReply(sendsReasoning === undefined ? asked : { ...asked, keepsReasoningOf: model }, onEvent),
  });
};
