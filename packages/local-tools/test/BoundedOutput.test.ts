import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { makeBoundedOutput } from "../src/BoundedOutput.ts";

const bounded = (most: number, ...pieces: ReadonlyArray<string>): string => {
  const output = makeBoundedOutput(most);
  for (const piece of pieces) output.push(piece);
  return output.text();
};

describe("BoundedOutput", () => {
  it("keeps what is short as it is", () => {
    expect(bounded(9, "one", "\n", "two\n")).toBe("one\ntwo\n");
    expect(bounded(9, "123456789")).toBe("123456789");
    expect(bounded(9)).toBe("");
  });

  it("cuts at line breaks where there are any near, and between whole characters", () => {
    expect(bounded(12, "1\n2\n3\n4\n5\n6\n7\n8\n9\n")).toBe("1\n2\n(cut: 6 characters, 3 lines)\n6\n7\n8\n9\n");
    expect(bounded(6, "abcdefgh")).toBe("ab\n(cut: 2 characters, 0 lines)\nefgh");
    const faces = bounded(9, "😀".repeat(20));
    expect(faces.isWellFormed()).toBe(true);
  });

  it("accounts for every character and line, however the text comes in pieces", () => {
    const piece = fc.string({ unit: fc.constantFrom("a", "\n", "😀"), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 3, max: 60 }), (pieces, most) => {
        const whole = pieces.join("");
        const text = bounded(most, ...pieces);
        expect(text.isWellFormed()).toBe(true);
        const cut = /\n?\(cut: (\d+) characters?, (\d+) lines?\)\n/.exec(text);
        if (cut === null) expect(text).toBe(whole);
        else {
          const [head, tail] = [text.slice(0, cut.index), text.slice(cut.index + cut[0].length)];
          const shown = head.length + tail.length;
          expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
          expect(shown).toBeLessThanOrEqual(most);
          // The line break before the note is the text's own, or was added for it.
          const missing = Number(cut[1]);
          expect([whole.length, whole.length - 1]).toContain(shown + missing);
          const lines = whole.slice(head.length, whole.length - tail.length).split("\n").length - 1;
          expect([lines, lines - 1]).toContain(Number(cut[2]));
        }
      }),
      { seed: soak.seed, numRuns: soak.numRuns * 5 },
    );
  });
});
