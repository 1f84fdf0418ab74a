import fc from "fast-check";
import { Schema } from "effect";
import { describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { commandPolicy, decideCommand, importClaudePermissions, PermissionConfig } from "../src/index.ts";
import { place } from "./support.ts";

const imported = (permissions: unknown) => importClaudePermissions({ permissions });
const allowed = (rule: string): ReadonlyArray<string> => imported({ allow: [rule] }).allow;
const denied = (rule: string): ReadonlyArray<string> => imported({ deny: [rule] }).deny;

describe("permissions of Claude Code", () => {
  it("keep what they say of commands", () => {
    expect(allowed("Bash(npm run test:*)")).toEqual(["bash(npm run test)", "bash(npm run test *)"]);
    expect(allowed("Bash(git diff *)")).toEqual(["bash(git diff)", "bash(git diff *)"]);
    expect(allowed("Bash(npm run build)")).toEqual(["bash(npm run build)"]);
    expect(allowed("Bash")).toEqual(["bash(*)"]);
    expect(denied("Bash(curl:*)")).toEqual(["curl*"]);
    expect(denied("Bash(rm -rf *)")).toEqual(["rm -rf*"]);
    expect(denied("Bash(read:x)")).toEqual(["bash(read:x)"]);
  });

  it("keep what they say of files, hosts and servers", () => {
    expect(allowed("Read(./src/**)")).toEqual(["read:src/**"]);
    expect(allowed("Edit(docs/a.md)")).toEqual(["write:docs/a.md"]);
    expect(allowed("Write(~/notes/**)")).toEqual(["write:~/notes/**"]);
    expect(allowed("Read(//opt/data/**)")).toEqual(["read:/opt/data/**"]);
    expect(denied("Read(./.env)")).toEqual(["read:.env", "read:.env/*", "read:*/.env", "read:*/.env/*"]);
    expect(denied("Read(./secrets/**)")).toEqual(["read:secrets/*", "read:secrets"]);
    expect(denied("Edit(/config)")).toEqual(["write:/config", "write:/config/*", "write:config", "write:config/*"]);
    expect(allowed("WebFetch(domain:x.test)")).toEqual(["connect:x.test"]);
    expect(denied("WebFetch(domain:x.test)")).toEqual(["connect:x.test", "connect:*.x.test"]);
    expect(allowed("mcp__github__get_issue")).toEqual(["tool:mcp__github__get_issue"]);
    expect(allowed("mcp__github")).toEqual(["tool:mcp__github__*"]);
    expect(denied("mcp__x__*")).toEqual(["tool:mcp__x__*"]);
    expect(denied("mcp__*")).toEqual(["tool:mcp__*__*"]);
    expect(allowed("mcp__x__get*")).toEqual(["tool:mcp__x__get*"]);
  });

  it("never allow more than they said", () => {
    for (const rule of [
      "Bash(ls ?)",
      "Bash(a && b)",
      "Bash(git log | head)",
      "Read(src/*)",
      "Read(**/x)",
      "Read(src/[ab].ts)",
      "Read(../x)",
      "Read(/etc/passwd)",
      "Read(!src/a)",
      "WebFetch(domain:*.*)",
      "Task(x)",
      "NotebookEdit",
      "mcp__*",
      "mcp__github__x(y)",
      "Bash(",
      "",
    ]) {
      const { allow, warnings } = imported({ allow: [rule] });
      expect([rule, allow, warnings.map(({ outcome }) => outcome)]).toEqual([rule, [], ["left-out"]]);
    }
    expect(imported({ allow: ["Read(notes.md)"] })).toMatchObject({
      allow: ["read:notes.md"],
      warnings: [{ field: "allow", entry: "Read(notes.md)", outcome: "stricter" }],
    });
  });

  it("keep modes that ask, and name folders that can be told", () => {
    expect(imported({ defaultMode: "acceptEdits" }).mode).toBe("accept-edits");
    expect(imported({ defaultMode: "plan" }).mode).toBe("plan");
    expect(imported({ defaultMode: "default" }).mode).toBe("ask");
    const bypass = imported({ defaultMode: "bypassPermissions", additionalDirectories: ["/data", "~/lib", "../up"] });
    expect(bypass.mode).toBeUndefined();
    expect(bypass.workspaceRoots).toEqual(["/data", "~/lib"]);
    expect(bypass.warnings.map(({ field, outcome }) => [field, outcome])).toEqual([
      ["additionalDirectories", "left-out"],
      ["defaultMode", "stricter"],
    ]);
  });

  it("decide as their owner meant", () => {
    const { allow, deny, ask } = imported({
      allow: ["Bash(npm run test:*)", "Bash(cat *)"],
      deny: ["Read(./secrets/**)", "WebFetch(domain:evil.test)", "Bash(curl:*)"],
      ask: ["Bash(git push:*)"],
    });
    const policy = commandPolicy({ allow, deny, ask }, place);
    const verdicts = [
      "npm run test:e2e",
      "npm run test",
      "npm run test -- -u",
      "cat a",
      "cat secrets/x",
      "curl x",
      "wget evil.test",
    ];
    expect(verdicts.map((command) => decideCommand(command, policy).verdict)).toEqual([
      "ask",
      "allow",
      "allow",
      "allow",
      "deny",
      "deny",
      "deny",
    ]);
  });

  it("of any shape are answered, with settings that can be used", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc
        .constantFrom("Bash", "Read", "Edit", "WebFetch", "mcp__a__b", "x")
        .chain((name) => fc.string({ maxLength: 12 }).map((inner) => `${name}(${inner})`)),
    );
    const field = fc.oneof(fc.anything(), fc.array(fc.oneof(texts, fc.anything())));
    const settings = fc.oneof(
      fc.anything(),
      fc.record({
        permissions: fc.record({
          allow: field,
          deny: field,
          ask: field,
          additionalDirectories: field,
          defaultMode: fc.anything(),
        }),
      }),
    );
    const decode = Schema.decodeUnknownSync(PermissionConfig);
    fc.assert(
      fc.property(settings, (value) => {
        const { warnings: _warnings, ...config } = importClaudePermissions(value);
        expect(() => decode(config)).not.toThrow();
      }),
      soak,
    );
  });
});
