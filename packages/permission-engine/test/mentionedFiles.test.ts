import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

describe("a denial about files", () => {
  const policy = policyOf({ allow: ["*"], deny: ["read:secrets/**", "write:src/**"] });

  it("reckons with words of which nobody knows what becomes of them", () =>
    expectAll(
      ["ask", "deny"],
      [
        "source secrets/a",
        ". secrets/a",
        "git show HEAD:secrets/a",
        "node --env-file=secrets/a x.js",
        "unknown-program secrets/a",
        "bash secrets/a.sh",
        "python3 secrets/a.py",
        "npm run x -- secrets/a",
        "curl file:///srv/project/%73ecrets/a",
        "unknown-program --out=src/a",
        "rg x",
        "git grep x",
        "sqlite3 secrets/a .dump",
        "vim secrets/a",
        'python3 -c \'open("src/a", "w")\'',
        'node -e \'fs.writeFileSync("src/a", "")\'',
        "git mv x src/y",
        "git apply --directory=src x.patch",
        "mktemp -p src",
      ],
      policy,
    ));

  it("reckons with formatters, of a file and of all below a folder", () =>
    expectAll(
      ["ask", "deny"],
      [
        "prettier --write src/a",
        "eslint --fix .",
        "black src",
        "isort .",
        "ruff format",
        "ruff check --fix src",
        "cargo fmt",
        "go fmt ./...",
        "gofmt -w src",
        "rustfmt src/a.rs",
        "clang-format -i src/a.c",
        "git checkout .",
      ],
      policy,
    ));

  it("lets be what only looks, and what is elsewhere", () =>
    expectAll(
      "allow",
      [
        "prettier --check docs",
        "eslint src",
        "black docs",
        "node src/index.js",
        "cat a | rg x",
        "rg x docs",
        "python3 -c 'print(open(\"src/a\").read())'",
        "unknown-program docs/a",
        "cat src/a",
      ],
      policy,
    ));
});
