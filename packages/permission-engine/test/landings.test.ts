import { describe, it } from "vitest";
import { expectAll, policyOf } from "./support.ts";

const auto = policyOf({ mode: "auto", deny: ["write:**/Makefile", "read:private/**", "write:src/**"] });
const ruled = policyOf({ allow: ["*"] });

describe("a copy into a folder", () => {
  it("is refused for the name that the file gets there", () =>
    expectAll(
      "hard-block",
      [
        "cp -a src/.kumiko .",
        "cp -at . src/.kumiko",
        "rsync -a x/.kumiko .",
        "mv x/.kumiko ../project/",
        "cp -r x y x/.kumiko sub",
        "scp -r host:.kumiko .",
        "ln -sf x/.kumiko ./",
        "tar -xf a.tar .kumiko/settings.json",
        "unzip -o a.zip .kumiko/settings.json",
      ],
      auto,
    ));

  it("is never sure of a target that may be a folder", () =>
    expectAll("deny", ["cp -r x/.kumiko backup", "cp x/Makefile sub"], auto));

  it("is denied for the name that the file gets there", () =>
    expectAll("deny", ["cp x/Makefile .", "mv y/Makefile x ./sub", "install -t sub x/Makefile"], auto));

  it("asks for a sensitive name, under a rule with a wildcard", () =>
    expectAll(
      "ask",
      [
        "cp x/.bashrc ~",
        "cp x/.envrc sub",
        "cp x/config .git",
        "cp x/* .git",
        "cp -r x/. .git",
        "cp -t .git x/config",
        "mv x/hooks .git",
        "ln -sf y/.envrc .",
        "rsync -a host:x/.zshrc ~/",
        "tar -xf a.tar -C .git",
        "unzip -o a.zip -d .git",
        "tar -xf a.tar .envrc",
      ],
      ruled,
    ));

  it("of files of plain names needs no more than a rule", () =>
    expectAll(
      "allow",
      ["cp a.txt sub", "cp -r src/* dist/", "mv a b c sub", "tar -xf a.tar -C out", "unzip a.zip", "rsync -a a/ b/"],
      ruled,
    ));
});

describe("another name for a file", () => {
  it("counts as writing it, and as reading it", () => {
    expectAll("hard-block", ["ln .kumiko/settings.json h", "cp -l .kumiko/settings.json h"], auto);
    expectAll("deny", ["ln private/a y", "ln src/a y", "cp --link src/a y", "link src/a y"], auto);
    expectAll("ask", ["ln .env y", "cp -l .git/config y"], ruled);
  });

  it("that is only a link by its path leaves it as it is", () => expectAll("allow", ["ln -s src/a y"], auto));
});

describe("a link that the same command makes", () => {
  it("is no way around a fixed refusal", () =>
    expectAll(
      "deny",
      ["ln -sfn .kumiko/sub k && echo x > k/y", "ln -s .kumiko k; > k/y", "ln -s .kumiko/sub k; tee k/y"],
      auto,
    ));
});
