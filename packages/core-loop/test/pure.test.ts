import type { Resource, ToolResultPart } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { executionPlan } from "../src/index.ts";
import { conflicts, overlaps } from "../src/internal/overlaps.ts";
import { systemPromptOf } from "../src/prompt.ts";
import { ResultCache } from "../src/ResultCache.ts";

const settings = { numRuns: 300, seed: 7 };
const key = fc.constantFrom("file:/a", "file:/a/b", "file:/a/b/c", "file:/ab", "file:/", "net:x", "net:x.y");
const resource: fc.Arbitrary<Resource> = fc.record({ key, mode: fc.constantFrom("read", "write") });
const call = fc.record({
  risk: fc.constantFrom("read" as const, "local-write" as const, "remote-write" as const),
  resources: fc.array(resource, { maxLength: 3 }),
});

describe("overlaps", () => {
  it("holds for equal keys and for folders above", () => {
    expect(overlaps("file:/a", "file:/a/b")).toBe(true);
    expect(overlaps("file:/a/", "file:/a")).toBe(true);
    expect(overlaps("file:/", "file:/a")).toBe(true);
    expect(overlaps("file:/a", "file:/ab")).toBe(false);
    expect(overlaps("file:/a", "net:/a")).toBe(false);
  });
  it("is symmetric", () => {
    fc.assert(
      fc.property(key, key, (a, b) => overlaps(a, b) === overlaps(b, a)),
      settings,
    );
  });
});

describe("executionPlan", () => {
  it("makes every two conflicting calls wait, directly or not, and waits only for earlier ones", () => {
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const plan = executionPlan(calls);
        plan.forEach((earlier, at) => {
          for (const index of earlier) expect(index).toBeLessThan(at);
          calls.slice(0, at).forEach((other, index) => {
            const here = calls[at];
            if (here !== undefined && conflicts(here.resources, other.resources)) expect(earlier).toContain(index);
          });
        });
      }),
      settings,
    );
  });
  it("lets reads run side by side, and makes writers that do not say what they write take turns", () => {
    const read = { risk: "read", resources: [{ key: "file:/a", mode: "read" }] } as const;
    const unsaid = { risk: "remote-write", resources: [] } as const;
    expect(executionPlan([read, read, read])).toEqual([[], [], []]);
    expect(executionPlan([unsaid, read, unsaid])).toEqual([[], [], [0]]);
  });
});

describe("ResultCache", () => {
  const result: ToolResultPart = { type: "tool-result", callId: "c", name: "t", status: "ok", text: "x" };
  const reads = (path: string): ReadonlyArray<Resource> => [{ key: `file:/${path}`, mode: "read" }];
  const writes = (path: string) => ({
    risk: "local-write" as const,
    resources: [{ key: `file:/${path}`, mode: "write" as const }],
  });

  it("keeps an entry until something written overlaps what it read", () => {
    const cache = new ResultCache();
    cache.add("k", result, reads("src"), 0);
    cache.invalidate(writes("docs/a"));
    expect(cache.get("k", 1)).toBe(result);
    cache.invalidate(writes("src/deep/b"));
    expect(cache.get("k", 1)).toBeUndefined();
  });
  it("is left alone by reads and emptied by side effects of unknown extent", () => {
    const cache = new ResultCache();
    cache.add("k", result, reads("src"), 0);
    cache.invalidate({ risk: "read", resources: reads("src") });
    expect(cache.get("k", 1)).toBe(result);
    cache.invalidate({ risk: "remote-write", resources: reads("elsewhere") });
    expect(cache.get("k", 1)).toBeUndefined();
  });
  it("forgets with age, and when the clock went backwards", () => {
    const cache = new ResultCache();
    cache.add("k", result, [], 1_000);
    expect(cache.get("k", 1_000 + ResultCache.maxAgeMillis)).toBe(result);
    expect(cache.get("k", 1_001 + ResultCache.maxAgeMillis)).toBeUndefined();
    cache.add("k", result, [], 1_000);
    expect(cache.get("k", 999)).toBeUndefined();
  });
  it("holds a bounded number of entries; the oldest goes first", () => {
    const cache = new ResultCache();
    for (let n = 0; n <= ResultCache.maxEntries; n++) cache.add(`k${n}`, result, [], 0);
    expect(cache.get("k0", 0)).toBeUndefined();
    expect(cache.get("k1", 0)).toBe(result);
  });
});

describe("systemPromptOf", () => {
  it("joins stable and volatile sections in order and leaves empty ones out", () => {
    const draft = {
      stable: [
        { id: "a", content: "A\n" },
        { id: "b", content: "  " },
      ],
      volatile: [{ id: "c", content: "C" }],
    };
    expect(systemPromptOf(draft)).toBe("A\n\nC");
  });
});
