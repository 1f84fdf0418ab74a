import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { cleanUp, folder, kumiko } from "./support.ts";

afterEach(cleanUp);
const permissions = (...args: ReadonlyArray<string>) => kumiko("permissions", ...args);

describe("kumiko permissions check", () => {
  it.each([
    ["git status", [], 0, "allow"],
    ["npm publish", [], 10, "ask"],
    ["git push origin main", ["--deny", "git push *"], 11, "deny"],
    ["git status", ["--deny", "bash(git *)"], 11, "deny"],
    ["sudo rm -fr / --no-preserve-root", ["--allow", "*"], 12, "hard-block"],
  ] as const)("%s", async (command, rules, code, verdict) => {
    const plain = await permissions("check", command, ...rules);
    expect(plain.code).toBe(code);
    expect(plain.stdout).toMatch(new RegExp(`^${verdict}: .+\\n$`));
    const json = await permissions("check", command, ...rules, "--json");
    expect(json.code).toBe(code);
    expect(JSON.parse(json.stdout)).toMatchObject({ verdict, reason: expect.any(String), layer: expect.any(String) });
  });
});

describe("kumiko permissions explain", () => {
  it("says part by part what decides, in words, with nothing that steers a terminal", async () => {
    const command = "git log | xargs rm -rf; echo \u001B[2J\u202Ehi";
    const { code, stdout } = await permissions("explain", command, "--allow", "git log");
    expect(code).toBe(0);
    expect(stdout).toMatch(/git log/);
    expect(stdout).toMatch(/rm -rf/);
    // oxlint-disable-next-line no-control-regex -- control characters are the point
    expect(stdout).not.toMatch(/[\u001B\u202E]/);
  });
  it("gives the same as JSON", async () => {
    const { stdout } = await permissions("explain", "ls && rm x", "--json");
    const { decision, parts } = JSON.parse(stdout);
    expect(decision.verdict).toBe("ask");
    expect(parts).toHaveLength(2);
  });
});

describe("kumiko permissions test", () => {
  const file = (text: string): string => {
    const path = join(folder(), "cases.yaml");
    writeFileSync(path, text);
    return path;
  };
  it("passes where every command gets its verdict, and fails naming those that do not", async () => {
    const good = file(
      '- { command: "git status", expected: allow }\n- { command: "rm -rf /", expected: hard-block }\n',
    );
    const passed = await permissions("test", good);
    expect(passed).toMatchObject({ code: 0, stdout: "2 passed, 0 failed\n" });
    const failed = await permissions("test", file('- { command: "npm publish", expected: allow }\n'));
    expect(failed.code).toBe(1);
    expect(failed.stdout).toMatch(/✗ "npm publish": expected allow, got ask/);
  });
  it.each([
    ["- { command: x, expected: yes }", /expected a list of \{ command, expected \}/],
    ["- command: [", /cases\.yaml:1/],
  ])("says what is wrong with %s", async (text, said) => {
    const { code, stderr } = await permissions("test", file(text));
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });
});

describe("rules that cannot be used", () => {
  it("are bad input", async () => {
    const { code, stderr } = await permissions("check", "ls", "--deny", "file_write(x");
    expect(code).toBe(2);
    expect(stderr).toMatch(/a bracket is opened and never closed/);
  });
});
