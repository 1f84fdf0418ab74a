import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

const sed = policyOf({ allow: ["sed *"], deny: ["git push *", "write:src/**"] });
const auto = policyOf({ mode: "auto", deny: ["git push *", "write:src/**", "read:private/**"] });

describe("a script of sed", () => {
  it("that runs a line asks whatever the rules allow, and is denied where nobody is asked", () => {
    const commands = ["sed 's/x/id/e' a", "sed -n '1s/.*/ls/ep' a", "sed e a", "sed '1,/b/{s|x|y|ge}' a", "sed 1! a"];
    expectAll("ask", commands, sed);
    expectAll("deny", commands, auto);
  });

  it("is refused and denied for the commands that it runs", () => {
    expectAll(
      "hard-block",
      ["sed 's/x/rm -rf \\//e' a", "sed '1e rm -rf /' a", "sed -e 5d -e '/a/e rm -rf ~' a"],
      auto,
    );
    expectAll("deny", ["sed -n '1s/.*/git push/ep' a", "sed '1e git push' a", "sed -i -e 's,x,git push,e' a"], sed);
  });

  it("writes the files that it names", () => {
    expectAll("ask", ["sed '1w .git/commondir' a", "sed -n '1w .bashrc' a", "sed 's/a/b/w .envrc' a"], sed);
    expectAll("deny", ["sed 'w src/a' b", "sed -n '/a/,$W src/a' b", "sed 's/[/]/b/gw src/a' b"], sed);
    expectAll(
      "hard-block",
      ["sed 'w .kumiko/settings.json' a", "sed ':a;s/x/y/;ta;w .kumiko/x' a", "sed -i '' 'w .kumiko/x' a"],
      auto,
    );
  });

  it("reads the files that it names", () =>
    expectAll("deny", ["sed 'r private/a' b", "sed '$R private/a' b", "sed '1{p;r private/a\n}' b"], auto));

  it("that only changes text needs no more than a rule", () => {
    const commands = [
      "sed 's/a/b/g; s|/x|/y|; /^$/d' a",
      "sed -n '/from/,/to/{/x/!p;}' a",
      "sed ':a;N;$!ba;s/\\n/ /g' a",
      "sed -e 's/[/]/-/' -e '$a\\end' a",
      "sed '1i\\\nfirst line' a",
      "sed 'y/abc/xyz/;5q;\\,x,Id # note' a",
      "sed 's/^e w r/ w e /2p' a",
      "sed -i.bak '/e$/s//w/' a",
      "sed -i '' 's/a/b/' a",
      'sed "s/$OLD/$NEW/" a',
    ];
    expectAll("allow", commands, sed);
  });
});
