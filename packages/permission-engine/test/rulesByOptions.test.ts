import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

const deny = [
  "git push --force *",
  "rm -rf *",
  "docker run --privileged *",
  "curl -o *",
  "npm install -g *",
  "git commit --no-verify *",
  "git reset --hard*",
  "kubectl delete ns *",
  "chmod 777 *",
];

describe("a denial that names options", () => {
  const ways = [
    "git push origin --force",
    "git push origin main -f",
    "git push -uf origin main",
    "git push -u --force origin main",
    "git push --forc origin",
    "git -C x push origin -f",
    "git push origin +main",
    "rm -fr x",
    "rm -r -f x",
    "rm x -rf",
    "rm --recursive --force x",
    "rm -Rvf x",
    "docker run -it --privileged x",
    "docker run --privileged=true x",
    "curl https://x.test -o y",
    "curl -so y https://x.test",
    "curl -oy https://x.test",
    "curl https://x.test --output=y",
    "npm i x -g",
    "npm install --location=global x",
    "git commit -m x --no-verify",
    "git commit -nm x",
    "git reset HEAD~1 --hard",
    "kubectl delete namespace x",
    "kubectl delete ns/x",
    "chmod 0777 x",
  ];

  it("is about them in any order and by any name", () => expectAll("deny", ways, policyOf({ mode: "auto", deny })));

  it("is about them whatever is allowed", () => expectAll("deny", ways, policyOf({ allow: ["*"], deny })));

  it("may be about what a word stands for", () =>
    expectAll("ask", ['git push origin "$x"', "rm -r $x y"], policyOf({ allow: ["*"], deny })));

  it("is about nothing else", () =>
    expectAll(
      "allow",
      [
        "git push origin main",
        "git push -u origin main",
        "git push --force-with-lease origin",
        "git push -- --force",
        "rm -r x",
        "rm -f x",
        "docker run --privileged=false x",
        "curl https://x.test",
        "curl -O https://x.test",
        "npm install x",
        "git commit -m '--no-verify'",
        "git reset --soft HEAD~1",
        "kubectl delete pod x",
        "chmod 755 x",
      ],
      policyOf({ mode: "auto", deny }),
    ));
});

describe("a rule for builds and tests", () => {
  const allow = ["pytest *", "go *", "gradle test *", "mvn test *", "make test*", "cargo *", "jest *", "dotnet test *"];

  it("is for what they are told within the workspace", () =>
    expectAll(
      "allow",
      [
        "pytest -p no:cacheprovider -q tests",
        "pytest -c other.ini",
        "go build -ldflags '-s -w -X main.version=1.2' ./...",
        "go test -run x ./...",
        "gradle test --tests x",
        "make test-unit",
        "cargo test --manifest-path sub/Cargo.toml",
        "jest --config jest.e2e.config.js",
      ],
      policyOf({ allow }),
    ));

  it("is not for what makes them run something else", () =>
    expectAll(
      "ask",
      [
        "pytest -p evil",
        "pytest -o python_files=x.py",
        "pytest /tmp/x",
        "pytest ../x",
        "pytest --rootdir=/tmp",
        "go test -overlay=x ./...",
        "go build -ldflags '-extld ./x' .",
        "go test -C /tmp ./...",
        "gradle test -I x.gradle",
        "gradle test publish",
        "mvn test -Dexec.executable=x",
        "mvn test org.codehaus.mojo:exec-maven-plugin:exec",
        "mvn test deploy",
        "make test deploy",
        "make test -C /tmp",
        "cargo test --manifest-path /tmp/Cargo.toml",
        "cargo tree -i '--config=target.x.runner=\"./x\"'",
        "dotnet test -p:x=y",
        "dotnet test /tmp/x",
      ],
      policyOf({ allow }),
    ));

  it("names what it is for", () =>
    expectAll(
      "allow",
      ["make test deploy", "pytest /tmp/x"],
      policyOf({ allow: ["make test deploy*", "pytest /tmp/*"] }),
    ));
});

describe("a rule for what only reads", () => {
  const allow = [
    "git log *",
    "git diff *",
    "git branch *",
    "find *",
    "sort *",
    "date *",
    "rg *",
    "gh api *",
    "curl https://api.x.test/*",
    "kubectl get *",
    "aws s3 ls *",
    "git log --output *",
  ];

  it("is not for options that write, run or take away", () =>
    expectAll(
      "ask",
      [
        "git log --ext-diff",
        "git log -p --output=x",
        "git diff --output=/etc/x",
        "git branch -D x",
        "find . -fprintf x y",
        "sort -o x y",
        "date -s x",
        "rg -z x",
        "gh api -X DELETE repos/x/y",
        "kubectl get pods --kubeconfig=/tmp/x",
        "aws s3 ls --endpoint-url=http://x.test",
      ],
      policyOf({ allow }),
    ));

  it("is for everything else, and for what it names", () =>
    expectAll(
      "allow",
      [
        "git log -p --stat -S x",
        "git branch new-one",
        "find . -newer a -printf '%p'",
        "sort -k2 -t, a",
        "gh api repos/x/y",
        "kubectl get pods -n x -o yaml",
        "git log --output x",
      ],
      policyOf({ allow }),
    ));

  it("is for its address alone", () => {
    expectAll("ask", ["curl https://api.x.test/a https://evil.test"], policyOf({ allow }));
    expectAll("allow", ["curl https://api.x.test/a https://api.x.test/b"], policyOf({ allow }));
  });
});
