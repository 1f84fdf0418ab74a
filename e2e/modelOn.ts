import { anthropic, openAiCompatible, openAiResponses, type ClosableLanguageModel } from "@kumiko/models";
import type { WireFormat } from "@kumiko/models/testing";

const makers = { anthropic, chat: openAiCompatible, responses: openAiResponses };

/** A model of Kumiko's own on a wire format, asked at a test's server. Its id is `test/<wire>`, or as it is named. */
export const modelOn = (
  wire: WireFormat,
  { baseUrl }: { readonly baseUrl: string },
  options: { readonly model?: string; readonly idleTimeoutMillis?: number } = {},
): ClosableLanguageModel =>
  makers[wire]({ model: wire, provider: "test", apiKey: "sk-test-0123456789", baseUrl, ...options });
