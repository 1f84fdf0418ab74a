import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { requiredTexts } from "../src/RequiredTexts.ts";

describe("requiredTexts", () => {
  it.each([
    ["needle", ["needle"]],
    ["^export (const|let) \\w+", ["export "]],
    ["foo.*|barr?", ["foo", "bar"]],
    ["a\\.b\\(c", ["a.b(c"]],
    ["\\bTODO\\b|FIXME", ["TODO", "FIXME"]],
    ["colou?r", ["colo"]],
    ["ab{0,2}cd", ["cd"]],
    ["ab{2}cd", ["ab"]],
    ["xy+z", ["xy"]],
    ["function() {", ["function"]],
    ["x (y) {2z", [" {2z"]],
    ["[abc]|foo", undefined],
    ["\\d+", undefined],
    ["(?:foo|bar)", undefined],
    ["(?!foo)barr", ["barr"]],
    ["f\\x41oo", undefined],
    ["\\u{41}oo", undefined],
    ["(a)\\1oo", undefined],
    ["\u{1f600}*", undefined],
    ["", undefined],
    ["foo|", undefined],
  ])("of %j", (pattern, texts) => {
    expect(requiredTexts(pattern)).toEqual(texts);
  });

  it("stand in everything that matches", () => {
    const atom = fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        "c",
        "ab",
        "ca",
        ".",
        "\\.",
        "\\w",
        "\\b",
        "^",
        "$",
        "[ab]",
        "[^a]",
        "\\(",
        "{",
        "}",
        "{1",
        " ",
      ),
      fc.constantFrom("(a|b)", "(?:ab)", "(?=a)", "(?!b)", "(?<n>ab)", "([)])", "(\\))"),
    );
    const quantifier = fc.constantFrom(
      "",
      "",
      "",
      "*",
      "+",
      "?",
      "*?",
      "+?",
      "{2}",
      "{0,1}",
      "{1,}",
      "{0}",
      "{1,2}?",
      "|",
    );
    const pattern = fc.array(fc.tuple(atom, quantifier), { minLength: 1, maxLength: 7 });
    const line = fc.array(fc.constantFrom("ab", "a", "ca", "bb", ".", "(", "{", " "), { minLength: 4, maxLength: 14 });
    let known = 0;
    fc.assert(
      fc.property(pattern, line, (parts, characters) => {
        const source = parts.map(([one, many]) => one + many).join("");
        const text = characters.join("");
        let regex: RegExp;
        try {
          regex = new RegExp(source);
        } catch {
          return;
        }
        const texts = requiredTexts(source);
        if (texts === undefined || !regex.test(text)) return;
        known++;
        expect([source, text, texts.some((required) => text.includes(required))]).toEqual([source, text, true]);
      }),
      { seed: soak.seed, numRuns: soak.runsOr(40_000) },
    );
    expect(known).toBeGreaterThan(20);
  });
});
