import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireId, wireName } from "../src/internal/wireName.ts";

describe("wireName", () => {
  it("leaves what every provider takes as it is", () => {
    for (const name of ["file_read", "mcp__server__tool-2", "x".repeat(64)]) expect(wireName(name)).toBe(name);
    for (const id of ["call_1", "call:1", "functions.bash:0"]) expect(wireId(id)).toBe(id);
  });

  it("makes any other fit to be sent, always in the same way, and keeps different ones apart", () => {
    const odd = fc.oneof(
      fc.string({ maxLength: 200, unit: "binary" }),
      fc.constantFrom("", "a.b", "a:b", "a b", "x".repeat(1_000_000)),
    );
    fc.assert(
      fc.property(odd, odd, (a, b) => {
        expect(wireName(a)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(wireId(a)).toMatch(/^[\x21-\x7e]{1,64}$/);
        expect(wireName(a)).toBe(wireName(a));
        if (a !== b) expect([wireName(a) === wireName(b), wireId(a) === wireId(b)]).toEqual([false, false]);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
