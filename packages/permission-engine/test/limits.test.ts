import { describe, expect, it } from "vitest";
import { analyseCommand } from "../src/analyseCommand.ts";
import { importClaudePermissions, proposeRules } from "../src/index.ts";
import { expectAll, place, policyOf } from "./support.ts";

const nest = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);

describe("a hostile size", () => {
  it("is refused to be read, and never allowed", () =>
    expectAll("ask", [
      `ls ${"a ".repeat(500_000)}`,
      "ls;".repeat(20_000),
      `${"a|".repeat(20_000)}b`,
      `ls ${"a ".repeat(20_000)}`,
      `ls ${"> a ".repeat(10_000)}`,
      `rm -rf ${"{a,b}".repeat(12_000)}`,
      `${"sudo ".repeat(4_000)}ls`,
      "cat <<A\n".repeat(3_000),
    ]));

  it("of nesting does not overflow the stack", () =>
    expectAll("ask", [
      nest("(", "ls", ")", 10_000),
      nest("{ ", "ls", "; }", 10_000),
      nest("$(", "ls", ")", 10_000),
      nest('echo "$(', "ls", ')"', 5_000),
      nest("echo ${x:-", "ls", "}", 5_000),
      nest("if ", "ls", "", 10_000),
      nest("f() { ", "ls", "; }", 5_000),
      nest("[[ ( ", "x", " ) ]]", 5_000),
      "`".repeat(9_999),
      "(".repeat(60_000),
      "eval ".repeat(60) + "ls",
    ]));

  it("of searches in searches has no more parts than levels allow", () => {
    const search = "find a b c d e f g h -name x -o -name y -exec xargs ".repeat(12);
    expect(analyseCommand(`${search} rm {} \\;`, place).parts.length).toBeLessThan(256);
  });

  it("is bounded in what is kept of it", () => {
    const analysis = analyseCommand("ls $(ls);".repeat(7_000), place);
    expect(analysis.parts.length).toBe(256);
    expect(analysis.doubts.length).toBeLessThanOrEqual(32);
  });

  it("of patterns is compared in bounded steps", () => {
    expectAll("hard-block", [`rm -rf ${"/*".repeat(500)}`, `rm -rf ${"../".repeat(20_000)}`]);
    expectAll("ask", [`./x ${"a".repeat(60_000)}`], { ...place, allow: [`${"*a".repeat(100)}b`], deny: [] });
  });
});

describe("a command just within the bounds", () => {
  it("is judged as any other", () => {
    expectAll("allow", [`echo ${"a ".repeat(4_000)}`, "ls;".repeat(250), nest("( ", "ls", " )", 20)]);
    expectAll("hard-block", [`${"ls;".repeat(250)} rm -rf /`, nest("( ", "rm -rf /", " )", 20)]);
  });

  it("makes no rule that could not be read again, and is none itself", () => {
    expect(proposeRules(`mkdir ${"a".repeat(4096)}`, policyOf())).toEqual([]);
    const { deny, warnings } = importClaudePermissions({ permissions: { deny: [`Read(${"[".repeat(1_000_000)})`] } });
    expect(deny).toEqual([]);
    expect(warnings).toHaveLength(1);
  });
});
