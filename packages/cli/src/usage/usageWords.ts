import type { Usage } from "@kumiko/plugin-api";

/** US dollars as people write them: cents where there are dollars, four digits where there are none. */
const money = (dollars: number): string => {
  if (dollars === 0) return "$0";
  if (dollars < 0.0001) return "<$0.0001";
  return dollars < 1 ? `$${dollars.toFixed(4)}` : `$${grouped(dollars.toFixed(2))}`;
};

/** What is known of a cost. It is never too much: what has no known price is not counted as free. */
export const costWords = ({
  costIsPartial,
  costUsd,
}: {
  readonly costUsd?: number | undefined;
  readonly costIsPartial?: boolean | undefined;
}): string | undefined =>
  costUsd === undefined ? undefined : `${costIsPartial === true ? "at least " : ""}${money(costUsd)}`;

/** `12,345`. */
export const count = (n: number): string => grouped(String(n));

const grouped = (digits: string): string => digits.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");

/** `12,345 tokens in (10,000 cached), 678 out`. */
export const tokenWords = ({ cacheReadTokens = 0, inputTokens, outputTokens }: Usage): string =>
  `${count(inputTokens)} tokens in${cacheReadTokens === 0 ? "" : ` (${count(cacheReadTokens)} cached)`}, ${count(outputTokens)} out`;

/** `0.4 s`, `12 s`, `3 min 12 s`, `2 h 5 min`. */
export const durationWords = (millis: number): string => {
  if (millis < 10_000) return `${(Math.round(millis / 100) / 10).toFixed(1)} s`;
  const seconds = Math.round(millis / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};
