import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { patternSpellings } from "../src/patternSpellings.ts";
import { expectAll, policyOf } from "./support.ts";

describe("a pattern that a program reads", () => {
  it("hides no sensitive name", () =>
    expectAll(
      "ask",
      [
        "git log -p -- '.\\env'",
        "git diff HEAD -- '.\\env'",
        "git grep -h '' -- '.\\env'",
        "git show 'HEAD:.\\env'",
        "git log -p -- '.[[:alpha:]]nv'",
        "git log -p -- '[.]\\env'",
        "git log -p -- '*.[p]\\em'",
        "git log -p -- 'secre*'",
        "grep -r '' --include='.\\env' .",
        "rg '' -g '.{env,x}'",
        "rg '' -g '{.env,x}'",
        "rg '' -g '*.{pem,key}'",
        "rg --files -g '.\\env'",
        "rg '' -g '.pgpas?'",
        "rg '' -g 'id_e*'",
        "rg '' -g 'secrets.*'",
        "grep -r '' --include='cred*' .",
        "git log -p -- 'cred*'",
        "git show HEAD -- '.envr?'",
        "grep -r x --include='*.tf?ars' .",
      ],
      policyOf(),
    ));

  it("is none the worse for being one", () =>
    expectAll(
      "allow",
      [
        "rg x -g '*.{ts,tsx}'",
        "rg x -g '!*.{min,map}.js'",
        "grep -rn x --include='*.[ch]' .",
        "rg x -g '*.json'",
        "git diff -- '*.test.ts'",
        "grep -rn x --include='*.yaml' .",
        "git log -- 'src/*.ts' '*.json'",
        "git diff -- 'src/[a-z]*.ts'",
      ],
      policyOf(),
    ));

  it("is no way around a denial", () =>
    expectAll(
      ["ask", "deny"],
      ["git log -p -- 'secrets/\\a'", "rg x 'secret{s,}/a'", "git log -- 'secret[s]/a'"],
      policyOf({ allow: ["*"], deny: ["read:secrets/**"] }),
    ));

  it("is spelled out in a bounded number of ways, itself among them, whatever it is", () =>
    fc.assert(
      fc.property(fc.stringMatching(/^[\\{},[\]:a*]{0,40}$/), (text) => {
        const found = patternSpellings(text);
        expect(found).toContain(text);
        expect(found.length).toBeLessThanOrEqual(65);
      }),
      { seed: 7, numRuns: 500 },
    ));
});
