import * as Result from "effect/Result";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glob } from "../src/Glob.ts";

const fits = (pattern: string, path: string): boolean => Result.getOrThrow(glob(pattern))(path);

describe("glob", () => {
  it.each([
    ["*.ts", "a.ts", true],
    ["*.ts", "src/deep/a.ts", true],
    ["/*.ts", "src/a.ts", false],
    ["./*.ts", "a.ts", true],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/b/a.ts", false],
    ["src/**", "src/b/a.ts", true],
    ["src/**", "src", false],
    ["src/", "src/b/a.ts", true],
    ["**/a", "a", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "a/x/y/c", false],
    ["**", "any/thing", true],
    ["*.{ts,tsx}", "x/a.tsx", true],
    ["{a,b{c,d}}.md", "bd.md", true],
    ["{a}.md", "{a}.md", true],
    ["{a,", "{a,", true],
    [String.raw`\*.ts`, "*.ts", true],
    [String.raw`\*.ts`, "a.ts", false],
    ["[a-c]?.t", "b1.t", true],
    ["[!a-c]x", "ax", false],
    ["[!a-c]x", "dx", true],
    ["[]]x", "]x", true],
    [String.raw`[\]]x`, "]x", true],
    ["[[:digit:]]", "7", true],
    [".*", ".env", true],
    ["*", ".env", true],
    ["?", "😀", true],
    ["a?c", "a/c", false],
    ["*a*b*c*", "xxaxxbxxcxx", true],
    ["*a*b*c*", "xxcxxbxxaxx", false],
    ["a b", "dir/a b", true],
    ["constructor", "constructor", true],
  ])("%s on %s is %s", (pattern, path, expected) => {
    expect(fits(pattern, path)).toBe(expected);
  });

  it.each(["", "  ", "[a", "a\\", "../x", "a/../b", `{${"a,".repeat(200)}b}{c,d}`, "x".repeat(2000)])(
    "refuses %o and says why",
    (pattern) => {
      const result = glob(pattern);
      expect(Result.isFailure(result) && result.failure).toMatch(/\w+/);
    },
  );

  it("agrees with a pattern that is spelt out character by character", () => {
    // The plainest matcher there is: a regular expression of the same meaning, on texts too short to be slow.
    const meanings = new Map([
      ["a", "a"],
      ["b", "b"],
      ["*", "[^/]*"],
      ["?", "[^/]"],
      ["[ab]", "[ab]"],
      ["[!a]", "[^/a]"],
    ]);
    const piece = fc.constantFrom(...meanings.keys());
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 7 }),
        fc.stringMatching(/^[abc]{1,8}$/),
        (pieces, name) => {
          const pattern = pieces.map((one) => meanings.get(one)).join("");
          expect(fits(`/${pieces.join("")}`, name)).toBe(new RegExp(`^(?:${pattern})$`).test(name));
        },
      ),
      { seed: 2, numRuns: 500 },
    );
  });

  it("is not slowed down by hostile patterns and names", () => {
    const pattern = `${"*a".repeat(100)}b`;
    expect(fits(pattern, "a".repeat(255))).toBe(false);
    expect(fits(`${"**/a/".repeat(100)}b`, "a/".repeat(1000))).toBe(false);
  });
});
