import type { ModelPrices } from "@kumiko/plugin-api";

/** What is known of a model. Whatever is absent is not known. */
export interface KnownModel {
  readonly contextWindow?: number;
  readonly maxOutput?: number;
  /** US dollars for a million tokens, of prompts below the provider's limit for long ones. */
  readonly prices?: ModelPrices;
}

/** A line of the catalogue, with where its figures come from and when they were read. */
export interface CatalogueEntry extends KnownModel {
  readonly source: string;
}

// Read from the providers' own pages (Anthropic and OpenAI: November 2026; xAI: November 2026; DeepSeek: October 2026)
// where a copy was at hand, else from release notes of projects that follow them, and from models.dev at f3fc692
// (2 July 2026) for what is older. Longer prompts cost more with several providers
// (OpenAI above 272 000 tokens, Google and xAI above 200 000, Claude Haiku 5.5 above 100 000): that is not in here.
const anthropicPages =
  "platform.claude.com/docs, pricing and models; cache prices also from release notes of projects that follow them; November 2026";
const openAiPages =
  "developers.openai.com/api/docs/models, and release notes of projects that follow it; November 2026";
const modelsDev = "models.dev f3fc692, 2 July 2026";
const googleReleases = "TokenMeter releases 0.13.1 and 0.17.0 (Gemini API pricing), November 2026";

/** A model as the lines below give it: tokens seen, tokens said, dollars in and out, read from and written to a cache. */
type Line = readonly [
  window: number,
  output: number,
  input?: number,
  outputPrice?: number,
  cacheRead?: number,
  cacheWrite?: number,
];

const entries = (
  source: string,
  lines: Readonly<Record<string, Line>>,
): ReadonlyArray<readonly [string, CatalogueEntry]> =>
  Object.entries(lines).map(([name, [contextWindow, maxOutput, input, output, cacheRead, cacheWrite]]) => [
    name,
    {
      source,
      contextWindow,
      ...(maxOutput > 0 ? { maxOutput } : {}),
      ...(input === undefined || output === undefined
        ? {}
        : {
            prices: {
              input,
              output,
              ...(cacheRead === undefined ? {} : { cacheRead }),
              ...(cacheWrite === undefined ? {} : { cacheWrite }),
            },
          }),
    },
  ]);

/** `provider/model` to what is known of it. A name also stands for its dated versions; see `knownModel`. */
export const catalogue: ReadonlyMap<string, CatalogueEntry> = new Map([
  ...entries(anthropicPages, {
    "anthropic/claude-fable-5-1": [1_000_000, 128_000, 10, 50, 0.25, 12.5],
    "anthropic/claude-fable-5": [1_000_000, 128_000, 10, 50, 1, 12.5],
    "anthropic/claude-opus-5-5": [1_000_000, 128_000, 4, 20, 0.2, 5],
    "anthropic/claude-opus-5": [1_000_000, 128_000, 5, 25, 0.5, 6.25],
    "anthropic/claude-sonnet-5-5": [1_000_000, 128_000, 2, 10, 0.1, 2.5],
    "anthropic/claude-sonnet-5": [1_000_000, 128_000, 2, 10, 0.2, 2.5],
    "anthropic/claude-haiku-5-5": [1_000_000, 128_000, 0.1, 0.5, 0.01, 0.125],
    "anthropic/claude-haiku-4-5": [200_000, 64_000, 1, 5, 0.1, 1.25],
    "anthropic/claude-opus-4-8": [1_000_000, 128_000, 5, 25, 0.5, 6.25],
    "anthropic/claude-opus-4-7": [1_000_000, 128_000, 5, 25, 0.5, 6.25],
    "anthropic/claude-opus-4-6": [1_000_000, 128_000, 5, 25, 0.5, 6.25],
    "anthropic/claude-opus-4-5": [200_000, 64_000, 5, 25, 0.5, 6.25],
    "anthropic/claude-sonnet-4-6": [1_000_000, 64_000, 3, 15, 0.3, 3.75],
    "anthropic/claude-sonnet-4-5": [200_000, 64_000, 3, 15, 0.3, 3.75],
  }),
  ...entries(openAiPages, {
    "openai/gpt-6.2-astra": [1_050_000, 128_000, 8, 40, 0.4, 10],
    "openai/gpt-6.2-sol": [1_050_000, 128_000, 2, 10, 0.1, 2.5],
    "openai/gpt-6.1-sol": [1_050_000, 128_000, 2, 10, 0.1, 2.5],
    "openai/gpt-6-astra": [1_050_000, 128_000, 10, 50, 1, 12.5],
    "openai/gpt-6-sol": [1_050_000, 128_000, 2, 10, 0.2, 2.5],
    "openai/gpt-6-luna": [1_050_000, 128_000, 0.1, 0.5, 0.01, 0.125],
    "openai/gpt-5.6-terra": [1_050_000, 128_000, 2, 12, 0.2],
    "openai/gpt-5.6-luna": [1_050_000, 128_000, 0.2, 1.2, 0.02],
  }),
  ...entries(modelsDev, {
    "openai/gpt-5.5": [1_050_000, 128_000, 5, 30, 0.5],
    "openai/gpt-5.4": [1_050_000, 128_000, 2.5, 15, 0.25],
    "openai/gpt-5.4-mini": [400_000, 128_000, 0.75, 4.5, 0.075],
    "openai/gpt-5.4-nano": [400_000, 128_000, 0.2, 1.25, 0.02],
    "openai/gpt-5.3-codex": [400_000, 128_000, 1.75, 14, 0.175],
    "openai/gpt-5.2": [400_000, 128_000, 1.75, 14, 0.175],
    "openai/gpt-5.1": [400_000, 128_000, 1.25, 10, 0.125],
    "openai/gpt-5": [400_000, 128_000, 1.25, 10, 0.125],
    "openai/gpt-5-mini": [400_000, 128_000, 0.25, 2, 0.025],
    "openai/gpt-5-nano": [400_000, 128_000, 0.05, 0.4, 0.005],
    "openai/gpt-4.1": [1_047_576, 32_768, 2, 8, 0.5],
    "openai/gpt-4.1-mini": [1_047_576, 32_768, 0.4, 1.6, 0.1],
    "openai/gpt-4.1-nano": [1_047_576, 32_768, 0.1, 0.4, 0.025],
    "openai/gpt-4o": [128_000, 16_384, 2.5, 10, 1.25],
    "openai/gpt-4o-mini": [128_000, 16_384, 0.15, 0.6, 0.075],
    "openai/o3": [200_000, 100_000, 2, 8, 0.5],
    "openai/o4-mini": [200_000, 100_000, 1.1, 4.4, 0.275],
  }),
  ...entries(googleReleases, {
    "google/gemini-4-neon": [1_000_000, 65_000, 3, 15, 0.15],
    "google/gemini-4-hydrogen": [1_000_000, 0, 1.5, 7.5, 0.075],
    "google/gemini-4-argon": [1_000_000, 64_000, 4, 20, 0.2],
  }),
  ...entries(modelsDev, {
    "google/gemini-3.5-flash": [1_048_576, 65_536, 1.5, 9, 0.15],
    "google/gemini-3.1-pro-preview": [1_048_576, 65_536, 2, 12, 0.2],
    "google/gemini-3.1-flash-lite": [1_048_576, 65_536, 0.25, 1.5, 0.025],
    "google/gemini-3-flash-preview": [1_048_576, 65_536, 0.5, 3, 0.05],
    "google/gemini-2.5-flash-lite": [1_048_576, 65_536, 0.1, 0.4, 0.01],
    "mistral/mistral-large": [262_144, 262_144, 0.5, 1.5],
    "mistral/mistral-large-2411": [131_072, 16_384, 2, 6],
    "mistral/mistral-medium-2604": [262_144, 262_144, 1.5, 7.5],
    "mistral/mistral-medium-2508": [262_144, 262_144, 0.4, 2],
    "mistral/mistral-small": [256_000, 256_000, 0.15, 0.6],
    "mistral/mistral-small-2506": [128_000, 16_384, 0.1, 0.3],
    "mistral/codestral-latest": [256_000, 4_096, 0.3, 0.9],
    "groq/llama-3.3-70b-versatile": [131_072, 32_768, 0.59, 0.79],
    "groq/llama-3.1-8b-instant": [131_072, 131_072, 0.05, 0.08],
    "groq/openai/gpt-oss-20b": [131_072, 65_536, 0.075, 0.3, 0.0375],
    "groq/qwen/qwen3-32b": [131_072, 40_960, 0.29, 0.59],
    "xai/grok-4.3": [1_000_000, 0, 1.25, 2.5, 0.2],
    "xai/grok-build-0.1": [256_000, 256_000, 1, 2, 0.2],
  }),
  ...entries("docs.x.ai/developers, November 2026", {
    "xai/grok-4.6": [500_000, 0, 2, 6],
    "xai/grok-4.5": [500_000, 0, 2, 6, 0.5],
  }),
  // Its prices change with the hour and are told in yuan, so none is here.
  ...entries("api-docs.deepseek.com, pricing, October 2026", {
    "deepseek/deepseek-v4-pro": [1_000_000, 384_000],
    "deepseek/deepseek-v4-flash": [1_000_000, 384_000],
    "deepseek/deepseek-flash": [1_000_000, 384_000],
  }),
]);
