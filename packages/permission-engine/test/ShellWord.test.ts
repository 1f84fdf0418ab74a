import { parse } from "unbash";
import { describe, expect, it } from "vitest";
import { expandBraces } from "../src/BraceExpansion.ts";
import { mark } from "../src/internal/marks.ts";
import { resolveWord } from "../src/ShellWord.ts";

const words = (source: string) => {
  const command = parse(`x ${source}`).commands[0]?.command;
  if (command?.type !== "Command") throw new Error(`${source} is no simple command`);
  return command.suffix.flatMap((item) =>
    item.type === "Word" ? resolveWord(item, { home: "/home/u", cwd: "/srv/project" }) : [],
  );
};
const texts = (source: string) => words(source).map(({ text }) => text);

describe("a word", () => {
  it("is what the program receives", () => {
    expect(texts(`a\\ b 'c "d' "e'f" $'\\x41\\n' g"h"'i'`)).toEqual(["a b", 'c "d', "e'f", "A\n", "ghi"]);
    expect(texts('~ ~/x ~u/y $HOME/z "${HOME}" of=~/w \\~ "~"')).toEqual([
      "/home/u",
      "/home/u/x",
      "/home/u/y",
      "/home/u/z",
      "/home/u",
      "of=/home/u/w",
      "~",
      "~",
    ]);
  });

  it("becomes several by braces and blanks", () => {
    expect(texts("a{b,c}d {1..3} {,x}")).toEqual(["abd", "acd", "1", "2", "3", "x"]);
    expect(texts("-rf${IFS}/")).toEqual(["-rf", "/"]);
  });

  it("shows what is not known", () => {
    expect(words("a$x").map(({ shape, isStatic }) => [shape, isStatic])).toEqual([[`a${mark.unknown}`, false]]);
    expect(words("a* 'a*' [ab]?").map(({ shape }) => shape)).toEqual([`a${mark.any}`, "a*", mark.one + mark.one]);
    expect(words("'a b'").map(({ shape }) => shape)).toEqual([`a${mark.blank}b`]);
  });
});

describe("brace expansion", () => {
  it("is that of Bash", () => {
    expect(expandBraces("{a,{b,c}d}")).toEqual(["a", "bd", "cd"]);
    expect(expandBraces("{c..a}")).toEqual(["c", "b", "a"]);
    expect(expandBraces("{a}")).toEqual(["{a}"]);
  });

  it("gives up where it would grow", () => {
    expect(expandBraces("{a,b}".repeat(20))).toBeUndefined();
    expect(expandBraces("{1..9999}")).toBeUndefined();
    expect(expandBraces("{$x,b}")).toBeUndefined();
  });
});
