import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { makeTerminalText } from "../src/TerminalText.ts";

const plain = (...pieces: ReadonlyArray<string>): string => {
  const text = makeTerminalText();
  return pieces.map(text.push).join("") + text.end();
};

describe("TerminalText", () => {
  it("leaves out escape sequences of every kind", () => {
    for (const sequence of [
      "\u001b[0m",
      "\u001b[38;5;196m",
      "\u001b[?25l",
      "\u001b[2K",
      "\u001b]0;title\u0007",
      "\u001b]8;;https://example.org\u001b\\",
      "\u001bPq#0\u001b\\",
      "\u001b(B",
      "\u001b=",
      "\u001bM",
      "\u009b31m",
    ])
      expect(plain(`a${sequence}b`)).toBe("ab");
  });

  it("leaves them out wherever they are cut in pieces", () => {
    const text = "x\u001b[1;31mred\u001b[0m\u001b]0;title\u0007\r\ny\u001b(Bz\r\n";
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), text.length];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(plain(...pieces)).toBe("xred\nyz\n");
      }),
      { seed: soak.seed, numRuns: soak.numRuns },
    );
  });

  it("shows what was never ended, without what would begin it", () => {
    expect(plain("a\u001b[3")).toBe("a[3");
    expect(plain(`a\u001b]0;${"t".repeat(5000)}`, "b")).toBe(`a␛]0;${"t".repeat(5000)}b`);
    expect(plain("a\r")).toBe("a");
  });

  it("shows control characters as pictures, and keeps tabs and line breaks", () => {
    expect(plain("a\tb\nc\0d\u0007e\u007ff\u0085g")).toBe("a\tb\nc␀d␇e␡f\ufffdg");
  });

  it("lets no control character through", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({
            unit: fc.constantFrom("\u001b", "[", "]", "m", "\u0007", "\r", "\n", "\0", "\u009b", "x", "\\", "P"),
          }),
        ),
        (pieces) => {
          // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
          expect(plain(...pieces)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        },
      ),
      { seed: soak.seed, numRuns: soak.numRuns },
    );
  });
});
