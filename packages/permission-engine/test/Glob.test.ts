import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileGlob } from "../src/Glob.ts";
import { mark } from "../src/internal/marks.ts";

const letters = fc.string({ unit: fc.constantFrom("a", "b", " ", "/", "\n"), maxLength: 8 });
const patterns = fc.string({ unit: fc.constantFrom("a", "b", " ", "/", "*", "?"), maxLength: 7 });
const run = { seed: 7, numRuns: 400 };

const reference = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replaceAll("*", "[^]*").replaceAll("?", "[^]").replaceAll("/", "\\/")}$`, "u");

describe("a glob", () => {
  it("matches as the same regular expression does", () =>
    fc.assert(
      fc.property(patterns, letters, (pattern, text) => {
        expect(compileGlob(pattern).matches(text)).toBe(reference(pattern).test(text));
      }),
      run,
    ));

  it("is anchored at both ends", () => {
    expect(compileGlob("ls *").matches("ls")).toBe(false);
    expect(compileGlob("ls*").matches("ls")).toBe(true);
    expect(compileGlob("?").matches("\u{1F98A}")).toBe(true);
  });

  it("takes an unknown piece by a star only", () => {
    expect(compileGlob("git ?").matches(`git ${mark.unknown}`)).toBe(false);
    expect(compileGlob("git *").matches(`git ${mark.unknown}`)).toBe(true);
  });

  it("may match exactly what some value would make it match", () =>
    fc.assert(
      fc.property(patterns, letters, letters, letters, (pattern, before, value, after) => {
        const glob = compileGlob(pattern);
        if (glob.matches(before + value + after)) expect(glob.mayMatch(before + mark.unknown + after)).toBe(true);
        expect(glob.mayMatch(before + after)).toBe(glob.matches(before + after));
      }),
      run,
    ));

  it("may not match what no value would", () => {
    const glob = compileGlob("git push *");
    expect(glob.mayMatch(`git ${mark.unknown} x`)).toBe(true);
    expect(glob.mayMatch(`git log ${mark.unknown}`)).toBe(false);
    expect(glob.mayMatch(`${mark.unknown}`)).toBe(true);
    expect(glob.mayMatch(`git pus${mark.one} x`)).toBe(true);
    expect(glob.mayMatch(`git pu${mark.one} x`)).toBe(false);
  });
});
