import { bearer } from "./internal/bearer.ts";
import { makeResponsesBody, type ResponsesReasoning } from "./ResponsesBody.ts";
import { makeResponsesReply } from "./ResponsesReply.ts";
import { type ClosableLanguageModel, makeStreamingModel, type StreamingModelOptions } from "./StreamingModel.ts";

/** Settings of {@link openAiResponses}. */
export interface OpenAiResponsesOptions extends StreamingModelOptions {
  /** Default: `https://api.openai.com/v1`. */
  readonly baseUrl?: string;
  /** For reasoning models: their reasoning goes back with the conversation. Absent: it is lost between calls. */
  readonly reasoning?: ResponsesReasoning;
}

/**
 * A model behind OpenAI's Responses endpoint, streaming; nothing is stored at the provider. As for the rest, see
 * `openAiCompatible`.
 *
 * @example
 * ```ts
 * const model = openAiResponses({ model: "gpt-5-mini", apiKey: "sk-key", reasoning: { effort: "low" } })
 * ```
 */
export const openAiResponses = (options: OpenAiResponsesOptions): ClosableLanguageModel => {
  const { baseUrl = "https://api.openai.com/v1", model } = options;
  return makeStreamingModel(
    { ...options, baseUrl },
    {
      path: "/responses",
      ...bearer(options.apiKey),
      bodyOf: makeResponsesBody(options),
      replyReader: (asked, onEvent) => makeResponsesReply({ ...asked, model }, onEvent),
    },
  );
};
