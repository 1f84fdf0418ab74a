import { ToolFailed } from "@kumiko/plugin-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { applyEdits, type Edit } from "../src/applyEdits.node.ts";

const edited = (text: string, ...edits: ReadonlyArray<Edit>): string =>
  applyEdits(Buffer.from(text), edits, "file").after.toString("utf8");
const summary = (text: string, ...edits: ReadonlyArray<Edit>): string =>
  applyEdits(Buffer.from(text), edits, "file").summary;
const problem = (text: string | Uint8Array, ...edits: ReadonlyArray<Edit>): string => {
  try {
    applyEdits(Buffer.from(text), edits, "file");
  } catch (error) {
    if (error instanceof ToolFailed) return error.message;
    throw error;
  }
  throw new Error("nothing was wrong");
};

describe("applyEdits", () => {
  it("replaces one text, or every one, and nothing else", () => {
    expect(edited("a b c", { old: "b", new: "B" })).toBe("a B c");
    expect(edited("x.x.x", { old: "x", new: "$&y", replaceAll: true })).toBe("$&y.$&y.$&y");
    expect(edited("aaaa", { old: "aa", new: "b", replaceAll: true })).toBe("bb");
    expect(edited("one\ntwo\n", { old: "two\n", new: "" })).toBe("one\n");
  });

  it("applies edits in order, each to what the ones before it made", () => {
    expect(edited("one two", { old: "one", new: "1" }, { old: "1 two", new: "12" })).toBe("12");
    expect(problem("one two", { old: "one", new: "1" }, { old: "one two", new: "12" })).toMatch(
      /edit 2 of 2: old is no longer there; an edit before it changed it/,
    );
  });

  it("names the lines where a text stands that is not unique", () => {
    expect(problem("a\nb\na\na\n", { old: "a", new: "x" })).toMatch(/stands there 3 times, in the lines 1, 3, 4\./);
    expect(problem("a\n".repeat(50), { old: "a", new: "x" })).toMatch(/50 times, in the lines 1, .*, 10 and 40 more\./);
    expect(problem("aaa", { old: "aa", new: "x" })).toContain("stands there 2 times");
  });

  it("keeps line ends: new lines end as those of the file", () => {
    expect(edited("a\r\nb\r\n", { old: "a\nb", new: "1\n2\n3" })).toBe("1\r\n2\r\n3\r\n");
    expect(edited("a\r\nb\r\n", { old: "a\r\nb", new: "1\r\n2" })).toBe("1\r\n2\r\n");
    expect(edited("a\nb\n", { old: "a\r\nb", new: "1\r\n2" })).toBe("1\n2\n");
    // A file with both: as the lines that are replaced, or the line they come into.
    expect(edited("a\r\nb\nc\n", { old: "a", new: "1\n2" })).toBe("1\r\n2\r\nb\nc\n");
    expect(edited("a\r\nb\nc\n", { old: "b", new: "1\n2" })).toBe("a\r\n1\n2\nc\n");
    expect(edited("a\r\nb\r\nx\n", { old: "a\nb\n", new: "n\nm\n" })).toBe("n\r\nm\r\nx\n");
    expect(problem("a\r\nb\r\na\nb\n", { old: "a\nb", new: "x" })).toMatch(/2 times, in the lines 1, 3/);
    // Never one half of a line break.
    expect(edited("a\r\nb\nc", { old: "\nc", new: "" })).toBe("a\r\nb");
    expect(problem("a\r\nb\nb\r\n", { old: "\nb\r", new: "" })).toContain("not there");
  });

  it("keeps the byte order mark and the line break at the end", () => {
    expect(edited("\ufeffa\n", { old: "a", new: "b" })).toBe("\ufeffb\n");
    expect(edited("\ufeffa\n", { old: "\ufeffa", new: "b" })).toBe("\ufeffb\n");
    expect(edited("\ufeffa\n", { old: "\ufeffa", new: "\ufeffb" })).toBe("\ufeffb\n");
    expect(edited("a\nb\n", { old: "b\n", new: "c" })).toBe("a\nc\n");
    expect(summary("a\nb\n", { old: "b\n", new: "c" })).toContain("line break at the end of the file was kept");
    expect(edited("a\r\nb\r\n", { old: "b\n", new: "c" })).toBe("a\r\nc\r\n");
    expect(edited("a\nb", { old: "b", new: "c" })).toBe("a\nc");
    expect(edited("a\n", { old: "a\n", new: "" })).toBe("");
  });

  it("refuses what is no text that it could keep whole", () => {
    const edit = { old: "a", new: "b" };
    expect(problem(Buffer.from("\ufeffa", "utf16le"), edit)).toContain("UTF-16");
    expect(problem("a\0", edit)).toContain("binary");
    expect(problem(Buffer.from("one\ntwo\xe9\nthree", "latin1"), edit)).toContain("line 2 is not UTF-8");
    expect(problem(Buffer.from("one\ntwo\xe9", "latin1"), edit)).toContain("line 2 is not UTF-8");
    expect(problem("a", { old: "a", new: "\ud800" })).toContain("half a character");
  });

  it("refuses edits that make no sense, or too much", () => {
    expect(problem("a", { old: "a", new: "a" })).toContain("old and new are the same");
    expect(problem("a", { old: "a", new: "b" }, { old: "b", new: "a" })).toContain("change nothing");
    expect(problem("a".repeat(1_000_002), { old: "a", new: "b", replaceAll: true })).toContain(
      "more than 1000000 times",
    );
    const large = { old: "a", new: "b".repeat(1000), replaceAll: true };
    expect(problem("a".repeat(100_000), large)).toContain("it would have 100000000 bytes; 67108864 is the most");
  });

  it("says that an edit was made already", () => {
    expect(problem("x\nconst answer = 42\n", { old: "const answer = 41", new: "const answer = 42" })).toMatch(
      /old is not there, but new is, in line 2\. Perhaps it was edited already/,
    );
  });

  it("shows what changed: lines that went and came, numbered, with those around them that were given", () => {
    expect(summary("a\nb\nc\nd\n", { old: "b\nc\nd", new: "b\nC\nc2\nd" })).toBe("@@ line 2 @@\n b\n-c\n+C\n+c2\n d");
    expect(summary("one two\n", { old: "two", new: "three" })).toBe("@@ line 1 @@\n-one two\n+one three");
    expect(summary("a\nx\n", { old: "a\n", new: "" })).toBe("@@ line 1 @@\n-a");
    expect(summary("a\nb\n", { old: "a", new: "1\n2" }, { old: "b", new: "c" })).toBe(
      "@@ edit 1, line 1 @@\n-a\n+1\n+2\n@@ edit 2, line 3 @@\n-b\n+c",
    );
    expect(summary("x x\nx\n", { old: "x", new: "y\ny", replaceAll: true })).toBe(
      "@@ line 1 @@\n-x x\n+y\n+y y\n+y\n@@ line 4 @@\n-x\n+y\n+y",
    );
    expect(summary("a\r\nb\r\n", { old: "b", new: "c" })).toBe("@@ line 2 @@\n-b\n+c");
  });

  it("keeps the summary short", () => {
    expect(summary("x\n".repeat(20), { old: "x", new: "y", replaceAll: true })).toMatch(
      /^(@@ line \d @@\n-x\n\+y\n){3}\(and 17 more places\)$/,
    );
    const long = summary(`${"ü".repeat(100_000)}here${"語".repeat(100_000)}`, { old: "here", new: "there" });
    expect(long.length).toBeLessThan(500);
    expect(long).not.toContain("\ufffd");
    const many = Array.from({ length: 100 }, (_, at) => ({ old: `<${at}>`, new: "line\n".repeat(500) }));
    const text = many.map(({ old }) => `${old}\n`).join("");
    expect(summary(text, ...many).length).toBeLessThan(10_000);
  });

  it("does to any text what replacing strings does", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n", " ", "ü", "😀"), maxLength: 30 });
    const edit = fc.record({
      from: fc.nat(30),
      length: fc.integer({ min: 1, max: 3 }),
      new: text,
      replaceAll: fc.boolean(),
    });
    let applied = 0;
    fc.assert(
      fc.property(text, fc.array(edit, { minLength: 1, maxLength: 3 }), (before, places) => {
        const letters = [...before];
        const edits = places.map(({ from, length, ...rest }) => {
          const start = letters.length === 0 ? 0 : from % letters.length;
          return { ...rest, old: letters.slice(start, start + length).join("") || "missing" };
        });
        let expected: string | undefined = before;
        for (const { new: added, old, replaceAll } of edits) {
          if (expected === undefined || old === added) expected = undefined;
          else {
            const first: number = expected.indexOf(old);
            const isUnique = first >= 0 && expected.indexOf(old, first + 1) < 0;
            if (first < 0 || (!replaceAll && !isUnique)) expected = undefined;
            else expected = expected.replaceAll(old, () => added);
          }
        }
        if (expected !== undefined && before.endsWith("\n") && expected !== "" && !expected.endsWith("\n"))
          expected += "\n";
        if (expected === undefined || expected === before) expect(problem(before, ...edits)).toContain("file");
        else {
          applied++;
          expect(edited(before, ...edits)).toBe(expected);
          // CRLF is the same file in other clothes.
          const dressed = (part: string): string => part.replaceAll("\n", "\r\n");
          if (before.includes("\n")) expect(edited(dressed(before), ...edits)).toBe(dressed(expected));
        }
      }),
      { seed: soak.seed, numRuns: soak.numRuns * 5 },
    );
    expect(applied).toBeGreaterThan(soak.numRuns / 2);
  });
});
