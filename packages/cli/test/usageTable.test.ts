import { expect, it } from "vitest";
import { type UsageRow } from "../src/usage/usageRows.ts";
import { usageTable } from "../src/usage/usageTable.ts";
import { durationWords, costWords } from "../src/usage/usageWords.ts";

const row = (key: string, costUsd: number, unpricedCalls = 0): UsageRow => ({
  key,
  prompt: "Collect every TODO comment into issues.md, and then some",
  time: 0,
  tally: {
    calls: 12,
    failedCalls: 0,
    usage: { inputTokens: 1_234_567, outputTokens: 8_900, cacheReadTokens: 1_000_000 },
    costUsd,
    pricedCalls: costUsd > 0 ? 1 : 0,
    unpricedCalls,
  },
});
const rows = [row("/home/somebody/projects/a-long-name", 1.5), row("b", 0, 12)];

it.each([120, 80, 60, 50, 40])("fits a terminal of %i columns, and keeps the cost", (width) => {
  const lines = usageTable("folder", rows, width);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
  expect(lines[0]).toMatch(/^folder .*cost$/);
  expect(lines[1]).toContain("a-long-name".slice(-5));
  expect(lines.at(-1)).toMatch(/^total .*at least \$1\.50$/);
});

it("shows all of it where nobody looks", () => {
  const [heading, first] = usageTable("folder", rows, Number.POSITIVE_INFINITY);
  expect(heading).toMatch(/^folder +calls +in +cached +out +cost$/);
  expect(first).toContain("/home/somebody/projects/a-long-name  ");
  expect(first).toContain("Collect every TODO comment");
});

it.each([
  [{ costUsd: 0 }, "$0"],
  [{ costUsd: 0.00001 }, "<$0.0001"],
  [{ costUsd: 0.01234 }, "$0.0123"],
  [{ costUsd: 12_345.678, costIsPartial: true }, "at least $12,345.68"],
  [{}, undefined],
])("writes the cost %j as %s", (cost, words) => expect(costWords(cost)).toBe(words));

it.each([
  [400, "0.4 s"],
  [12_400, "12 s"],
  [192_000, "3 min 12 s"],
  [7_500_000, "2 h 5 min"],
])("writes %i ms as %s", (millis, words) => expect(durationWords(millis)).toBe(words));
