import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { nearMatch } from "../src/NearMatch.ts";

const text = [
  "export const f = (a) => {",
  "\tif (a > 1) {",
  "\t\treturn “one”; ",
  "\t}",
  "",
  "\treturn a – 1;",
  "};",
  "",
].join("\n");

describe("nearMatch", () => {
  it("names what differs, and shows the lines as they are", () => {
    for (const [wanted, said] of [
      ["    if (a > 1) {", 'Line 2 is the same but for the indentation:\n2: "\\tif (a > 1) {"'],
      ["\treturn “one”;\n\t}", "Lines 3-4 are the same but for white space at the end of lines"],
      ['return "one";', 'Line 3 is the same but for the kind of quotes:\n3: "\\t\\treturn \\u201cone\\u201d; "'],
      ["\treturn a - 1;", "Line 6 is the same but for the kind of dashes"],
      ["\t}\n\treturn a – 1;", "Lines 4-6 are the same but for blank lines"],
      ["const F = (a)", "Line 1 is the same but for upper and lower case"],
      ["if ( a > 1 ) {", "The most alike"],
      ["if (a  > 1)", "Line 2 is the same but for white space"],
      ['  return "one"; \n  }', "the indentation and the kind of quotes"],
    ] as const)
      expect(nearMatch(text, wanted)).toContain(said);
    expect(nearMatch("caf\u0065\u0301", "caf\u00e9")).toContain("encoded in Unicode");
    expect(nearMatch("a\u200bb = 1", "ab = 1")).toMatch(/invisible characters:\n1: "a\\u200bb = 1"/);
    expect(nearMatch("a\u00a0= 1", "a = 1")).toMatch(/1: "a\\u00a0= 1"/);
  });

  it("recognises slips: line numbers, double escapes, a line break too many", () => {
    expect(nearMatch(text, "2\t\tif (a > 1) {\n3\t\t\treturn “one”; ")).toContain("without the line numbers");
    expect(nearMatch(text, "{\\n\\tif (a")).toContain("do not escape them twice");
    expect(nearMatch("a\nend", "end\n")).toContain("the end of the file");
  });

  it("shows where some of the lines are, and the first that differs", () => {
    expect(nearMatch("alpha one\nbeta two\ngamma three\n", "alpha one\nbeta 2\ngamma three")).toBe(
      '2 of its 3 lines stand near line 1; but line 2 is "beta two", where old has "beta 2".',
    );
    expect(nearMatch("alpha one\n", "alpha one\nbeta two")).toContain("the file ends, where old has");
  });

  it("shows the lines most alike, or says that there is nothing like it", () => {
    expect(nearMatch("x\nfunction compute(total) {\ny", "function computed(totals) {")).toBe(
      'The most alike:\n2: "function compute(total) {"',
    );
    expect(nearMatch("x\ny", "completely different")).toBe("Nothing in the file is like it.");
    expect(nearMatch("", "anything")).toBe("Nothing in the file is like it.");
    expect(nearMatch("a\n", "\n\n\n")).toBe("Nothing in the file is like it.");
  });

  it("is bounded: places, lines and their width", () => {
    const many = nearMatch("  same line here\n".repeat(100), "\tsame line here");
    expect(many).toContain("97 more places of the kind.");
    expect(nearMatch(`  ${"w".repeat(10_000)}\n`, `\t${"w".repeat(10_000)}`).length).toBeLessThan(500);
    const block = Array.from({ length: 50 }, (_, at) => `line number ${at}`);
    expect(
      nearMatch(block.map((line) => `  ${line}`).join("\n"), block.map((line) => `\t${line}`).join("\n")),
    ).toContain("(44 more lines)");
  });

  it("answers about any two texts", () => {
    const any = fc.string({
      unit: fc.constantFrom("a", "b ", "\n", "\t", "“", "1\t", "\\n", "é", "\ud800"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(any, any, (have, wanted) => {
        expect(nearMatch(have, wanted)).not.toBe("");
      }),
      { seed: soak.seed, numRuns: soak.numRuns },
    );
  });
});
