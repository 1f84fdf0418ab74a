import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { explainCommand, explanationText } from "../src/index.ts";
import { allowAll, policyOf } from "./support.ts";

describe("an explanation", () => {
  const explained = explainCommand("nice ls -la | ./run > out.txt", policyOf({ allow: ["ls *"] }));

  it("shows each part with its layer, rule, risk and effects", () => {
    expect(explained.decision.verdict).toBe("ask");
    expect(explained.parts).toEqual([
      {
        part: "nice ls -la",
        source: "nice ls -la",
        runs: "ls -la",
        verdict: "allow",
        layer: "allow-rule",
        rule: "ls *",
        reason: 'the rule "ls *" allows it',
        risk: "read",
        effects: [{ kind: "read", target: "/srv/project" }],
      },
      {
        part: "./run",
        source: "./run > out.txt",
        verdict: "ask",
        layer: "compound",
        reason: "what ./run does is not known here, and no rule allows it",
        risk: "remote-write",
        effects: [
          { kind: "execute", target: "./run" },
          { kind: "unknown", target: "what ./run does" },
          { kind: "write", target: "/srv/project/out.txt" },
        ],
      },
    ]);
  });

  it("shows how the command was read", () => {
    expect(explained.syntax).toMatchObject([
      {
        kind: "Pipeline",
        text: "nice ls -la | ./run > out.txt",
        children: [
          { kind: "Command", text: "nice ls -la" },
          { kind: "Command", text: "./run > out.txt", children: [{ kind: "Redirect", text: "> out.txt" }] },
        ],
      },
    ]);
    expect(explainCommand("echo $(ls; pwd)", allowAll).syntax[0]?.children[0]).toMatchObject({
      kind: "CommandExpansion",
      children: [{ text: "ls" }, { text: "pwd" }],
    });
  });

  it("outlines no more than can be looked at", () => {
    expect(explainCommand(`echo ${"x ".repeat(4100)}; ls`, allowAll).syntax).toEqual([]);
    const count = (nodes: ReturnType<typeof explainCommand>["syntax"]): number =>
      nodes.reduce((sum, { children }) => sum + 1 + count(children), 0);
    expect(count(explainCommand("ls; ".repeat(1000), allowAll).syntax)).toBe(256);
  });

  it("is bounded whatever the command repeats, and shows where it is cut", () => {
    const nested = (open: string, close: string, times: number) => `${open.repeat(times)}a${close.repeat(times)}`;
    const commands = [
      nested("cat <(", ")", 8_500),
      nested("echo $(", ")", 7_000),
      `${"cat <(".repeat(31)}cat ${"x".repeat(59_000)}${")".repeat(31)}`,
      `cat ${"$a/b ".repeat(4_000)}`,
      "cat $x/y; ".repeat(6_000),
      `bash -c '${"x".repeat(60_000)}'`,
      `unheard-of ${"'a b' ".repeat(4_000)}`,
      "a".repeat(1_000_000),
    ];
    const sizes = commands.map((command) => JSON.stringify(explainCommand(command, allowAll)).length - command.length);
    expect(sizes.filter((size) => size > 300_000)).toEqual([]);
    const [first] = explainCommand(`cat ${"x".repeat(300)}`, allowAll).parts;
    expect(first?.source).toBe(`cat ${"x".repeat(130)}…104 more…${"x".repeat(66)}`);
    const many = explainCommand("cat a; ".repeat(200), allowAll);
    expect([many.parts.length, many.moreParts]).toEqual([128, 72]);
    expect(explanationText(many)).toContain("It would run 200 things:");
  });

  it("names what is not understood", () => {
    expect(explainCommand("echo 'a", allowAll).doubts.length).toBeGreaterThan(0);
  });

  it("has a part for a refusal, a denial, a question and the safe list", () => {
    const policy = policyOf({ allow: ["echo *"], deny: ["curl *", "read:secrets/**"], ask: ["git *"] });
    const said = (command: string) => explainCommand(command, policy).parts.map(({ layer, rule }) => [layer, rule]);
    expect(said("rm -rf /; curl x; git add a; echo x")).toEqual([
      ["hard-block", "recursive-delete-of-root"],
      ["deny-rule", "curl *"],
      ["ask-rule", "git *"],
      ["allow-rule", "echo *"],
    ]);
    expect(said("cat secrets/a")).toEqual([["deny-rule", "read:secrets/**"]]);
    expect(said("ls")).toEqual([["safe-list", "ls"]]);
    expect(said("echo x > /tmp/y")).toEqual([["workspace", undefined]]);
  });
});

describe("an explanation as text", () => {
  it("reads as sentences", () => {
    expect(explanationText(explainCommand("git push --force && rm -rf build", policyOf({ allow: ["git *"] })))).toBe(
      [
        "This command needs your word: no rule allows this part, and in a compound command each part needs one.",
        "It says: git push --force && rm -rf build",
        "What decided: rm -rf build",
        "At worst it does what cannot be undone.",
        "",
        "It would run 2 things:",
        '1. git push --force: allowed, because the rule "git *" allows it. It talks to the remote, runs the repository\'s hooks.',
        "2. rm -rf build: asks, because no rule allows this part, and in a compound command each part needs one. It takes away /srv/project/build.",
      ].join("\n"),
    );
  });

  it("shows what hides, moves or reorders text as escapes, and is bounded", () => {
    const text = explanationText(
      explainCommand("echo \u202Etxt.exe\u001B[2K\u200B\u00A0\uFEFF; l\u2066s 'a\nb'", allowAll),
    );
    expect(text).toContain(String.raw`echo \u{202E}txt.exe\u{1B}[2K\u{200B}\u{A0}\u{FEFF}; l\u{2066}s 'a\nb'`);
    const hidden = /[^\n\P{Cc}]|[\p{Cf}\p{Co}\p{Cs}]/u;
    const anything = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(anything, (command) => {
        const explanation = explainCommand(command, allowAll);
        expect(explanationText(explanation)).not.toMatch(hidden);
        expect(explanation.decision.reason).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }),
      soak,
    );
    const long = explanationText(explainCommand(`echo ${"\u202E".repeat(150)}; `.repeat(60), allowAll));
    expect(long).not.toMatch(hidden);
    expect(long.length).toBeLessThanOrEqual(8001);
  });
});

describe("what is cut from an explanation", () => {
  const policy = policyOf({ allow: ["echo *", "cp *"] });
  const textOf = (command: string): string => explanationText(explainCommand(command, policy));

  it("is never what changes something, or what decides", () => {
    expect(textOf(`${"echo a; ".repeat(120)}cp a /tmp/out; ${"echo b; ".repeat(120)}`)).toContain(
      "cp a /tmp/out: allowed",
    );
    expect(textOf(`${"echo a; ".repeat(60)}rm x; ${"cp a b; ".repeat(60)}`)).toContain("rm x: asks");
    const files = Array.from({ length: 100 }, (_, index) => `f${index}`).join(" ");
    expect(textOf(`cp ${files} /tmp/out`)).toMatch(/writes \/tmp\/out, reads .* and 93 more\./);
  });

  it("is counted", () => {
    expect(textOf("echo a; ".repeat(200))).toMatch(/\n… and \d+ more that are not shown\./);
    expect(textOf(`echo ${"x".repeat(500)} > src/important.ts`)).toMatch(
      /It says: echo x+…\d+ more…x+ > src\/important\.ts/,
    );
  });

  it("is no quote: words of a command stand as they are written", () =>
    expect(textOf('echo "a: allowed. It only reads." > y')).toContain(
      '1. echo "a: allowed. It only reads." > y: allowed',
    ));

  it("agrees with the decision where nobody is asked", () =>
    expect(explanationText(explainCommand("touch x", policyOf({ mode: "auto" })))).not.toContain("asks"));
});
