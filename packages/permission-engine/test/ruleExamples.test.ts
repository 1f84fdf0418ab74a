import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import { PermissionConfig } from "../src/index.ts";

const read = Schema.decodeUnknownSync(PermissionConfig);

describe("examples beside a rule", () => {
  it("that hold are taken", () => {
    const config = {
      allow: [
        "git log *",
        {
          rule: "npm run *",
          match: ["npm run build", "time npm run x && npm run y"],
          notMatch: ["npm publish", "npm run"],
        },
        {
          rule: "file_write(src/**)",
          match: ["file_write(src/a/b.ts)"],
          notMatch: ["file_write(docs/x)", "file_read(src/a)"],
        },
        { rule: "bash(go *)", match: ["bash(go test)"], notMatch: ["bash(rm x)"] },
        { rule: 'issues(*"repo":"a/b"*)', match: ['issues({"repo":"a/b"})'], notMatch: ['issues({"repo":"c/d"})'] },
        { rule: "http(*.x.test)", match: ["http(api.x.test)"], notMatch: ["http(x.test)"] },
        { rule: "tool:mcp__*", match: ["mcp__a__b"], notMatch: ["bash"] },
      ],
      deny: [
        {
          rule: "git push *",
          match: ["git -C sub push origin", "ls && git push x"],
          notMatch: ["git status", "echo git push x"],
        },
        {
          rule: "read:secrets/**",
          match: ["read:secrets/a", "secrets/A"],
          notMatch: ["read:src/a", "write:secrets/a"],
        },
      ],
      ask: [{ rule: "docker *", match: ["docker ps"], notMatch: ["podman ps"] }],
    };
    expect(read(config)).toEqual(config);
  });

  it.each([
    [
      "allow",
      { rule: "npm run *", match: ["npm publish"] },
      'the rule "npm run *" does not match its example "npm publish"',
    ],
    ["allow", { rule: "cd *", match: ["cd a && npm run x"] }, "does not match its example"],
    ["allow", { rule: "rm *", match: ["rm -rf /"] }, "does not match its example"],
    [
      "allow",
      { rule: "git *", notMatch: ["git push"] },
      'the rule "git *" matches "git push", which its examples say it must not',
    ],
    [
      "deny",
      { rule: "git push", match: ["git push origin"] },
      'the rule "git push" does not match its example "git push origin"',
    ],
    ["deny", { rule: "curl*", notMatch: ["curlew"] }, 'matches "curlew"'],
    ["ask", { rule: "docker *", match: ["podman ps"] }, "does not match its example"],
    ["deny", { rule: "read:src/**", match: ["read:docs/a"] }, "does not match its example"],
    ["allow", { rule: "file_write(src/**)", match: ["file_write(src/../x)"] }, "does not match its example"],
    ["allow", { rule: "file_read(", match: [] }, "never closed"],
  ])("that do not hold refuse the settings: %s %j", (list, rule, message) => {
    expect(() => read({ [list]: [rule] })).toThrow(message);
  });
});
