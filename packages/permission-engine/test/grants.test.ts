import { type Decision, PermissionGate, type ProposedCall } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandPolicy, makeGrants, permissionEngine, proposeCallRules } from "../src/index.ts";

const home = "/home/u";
const cwd = "/srv/project";
type Config = NonNullable<Parameters<typeof permissionEngine>[0]>;

const bash = (command: string): ProposedCall => ({
  id: "1",
  name: "bash",
  input: { command },
  risk: "remote-write",
  resources: [],
  command,
  cwd,
});
const write = (path: string): ProposedCall => ({
  id: "1",
  name: "file_write",
  input: { path },
  risk: "local-write",
  resources: [{ key: `file:${path}`, mode: "write" }],
  cwd,
});

/** One engine, asked again and again. */
const engineOf = async (config: Config): Promise<(call: ProposedCall) => Promise<Decision>> => {
  const { layer } = permissionEngine({ home, ...config });
  if (layer === undefined) throw new Error("the engine has no layer");
  const gate = await Effect.runPromise(Effect.provide(PermissionGate, layer));
  return (call) => Effect.runPromise(gate.decide(call));
};

describe("grants", () => {
  it("allow from the next call on, and only what they name", async () => {
    const grants = makeGrants();
    const decide = await engineOf({ grants });
    expect((await decide(bash("npm run deploy"))).verdict).toBe("ask");
    grants.allow(["npm run deploy"]);
    expect(await decide(bash("npm run deploy"))).toMatchObject({ verdict: "allow", rule: "npm run deploy" });
    expect((await decide(bash("npm run deploy --force"))).verdict).toBe("ask");
    expect((await decide(write(`${cwd}/a.ts`))).verdict).toBe("ask");
    grants.allow(["file_write(a.ts)"]);
    expect((await decide(write(`${cwd}/a.ts`))).verdict).toBe("allow");
    expect((await decide(write(`${cwd}/b.ts`))).verdict).toBe("ask");
  });

  it("lift no denial, no question of a rule, no fixed refusal and no plan mode", async () => {
    const grants = makeGrants();
    const decide = await engineOf({ grants, deny: ["git push *"], ask: ["npm publish*"] });
    const plan = await engineOf({ grants, mode: "plan" });
    grants.allow(["*", "tool:*", "git push *", "rm -rf /", "npm publish*", "file_write(**)"]);
    expect((await decide(bash("git push origin"))).verdict).toBe("deny");
    expect((await decide(bash("npm publish"))).verdict).toBe("ask");
    expect((await decide(bash("rm -rf /"))).verdict).toBe("hard-block");
    expect((await decide(write(`${cwd}/.kumiko/config.yaml`))).verdict).toBe("hard-block");
    expect((await plan(write(`${cwd}/a.ts`))).verdict).toBe("deny");
  });

  it("are checked as configured rules are, and taken all or none", () => {
    const grants = makeGrants();
    for (const rule of ["", "tool:", "file_write(", "file_write( )"]) {
      expect(() => permissionEngine({ allow: [rule] })).toThrow(/rule/);
      expect(() => grants.allow(["ls", rule])).toThrow(TypeError);
    }
    expect(grants.rules).toEqual([]);
    expect(() => grants.allow(Array.from({ length: 1_001 }, (_, n) => `echo ${n}`))).toThrow(/1000 is the most/);
    expect(grants.size).toBe(0);
  });

  it("of others are none of an engine's", async () => {
    const [mine, theirs] = [makeGrants(), makeGrants()];
    const decide = await engineOf({ grants: mine });
    theirs.allow(["npm run deploy"]);
    expect((await decide(bash("npm run deploy"))).verdict).toBe("ask");
  });
});

describe("rules that are proposed for a call", () => {
  const policy = commandPolicy({}, { cwd, home });
  const proposed = async (call: ProposedCall, config: Config = {}) => {
    const decide = await engineOf(config);
    const decision = await decide(call);
    const { command } = call;
    return proposeCallRules({ tool: call.name, decision, ...(command === undefined ? {} : { command }) }, policy);
  };

  it("are the command's, or the very file's", async () => {
    expect((await proposed(bash("git add src && npm run deploy"))).rules).toEqual(["git add src", "npm run deploy"]);
    expect((await proposed(write(`${cwd}/src/a b(1).ts`))).rules).toEqual(["file_write(src/a b(1).ts)"]);
  });

  it("are none, with the reason, where a rule would be too much or not enough", async () => {
    for (const call of [
      bash("sudo ls"),
      bash("python3 x.py"),
      write("/etc/hosts"),
      write(`${cwd}/.env`),
      write(`${cwd}/a*.ts`),
    ])
      expect(await proposed(call)).toEqual({ rules: [], whyNone: expect.any(String) });
    const asked = await proposed(bash("git add src"), { ask: ["git add *"] });
    expect(asked).toEqual({ rules: [], whyNone: "a rule of yours asks about it every time" });
  });

  it("allow the call they were proposed for, and no write to another file", async () => {
    const name = fc.stringMatching(/^[\w .()[\]{}*?~$'"-]{1,12}$/);
    await fc.assert(
      fc.asyncProperty(name, name, async (one, other) => {
        const call = write(`${cwd}/src/${one}`);
        const { rules } = await proposed(call);
        if (rules.length === 0) return;
        const grants = makeGrants();
        grants.allow(rules);
        const decide = await engineOf({ grants });
        expect((await decide(call)).verdict).toBe("allow");
        if (one !== other) expect((await decide(write(`${cwd}/src/${other}`))).verdict).not.toBe("allow");
      }),
      { numRuns: 60 },
    );
  });
});
