import { describe, expect, it } from "vitest";
import { decideCommand } from "../src/index.ts";
import { expectAll, policyOf } from "./support.ts";

const bare = policyOf();

describe("the safe list", () => {
  it("lets reading and building commands run", () => {
    expectAll(
      "allow",
      [
        "ls",
        "ls -la src",
        "ls ~/projects",
        "pwd",
        "cat README.md",
        "grep -rn '/api/' src",
        "rg -n TODO",
        "find . -name '*.go' -type f",
        "head -n 5 a.txt",
        "wc -l a.txt",
        "date +%s",
        "git status --short",
        "git diff --stat -- 'a & b'",
        "git log --oneline -n 5 -S'$(x)'",
        "git show HEAD~3",
        "git branch -a",
        "git tag -l 'v*'",
        "git config --get user.name",
        "go build ./...",
        "go test -run 'Test|Other' -count=1 ./...",
        "make",
        "make -j4 test",
        "cargo test --all -- --nocapture",
        "npm test",
        "python3 -m pytest -q tests",
        "node --version",
        "ps aux",
        "jq .name package.json",
      ],
      bare,
    );
    expect(decideCommand("git log", bare)).toMatchObject({ layer: "safe-list", rule: "git log", risk: "read" });
  });

  it("keeps out options that run, write or redirect", () =>
    expectAll(
      "ask",
      [
        "git -c core.pager=./x log",
        "git --exec-path=. status",
        "git --work-tree=/ status",
        "git diff --output x",
        "git diff --outp=x",
        "git diff --ext-diff",
        "git log --textconv",
        "git branch -D x",
        "git branch new",
        "git tag v1",
        "git remote add x y",
        "git config user.name x",
        "git reflog expire --all",
        "git stash",
        "find . -delete",
        "find . -exec ls {} +",
        "find . -fprint x",
        "fd -x ls",
        "rg --pre ./x y",
        "rg --pre=./x y",
        "sort -o out in",
        "sort -uo out in",
        "sort --outp=out in",
        "uniq in out",
        "date -s 10:00",
        "date 01011200",
        "hostname x",
        "make -f other.mk",
        "make -C /tmp",
        "make SHELL=./x",
        "make --eval='x:;id'",
        "go build -toolexec ./x ./...",
        "go test -exec ./x ./...",
        "go test /tmp/x",
        "go test ../other/...",
        "go env -w X=1",
        "cargo test --config x",
        "node",
        "node script.js",
        "npm run deploy",
        "ps auxe",
        "ps eww",
        "jq -n env",
        "jq -n '$ENV.TOKEN'",
      ],
      bare,
    ));

  it("reads no sensitive file and none outside the workspace", () =>
    expectAll(
      "ask",
      [
        "cat .env",
        "cat ~/.ssh/id_rsa",
        "cat /etc/passwd",
        "head ../x",
        "grep x .ENV",
        "grep -e x /etc/passwd",
        "ls ~/.ssh",
        "git diff .env",
      ],
      bare,
    ));

  it("is about names, not prefixes or paths", () =>
    expectAll("ask", ["LS", "lsx", "gitk", "git log-evil", "bin/make", "./ls", "git statusx"], bare));

  it("takes no expansion", () =>
    expectAll("ask", ["ls $x", "ls *.go", "ls {a,b}", "cat `x`", "A=1 ls", "nice ls"], bare));
});

describe("in plan mode", () => {
  it("nothing runs that a file of the project can make run something", () =>
    expectAll(
      "deny",
      [
        "python3 -m pip list",
        "cargo metadata",
        "cargo tree",
        "cargo --version",
        "rustc --version",
        "mvn --version",
        "dotnet --version",
        "yarn --version",
        "yarn list",
        "pnpm ls",
        "uv tree",
        "uv pip list",
        "poetry show",
        "pytest --version",
        "make",
        "npm test",
        "go build ./...",
      ],
      policyOf({ mode: "plan" }),
    ));

  it("what only reads runs", () =>
    expectAll("allow", ["ls", "git status", "npm ls", "node --version", "pip list"], policyOf({ mode: "plan" })));
});
