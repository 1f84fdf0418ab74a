import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { decideCommand, proposeRules } from "../src/index.ts";
import { policyOf } from "./support.ts";

const bare = policyOf();

describe("rules offered for good", () => {
  it("are the parts that need one, word for word", () => {
    expect(proposeRules("git add src/a.ts", bare)).toEqual(["git add src/a.ts"]);
    expect(proposeRules("git add src && npm run deploy", bare)).toEqual(["git add src", "npm run deploy"]);
    expect(proposeRules("ls -la | grep .go", bare)).toEqual(["ls -la", "grep .go"]);
    expect(proposeRules("cd sub && npm test", policyOf({ allow: ["cd *"] }))).toEqual(["npm test"]);
    expect(proposeRules("/usr/bin/git add ~/x", bare)).toEqual(["git add /home/u/x"]);
  });

  it("are none for another folder, for what standard input says, and for processes", () => {
    for (const command of [
      "cd /tmp/evil && npm start",
      "cd src && git checkout .",
      "(cd sub; tee x)",
      "kubectl apply -f - <<< x",
      "cat a | kubectl apply -f -",
      "echo x | tee a",
      "git commit -F - <<< x",
      "kill 123",
    ])
      expect(proposeRules(command, policyOf({ allow: ["cd *", "cat *", "echo *"] }))).toEqual([]);
  });

  it("name what a wrapper runs, never the wrapper", () => {
    expect(proposeRules("timeout 60 npm run deploy", bare)).toEqual(["npm run deploy"]);
    expect(proposeRules("nohup nice -n 5 git add a", bare)).toEqual(["git add a"]);
    expect(proposeRules("bash -c 'git add a'", bare)).toEqual(["git add a"]);
  });

  it.each([
    "sudo git add a",
    "bash script.sh",
    "python3 script.py",
    "python3 -c 'print(1)'",
    "node build.js",
    "npx prettier .",
    "npm install left-pad",
    "docker run alpine ls",
    "ssh host ls",
    "psql -c 'select 1'",
    "awk 'BEGIN{system(\"id\")}'",
    "sed 's/a/b/w f' x",
    "find . -delete",
    "find . -exec ls {} +",
    "xargs ls",
    "rm -rf build",
    "git push --force",
    "git add *.ts",
    "git add $FILE",
    "git add 'a b'",
    "git commit -m 'a?'",
    "git add a > out.txt",
    "./run.sh",
    "bin/git add a",
    "unheard-of x",
    "cp a .env",
    "A_TOKEN=1 git add a",
    "git add a; $x",
    "git add 'a",
    "git --frobnicate add a",
  ])("are none for %s", (command) => expect(proposeRules(command, bare)).toEqual([]));

  it("are none where nobody is asked, or where a rule would not help", () => {
    expect(proposeRules("ls", bare)).toEqual([]);
    expect(proposeRules("rm -rf /", bare)).toEqual([]);
    expect(proposeRules("git add a", policyOf({ deny: ["git *"] }))).toEqual([]);
    expect(proposeRules("git add a", policyOf({ ask: ["git *"] }))).toEqual([]);
    expect(proposeRules("git add a", policyOf({ mode: "plan" }))).toEqual([]);
  });

  const words = fc.constantFrom("a", "b", "--all", "-n", "src/x.ts", "HEAD~1", "a=b", "*", "'x y'", "$z", "\\?");
  const commands = fc.constantFrom("git add", "git log", "npm run", "cat", "make", "cargo build", "mkdir", "touch");
  const command = fc
    .tuple(commands, fc.array(words, { maxLength: 3 }))
    .map(([name, rest]) => [name, ...rest].join(" "));

  it("are enough for the command, and allow no other", () =>
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 3 }), command, (parts, other) => {
        const asked = parts.join(" && ");
        const rules = proposeRules(asked, bare);
        if (rules.length === 0) return;
        const policy = policyOf({ allow: rules });
        expect(decideCommand(asked, policy).verdict).toBe("allow");
        if (!parts.includes(other) && decideCommand(other, bare).verdict === "ask")
          expect([other, decideCommand(other, policy).verdict]).toEqual([other, "ask"]);
      }),
      soak,
    ));
});
