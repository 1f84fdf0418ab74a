import { describe, expect, it } from "vitest";
import { promptPattern } from "../src/internal/promptPattern.ts";

describe("promptPattern", () => {
  it.each([
    ["todo*", "Collect every TODO comment", true],
    ["todo*", "Find all todos", true],
    ["todo*", "TODOコメントを集めて", true],
    ["todo*", "mastodon", false],
    ["hi|hello", "say hi!", true],
    ["hi|hello", "this is it", false],
    ["what can you do", "So: What can you do?", true],
    ["c++", "I like C++", true],
    ["a.b", "axb", false],
    ["(", "a ( b", true],
    ["|", "anything", false],
    ["issues*", "into issues.md", true],
    ["", "", false],
  ])("%s in %o is %s", (entry, prompt, fits) => {
    expect(promptPattern(entry)(prompt)).toBe(fits);
  });

  it("is not slowed down by hostile prompts", () => {
    for (const entry of ["a*b", "a* a*b", "a*a*a*a*b"]) {
      expect(promptPattern(entry)("a".repeat(200_000))).toBe(false);
      expect(promptPattern(entry)("a ".repeat(100_000))).toBe(false);
    }
  });
});
