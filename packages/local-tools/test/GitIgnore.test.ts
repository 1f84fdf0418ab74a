import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { parseGitIgnore } from "../src/GitIgnore.ts";
import { tempFolder } from "./runTool.ts";

const paths = [
  "a",
  "b.c",
  "dir/a",
  "dir/b",
  "dir/dir/a",
  "dir/sub/b.c",
  "sub/dir/a",
  ".hid",
  "x y",
  "[a]",
  "a*b",
  "sub/a b",
];

// As a walk asks: what lies in an ignored folder is never met.
const isIgnored = (text: string, path: string): boolean => {
  const ignore = parseGitIgnore(text);
  const segments = path.split("/");
  return segments.some((_, index) => ignore(segments.slice(0, index + 1), index < segments.length - 1) === "ignored");
};

describe("a hostile .gitignore", () => {
  it("takes a moment, not minutes, and lines that are no rules fit nothing", () => {
    const text = `${`${"*a".repeat(48)}b\n`.repeat(9_000)}*.log\n`;
    const ignore = parseGitIgnore(text);
    const started = process.cpuUsage();
    for (let n = 0; n < 300; n++) expect(ignore([`${"a".repeat(250)}${n}`], false)).toBeUndefined();
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
    expect(parseGitIgnore("*.log\n")(["x.log"], false)).toBe("ignored");
  });
});

const folder = await tempFolder();
afterAll(() => folder[Symbol.asyncDispose]());
execFileSync("git", ["init", "-q", folder.path]);
for (const path of paths) {
  mkdirSync(dirname(folder.at(path)), { recursive: true });
  writeFileSync(folder.at(path), "");
}

const ignoredByGit = (text: string): ReadonlyArray<string> => {
  writeFileSync(folder.at(".gitignore"), text);
  try {
    return execFileSync("git", ["-c", "core.excludesFile=", "check-ignore", "-z", "--no-index", "--stdin"], {
      cwd: folder.path,
      encoding: "utf8",
      input: paths.join("\0"),
    })
      .split("\0")
      .filter((path) => path !== "");
  } catch (error) {
    // Status 1: none is ignored.
    if (error instanceof Error && "status" in error && error.status === 1) return [];
    throw error;
  }
};

describe("GitIgnore", () => {
  it.each([
    "a\n!dir/a\n",
    "dir/\n!dir/a\n",
    "/dir\n",
    "dir/a",
    "**/a",
    "dir/**",
    "dir/**/a",
    "**",
    "*\n!b.c\n",
    "# a\n\\#\n\\!x\n",
    "x y\nx\\ y  \nb.c   \n",
    "\\[a\\]\n",
    "[a]\n",
    "[b\n",
    "a\\*b\n",
    "a\r\ndir/\r\n",
    "\uFEFFa\n",
    "!a\na\n",
    "//a\n/\n",
    "a/\n",
    "*.[a-c]\n",
    "[!.]*\n",
    "[[:alpha:]]\n",
    "sub/a b\n",
    "?\n",
  ])("reads %o as git does", (text) => {
    expect(paths.filter((path) => isIgnored(text, path))).toEqual(ignoredByGit(text));
  });

  it("reads any file as git does", () => {
    const piece = fc.constantFrom(
      "a",
      "b",
      "c",
      ".",
      "*",
      "**",
      "?",
      "/",
      "dir",
      "sub",
      "[ab]",
      "[!a]",
      "\\",
      " ",
      "!",
      "#",
    );
    // Stars glued to a name (`dir**`) are left out: git's own answer about them depends on an optimisation.
    const line = fc
      .array(piece, { maxLength: 5 })
      .map((pieces) => pieces.join(""))
      .filter((text) => !/[^/!]\*\*|\*\*[^/]/.test(text));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
        const text = lines.join("\n");
        expect(paths.filter((path) => isIgnored(text, path))).toEqual(ignoredByGit(text));
      }),
      { seed: 17, numRuns: 150 },
    );
  });

  it("is not slowed down by a hostile file", () => {
    const text = `${"*a".repeat(500)}b\n${"**/a/".repeat(500)}b\n`.repeat(20);
    expect(isIgnored(text, `${"a/".repeat(100)}${"a".repeat(255)}`)).toBe(false);
  });
});
