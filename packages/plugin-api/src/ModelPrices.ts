import type { Usage } from "./Model.ts";

/** What a model's tokens cost, in US dollars for a million of them. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Tokens read from a prompt cache. Absent: as `input`. */
  readonly cacheRead?: number;
  /** Tokens written to a prompt cache. Absent: as `input`. */
  readonly cacheWrite?: number;
}

const million = 1_000_000;

/**
 * What a usage costs, in US dollars. Tokens read from and written to a cache are part of `inputTokens` and counted once,
 * at their own price; reasoning is part of the output.
 *
 * @example
 * ```ts
 * costOf({ inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 500_000 }, { input: 3, output: 15, cacheRead: 0.3 })
 * // => 3.15
 * ```
 */
export const costOf = (usage: Usage, prices: ModelPrices): number => {
  const { cacheReadTokens = 0, cacheWriteTokens = 0, inputTokens, outputTokens } = usage;
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const { cacheRead = prices.input, cacheWrite = prices.input } = prices;
  return (
    (plain * prices.input +
      cacheReadTokens * cacheRead +
      cacheWriteTokens * cacheWrite +
      outputTokens * prices.output) /
    million
  );
};
