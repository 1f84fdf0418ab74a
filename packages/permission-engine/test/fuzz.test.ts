import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { decideCommand, explainCommand } from "../src/index.ts";
import { mostParts } from "../src/Walk.ts";
import { textOf } from "./generatorText.ts";
import { policyOf } from "./support.ts";

const policies = [
  policyOf({ allow: ["*"], deny: ["curl *", "* --force*"], ask: ["git push*"] }),
  policyOf({ allow: ["ls *"], mode: "auto" }),
  policyOf({ mode: "plan" }),
];
const verdicts = new Set(["allow", "ask", "deny", "hard-block"]);

// The whole of a large text is read once.
const verdictOf = (text: string): string => decideCommand(text, policyOf({ allow: ["*"] })).verdict;

// A text that breaks a promise, with what was broken.
const broken = (text: string): string | undefined => {
  const shown = JSON.stringify(text.slice(0, 300));
  try {
    for (const policy of policies) {
      const decision = decideCommand(text, policy);
      if (!verdicts.has(decision.verdict)) return `${shown}: no verdict`;
      if (text.includes("\0") && decision.verdict === "allow") return `${shown}: a NUL was allowed`;
      if (decision.effects.length > 256 || decision.resources.length > 256) return `${shown}: too much is listed`;
    }
    const { decision, parts } = explainCommand(text, policies[0] ?? policyOf());
    return verdicts.has(decision.verdict) && parts.length <= mostParts ? undefined : `${shown}: too much is kept`;
  } catch (error) {
    return `${shown}: ${String(error)}`;
  }
};

const nest = (open: string, inner: string, close: string, times: number): string =>
  open.repeat(times) + inner + close.repeat(times);

describe("any text", () => {
  // In a soak, a run is a second.
  const seconds = soak.numRuns === 200 ? undefined : soak.numRuns;

  it("is answered", { timeout: 3_600_000 }, () => {
    const from = soak.seed * 1_000_003;
    const end = seconds === undefined ? undefined : performance.now() + seconds * 1_000;
    const faults: Array<string> = [];
    let count = 0;
    let slowest = { millis: 0, seed: 0 };
    while ((end === undefined ? count < 1_000 : performance.now() < end) && faults.length < 10) {
      const seed = from + count++;
      const text = textOf(seed);
      const start = performance.now();
      const fault = broken(text);
      const millis = performance.now() - start;
      if (millis > slowest.millis) slowest = { millis, seed };
      if (fault !== undefined) faults.push(`seed ${seed}: ${fault}`);
    }
    console.log(
      `fuzz: ${count} texts from seed ${from}, each read ${policies.length + 1} times; the slowest took ${Math.round(slowest.millis)} ms (seed ${slowest.seed})`,
    );
    expect(faults).toEqual([]);
  });

  it("of a megabyte is answered, and never allowed", () => {
    const million = 1_000_000;
    const texts = [
      "a ",
      "a;",
      "a|",
      "'",
      '"',
      "`",
      "$(",
      "(",
      "{ ",
      "\\",
      "\n",
      "\u202e",
      "\ud800",
      "x=1 ",
      "<<a\n",
      "#",
    ];
    for (const unit of texts) {
      const text = `ls ${unit.repeat(million / unit.length)}`;
      expect([unit, verdictOf(text)]).toEqual([unit, "ask"]);
    }
  });

  it("nested ten thousand deep is answered, and never allowed", () => {
    const brackets: ReadonlyArray<readonly [open: string, close: string]> = [
      ["(", ")"],
      ["( ", " )"],
      ["{ ", "; }"],
      ["$(", ")"],
      ["<(", ")"],
      [">(", ")"],
      ["((", "))"],
      ["$((", "))"],
      ["$[", "]"],
      ["${x:-", "}"],
      ["${x/", "/y}"],
      ["${a[", "]}"],
      ["a[", "]=1"],
      ["[[ (", ") ]]"],
      ["[[ ! ", " ]]"],
      ["! ", ""],
      ["time ", ""],
      ['"$(', ')"'],
      ["`", "`"],
      ["\\`", "\\`"],
      ["if ", "; then a; fi"],
      ["if a; then ", "; fi"],
      ["while ", "; do a; done"],
      ["for i in ", "; do a; done"],
      ["case a in a) ", ";; esac"],
      ["f() { ", "; }"],
      ["coproc ", ""],
      ["@(", ")"],
      ["{a,", "}"],
      ["a=(", ")"],
      ["x=$(", ")"],
      ["cat <<E\n", "\nE"],
      ["eval ", ""],
      ["sudo ", ""],
      ["bash -c '", "'"],
      ["find . -exec ", " \\;"],
      ["trap '", "' EXIT"],
    ];
    const allowed: Array<string> = [];
    for (const [index, [open, close]] of brackets.entries()) {
      const lead = index % 2 === 0 ? "" : "echo ";
      // The longer ones are cut to what is still read: deeper, they are refused for their length.
      const fitting = Math.floor(65_000 / (open.length + close.length + 1));
      for (const depth of new Set([10_000, Math.min(10_000, fitting)]))
        if (!/^ask|^hard-block/.test(verdictOf(lead + nest(open, "a", close, depth)))) allowed.push(`${depth} ${open}`);
    }
    // These nest nothing: repeated keywords, and letters and patterns of a single word.
    expect(allowed).toEqual(["10000 time ", "10000 \\`", "10000 @("]);
  });
});
