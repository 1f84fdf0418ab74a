import { describe, expect, it } from "vitest";
import { decideCommand, explainCommand } from "../src/index.ts";
import { allowAll, expectAll, policyOf } from "./support.ts";

describe("denials", () => {
  const policy = policyOf({ allow: ["*"], deny: ["git push *", "curl *", "npx*"] });

  it("hold for every part and every spelling", () =>
    expectAll(
      "deny",
      [
        "git push origin",
        "git  push\torigin",
        "'git' \"push\" origin",
        "/usr/bin/git push origin",
        "../../bin/git push origin",
        "git -C sub --no-pager push origin",
        "A=1 git push origin",
        "env -u HOME A=1 git push origin",
        "ls && git push origin",
        "sudo nice git push origin",
        "bash -c 'cd x && git push origin'",
        "echo $(git push origin)",
        "find . -exec curl {} \\;",
        "echo x | xargs -n1 curl -s",
        "for f in a; do curl $f; done",
        'eval "cu""rl x"',
        "CURL x",
        "npx",
      ],
      policy,
    ));

  it("see through what stands between a program and its sub-command", () =>
    expectAll(
      "deny",
      [
        "kubectl -n prod delete ns x",
        "kubectl --context=a --namespace b delete ns x",
        "docker --debug -H tcp://x.test rm a",
        "docker compose -f a.yml down -v",
        "npm --prefix sub publish",
        "git --no-pager -c a=b --work-tree /x push",
        "nice kubectl -n prod delete ns x",
      ],
      policyOf({
        allow: ["*"],
        deny: ["kubectl delete *", "docker rm *", "docker compose down*", "npm publish*", "git push*"],
      }),
    ));

  it("beat questions, which beat allowances", () => {
    const rules = policyOf({ allow: ["git *"], ask: ["git push *", "git tag *"], deny: ["git push *"] });
    expect(decideCommand("git push x", rules)).toMatchObject({ verdict: "deny", rule: "git push *" });
    expect(decideCommand("git tag x", rules)).toMatchObject({ verdict: "ask", layer: "ask-rule", rule: "git tag *" });
    expect(decideCommand("git add x", rules)).toMatchObject({ verdict: "allow", rule: "git *" });
  });

  it("are reckoned with where an unknown piece may make the difference", () => {
    expect(decideCommand("git $verb origin", policy)).toMatchObject({ verdict: "ask", rule: "git push *" });
    expect(decideCommand("xargs git < list", policy).verdict).toBe("ask");
    expect(decideCommand("git log $ref", policy).verdict).toBe("allow");
  });

  it("do not hold for operands that look like them", () =>
    expectAll("allow", ["ls curl npx", "grep -n 'npx ' package.json", "echo git push"], policy));
});

describe("compound commands", () => {
  it("need an allowance for each part, and the safe list is none", () => {
    expectAll(
      "ask",
      ["ls -la | grep .go", "ls && ./run", "git status; git diff", "(ls)", "ls &", "time ls"],
      policyOf(),
    );
    expectAll("ask", ["ls -la | grep .go", "ls -la; ./run"], policyOf({ allow: ["ls *"] }));
    expectAll("allow", ["ls -la | grep .go", "(ls -la)", "! grep x y"], policyOf({ allow: ["ls *", "grep *"] }));
  });

  it("name the part that decided", () => {
    const decision = decideCommand("ls -la && ./run x", policyOf({ allow: ["ls *"] }));
    expect(decision).toMatchObject({ verdict: "ask", layer: "compound", part: "./run x" });
  });

  it("look through wrappers that add no power, and ask about those that do", () => {
    const policy = policyOf({ allow: ["go test *"] });
    expectAll(
      "allow",
      ["time go test ./...", "timeout 60 go test ./...", "nice -n 5 go test ./...", "bash -c 'go test ./...'"],
      policy,
    );
    expectAll(
      "ask",
      [
        "sudo go test ./...",
        "./nice go test ./...",
        "bash -lc 'go test ./...'",
        "bash --debugger -c 'go test ./...'",
        "timeout --odd go test x",
      ],
      policy,
    );
    expectAll("allow", ["sudo go test ./..."], policyOf({ allow: ["sudo go *"] }));
  });

  it("never let a rule for the wrapper cover the script inside", () => {
    expectAll("ask", ["find . -exec ./x {} \\;", "bash -c './x'"], policyOf({ allow: ["find *", "bash *"] }));
  });
});

describe("allowances", () => {
  it("are whole, case-sensitive and about the installed program", () => {
    const policy = policyOf({ allow: ["tool *", "cat /repo/*"] });
    expectAll("allow", ["tool x", "/usr/bin/tool x", "cat /repo/a"], policy);
    expectAll(
      "ask",
      [
        "tool",
        "toolx y",
        "Tool x",
        "./tool x",
        "bin/tool x",
        "cat /repo-evil/a",
        "cat /repo/../etc/shadow",
        "cat /repo/x/../../etc/shadow",
      ],
      policy,
    );
  });

  it("match the command as written, too", () => {
    const policy = policyOf({ allow: ["CI_JOB=1 go test *", "git commit -m 'a b' *"] });
    expectAll("allow", ["CI_JOB=1 go test ./...", "git commit -m 'a b' x"], policy);
  });

  it("do not read one argument as two", () => {
    expectAll("ask", ["git 'log x'", "git -C 'x log' push"], policyOf({ allow: ["git log *", "git -C x log *"] }));
  });

  it("do not cover variables that programs may read", () => {
    const policy = policyOf({ allow: ["make*"] });
    expectAll("allow", ["NO_COLOR=1 make", "out=x make"], policy);
    expectAll("ask", ["SOME_TOOL_CONFIG=x make", "env SOME_TOOL_CONFIG=x make"], policy);
  });
});

describe("what is not understood", () => {
  const doubtful = [
    "x=rm; $x -rf y",
    "$(echo ls)",
    'f() { "$@"; }; f ls',
    "/usr/bin/l? x",
    "l[s] x",
    "$PWD/run x",
    "~root/run x",
    'bash -c "$x"',
    "eval $x",
    "cat script | bash",
    "echo a\0b",
    "cat <<EOF\nabc",
    "echo 'a",
    "echo $(echo 'a)",
    "echo $(fi)",
    "cat <(ls; done)",
    "bash -c 'if true'",
    "if true",
    "ls\u200B -la",
    "ls\r./x",
    "echo \uE000",
    "PATH=.:$PATH ls",
    "env LD_PRELOAD=./x ls",
    "export GIT_DIR=x",
    "for IFS in a; do ls; done",
    "read PATH",
    "printf -v PAGER x",
    ": ${PATH:=x}",
    "alias ls=./x",
    "hash -p ./x ls",
    "declare 'a[$(./x)]=1'",
    "test -v 'a[$(./x)]'",
    "[[ -v 'a[$(./x)]' ]]",
    "echo ${x@P}",
    "echo ${x/$(rm -rf /)/b}",
    "echo x > $file",
    "echo x > *.txt",
    "echo x > ~bob/file",
    "echo x > link/../file",
    "find . -exec {} \\;",
    "git checkout .kumiko/config.yaml",
  ];

  it("is never allowed, and denied in auto mode", () => {
    expectAll("ask", doubtful);
    expectAll("deny", doubtful, policyOf({ mode: "auto" }));
  });

  it("counts as a write to the outside", () => {
    expect(decideCommand("$x y", allowAll).risk).toBe("remote-write");
    expect(decideCommand("unheard-of y", allowAll).risk).toBe("remote-write");
  });
});

describe("redirections", () => {
  const policy = policyOf({ allow: ["echo *", "cat *"], workspaceRoots: ["/data"] });

  it("write inside the workspace under a rule", () =>
    expectAll(
      "allow",
      [
        "echo x > out.txt",
        "echo x >> sub/out.txt",
        "echo x > /data/out",
        "echo x > /dev/null",
        "echo x 2>&1",
        "cat a < in.txt",
      ],
      policy,
    ));

  it("ask outside it and for sensitive files", () =>
    expectAll(
      "ask",
      [
        "echo x > ../out.txt",
        "echo x > /tmp/out",
        "echo x >> ~/.bashrc",
        "echo x 1<>.bashrc",
        "echo x &> .env",
        "echo x >| .git/hooks/pre-commit",
        "cat a < ~/.ssh/id_rsa",
        "cd /tmp; echo x > out",
        "{ echo x; } > /tmp/out",
        "cat a < /dev/tcp/x.test/80",
      ],
      policy,
    ));

  it("count for what a known program writes, too, where it is sensitive", () => {
    const rules = policyOf({ allow: ["tee *", "cp *", "sed *"] });
    expectAll("allow", ["cp a b", "cp a /tmp/b", "tee out"], rules);
    expectAll("ask", ["cp a ~/.bashrc", "tee .git/hooks/pre-commit", "sed -i s/a/b/ .env"], rules);
  });

  it("are allowed by a rule that is the whole command", () => {
    const written = "echo x > /tmp/out";
    expectAll("allow", [written], policyOf({ allow: [written] }));
    expectAll("ask", [written], policyOf({ allow: ["echo x"] }));
  });

  it("never enter by the safe list", () => expectAll("ask", ["ls > x", "ls 2>&1", "ls < x"], policyOf()));
});

describe("modes", () => {
  const judge = (mode: "plan" | "ask" | "accept-edits" | "auto", command: string) =>
    decideCommand(command, policyOf({ mode, allow: ["make*", "git log *"], deny: ["curl *"] })).verdict;

  it("plan runs what only reads", () => {
    expect(
      ["ls -la", "git log x", "make", "touch x", "curl x", "whatever"].map((command) => judge("plan", command)),
    ).toEqual(["allow", "allow", "deny", "deny", "deny", "deny"]);
  });

  it("accept-edits changes nothing for commands", () =>
    expect(["ls", "make x", "touch x"].map((command) => judge("accept-edits", command))).toEqual([
      "allow",
      "allow",
      "ask",
    ]));

  it("auto runs everything but refusals, denials and what is not understood", () =>
    expect(["touch x", "whatever && ls", "curl x", "rm -rf /", "$x"].map((command) => judge("auto", command))).toEqual([
      "allow",
      "allow",
      "deny",
      "hard-block",
      "deny",
    ]));
});

describe("a decision", () => {
  it("denies an empty command", () => expectAll("deny", ["", "  \n"]));

  it("carries risk, resources and effects", () => {
    const decision = decideCommand("cat a.txt > b.txt; rm c.txt; curl https://API.x.test/y", allowAll);
    expect(decision.risk).toBe("irreversible");
    expect(decision.resources).toEqual([
      { key: "file:/srv/project/a.txt", mode: "read" },
      { key: "file:/srv/project/b.txt", mode: "write" },
      { key: "file:/srv/project/c.txt", mode: "write" },
      { key: "net:api.x.test", mode: "write" },
    ]);
    expect(decision.effects).toContainEqual({ kind: "delete", target: "/srv/project/c.txt" });
  });

  it("grades the risk by what runs", () => {
    const risks = ["ls", "git status", "go test ./...", "git push", "git push --force", "sudo ls", "echo x > y"];
    expect(risks.map((command) => decideCommand(command, allowAll).risk)).toEqual([
      "read",
      "read",
      "local-write",
      "remote-write",
      "irreversible",
      "remote-write",
      "local-write",
    ]);
  });

  it("refuses a rule that cannot be one", () => {
    expect(() => decideCommand("ls", policyOf({ allow: [" "] }))).toThrow(/" ".*empty/);
  });
});

describe("the example of the README", () => {
  it("is denied for its second part", () =>
    expect(
      decideCommand("go test ./... && git push origin", policyOf({ allow: ["go test *"], deny: ["git push *"] })),
    ).toMatchObject({ verdict: "deny", layer: "deny-rule", rule: "git push *", part: "git push origin" }));
});

describe("explainCommand", () => {
  it("shows each part with what was thought of it", () => {
    const { decision, parts } = explainCommand("nice ls -la | ./run", policyOf({ allow: ["ls *"] }));
    expect(decision.verdict).toBe("ask");
    expect(parts.map(({ part, verdict, rule }) => [part, verdict, rule])).toEqual([
      ["nice ls -la", "allow", "ls *"],
      ["./run", "ask", undefined],
    ]);
  });
});

describe("the reason of a question", () => {
  const because = (command: string, allow: ReadonlyArray<string> = []) =>
    decideCommand(command, policyOf({ allow, deny: ["git push *"] })).reason;

  it.each<[string, ReadonlyArray<string>, string]>([
    ["FOO=1 npm test", ["npm test"], 'it sets FOO, and the rule "npm test" is for the command without that'],
    ["FOO=1 ls", [], "no rule allows it, and ls is on the safe list only without setting FOO"],
    ["PATH=x ls", ["*"], "setting PATH can change what runs"],
    ["X=1", [], "it sets X, which programs may read, and no rule allows that"],
    [
      "sudo npm test",
      ["npm test"],
      'the rule "npm test" is for the command without sudo: a rule has to name sudo, because it changes rights or place',
    ],
    ["sudo ls", [], "no rule names sudo, which runs the rest with other rights or in another place"],
    ["cat .env", [], "it reads the sensitive file /srv/project/.env (.env)"],
    ["cat .env", ["cat *"], 'it reads the sensitive file /srv/project/.env (.env); the rule "cat *" does not name it'],
    ["echo x > /tmp/x", [], "it writes outside the workspace: /tmp/x"],
    ["ls $X", [], "no rule allows it, and the safe list is for words written out: $X is filled in when it runs"],
    ["cat ../x", [], "no rule allows it, and reading ../x, outside the workspace, is not on the safe list"],
    ["git log --odd", [], "no rule allows it, and the unknown option --odd is not on the safe list"],
    ["go test -o /tmp/x", [], "no rule allows it, and what it does with /tmp/x is not on the safe list"],
    ["./ls", [], "no rule allows it, and ./ls, which need not be ls, is not on the safe list"],
    ["ls > out", [], "no rule allows it, and ls is on the safe list only without > out"],
    [
      "ls | wc",
      [],
      "no rule allows this part: ls is on the safe list, but in a compound command each part needs a rule",
    ],
    ["frobnicate x", [], "what frobnicate does is not known here, and no rule allows it"],
    ["git add a", [], "no rule allows it"],
    ["./run git push x", ["*"], 'it may run "git push x", and the rule "git push *" is about that'],
    ["rm $X /", ["*"], "with what $X may stand for, it deletes everything below /"],
    ["make SHELL=./x", ["*"], "it is told to work in another way: ./x"],
  ])("%s under %j is the true one", (command, allow, reason) => expect(because(command, allow)).toBe(reason));
});

describe("a policy whose lists are changed", () => {
  it("is read anew", () => {
    const deny: Array<string> = [];
    const policy = policyOf({ allow: ["*"], deny });
    expect(decideCommand("git push", policy).verdict).toBe("allow");
    deny.push("git push *");
    expect(decideCommand("git push", policy).verdict).toBe("deny");
    deny[0] = "git pull *";
    expect(decideCommand("git push", policy).verdict).toBe("allow");
  });
});
