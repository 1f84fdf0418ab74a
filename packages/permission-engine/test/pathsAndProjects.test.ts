import { describe, expect, it } from "vitest";
import { decidePath } from "../src/index.ts";
import { expectAll, place, policyOf } from "./support.ts";

describe("a path that goes down and up again", () => {
  const climbing = [
    "cat t/../etc/passwd",
    "cat link/../a.txt",
    "ls link/..",
    "grep -r x link/..",
    "cat src/./link/.././a",
    "rm -rf t/../etc",
    "chmod -R 777 t/..",
    "dd if=x of=t/../dev/sda",
    "cp a ks/../z",
    "tee ks/../z",
    "mv a ks/../z",
    "ln -s a ks/../z",
    "cd ks/.. && rm -rf ./*",
    "cd -P hl/.. && rm -rf ./*",
    "cd ks && echo x > ks/../y",
  ];

  it("leads nowhere that is known: it is not on the safe list, and no wildcard allows it", () => {
    expectAll("ask", climbing, policyOf({ allow: ["*"] }));
    expectAll("ask", ["cat link/../a.txt", "ls link/..", "head link/../a"], policyOf());
  });

  it("is denied where nobody is asked", () => expectAll("deny", climbing, policyOf({ mode: "auto" })));

  it("is none where it only goes up, or has a name with dots", () =>
    expectAll("allow", [
      "cat ../project/a",
      "ls ..",
      "cat ../../srv/a",
      "cat a..b/c",
      "cat .../a",
      "cat ./../project/a",
    ]));
});

describe("a search that follows symlinks", () => {
  it("is not on the safe list", () =>
    expectAll(
      "ask",
      [
        "grep -R x .",
        "grep --dereference-recursive x",
        "find -L . -name x",
        "find . -follow",
        "ls -RL",
        "du -aL",
        "rg -L x",
        "rg --follow x",
        "fd -L x",
        "tree -l",
      ],
      policyOf(),
    ));

  it("is, where it does not", () =>
    expectAll("allow", ["grep -rn x src", "find . -name x", "ls -R", "du -a", "rg x", "fd x", "tree"], policyOf()));
});

describe("a file that something else runs later", () => {
  const write = (path: string) =>
    decidePath({ path: `/srv/project/${path}`, mode: "write" }, { ...place, mode: "accept-edits" }).verdict;

  it("is not written unasked", () => {
    const later = [
      ".git",
      "sub/.git",
      ".git/commondir",
      ".git/HEAD",
      ".git/config.worktree",
      ".git/modules/x/config",
      ".git/info/exclude",
      "HEAD",
      "config",
      "sub/refs/heads/main",
      "objects/info/alternates",
      "sub/commondir",
      ".git/rebase-merge/git-rebase-todo",
      ".git/remotes/origin",
      ".git/info/attributes",
      ".claude/settings.json",
      ".claude/hooks/x.sh",
      ".mcp.json",
      ".cursor/mcp.json",
      ".github/workflows/ci.yml",
      ".gitlab-ci.yml",
      ".vscode/launch.json",
      ".idea/runConfigurations/x.xml",
      ".devcontainer/devcontainer.json",
      ".githooks/pre-commit",
      ".pre-commit-config.yaml",
      ".gdbinit",
      ".tool-versions",
      ".venv/bin/python",
      "x.pth",
      ".yarnrc.yml",
      ".pnpmfile.cjs",
      ".cargo/config.toml",
      "rust-toolchain.toml",
      ".mvn/jvm.config",
      "node_modules/.bin/tsc",
    ];
    expect(later.filter((path) => write(path) !== "ask")).toEqual([]);
  });

  it("is none of those that only resemble it", () => {
    const plain = [
      ".github/README.md",
      "config/app.ts",
      "src/objects/chair.ts",
      "src/refs/index.ts",
      ".gitignore",
      "src/heading.ts",
      "mise.ts",
      "venv.py",
      "src/claude.ts",
      "a.git.ts",
    ];
    expect(plain.filter((path) => write(path) !== "allow")).toEqual([]);
  });
});

describe("a command under a harmless rule", () => {
  const ruled = policyOf({ allow: ["cat *", "cp *", "mv *", "ln *", "mkdir *"] });

  it("asks before it writes what builds, tools or agents run", () => {
    const run = [
      ".cargo/config.toml",
      ".mvn/jvm.config",
      ".pnpmfile.cjs",
      "pom.xml",
      "conftest.py",
      "setup.py",
      "sub/build.gradle.kts",
      "Directory.Build.props",
      "vitest.config.ts",
      "src/a.test.ts",
      "tests/test_x.py",
      "node_modules/x/index.js",
      ".claude/settings.json",
      ".mcp.json",
      "CLAUDE.md",
      ".github/workflows/x.yml",
      ".venv/bin/python",
      ".git/commondir",
      ".git",
      "HEAD",
      "config",
      "refs/heads/x",
    ];
    expectAll(
      "ask",
      run.map((path) => `cat a > ${path}`),
      ruled,
    );
    expectAll("allow", ["cat a > b.txt", "cat a > src/index.ts", "cat a > config/x.json", "cat a > out/log"], ruled);
  });

  it("asks before it puts another repository there", () => {
    expectAll("ask", ["cp -r x/.git .", "mv x .git", "ln -sf x .git", "cp x HEAD", "cp x sub/HEAD"], ruled);
    expectAll("allow", ["mkdir -p src/config", "cp a b", "mv a heads"], ruled);
  });
});
