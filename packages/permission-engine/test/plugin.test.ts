import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Decision, PermissionGate, type ProposedCall } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permissionEngine, realPath } from "../src/index.ts";

let base = "";
let work = "";
let home = "";
const at = (path: string): string => join(work, path);

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "permission-engine-")));
  home = join(base, "home");
  work = join(base, "work");
  for (const folder of [home, join(home, ".ssh"), join(work, "src"), join(work, ".kumiko"), join(base, "elsewhere")])
    mkdirSync(folder, { recursive: true });
  for (const file of ["work/src/a.ts", "work/.env", "home/.ssh/id", "home/.bashrc", "elsewhere/b.txt"])
    writeFileSync(join(base, file), "x");
  symlinkSync(join(base, "elsewhere"), at("out"));
  symlinkSync(join(home, ".bashrc"), at("notes.txt"));
  symlinkSync(at(".env"), at("plain.txt"));
  symlinkSync(at(".kumiko"), at("settings"));
  symlinkSync(join(base, "elsewhere/new.txt"), at("dangling"));
  symlinkSync(at("loop-b"), at("loop-a"));
  symlinkSync(at("loop-a"), at("loop-b"));
  symlinkSync("src", at("source"));
  symlinkSync(work, join(base, "work-link"));
  symlinkSync("/", at("rootlink"));
  symlinkSync(home, at("homelink"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Config = NonNullable<Parameters<typeof permissionEngine>[0]>;

const call = (proposed: Partial<ProposedCall>): ProposedCall => ({
  id: "1",
  name: "tool",
  input: {},
  risk: "read",
  resources: [],
  cwd: work,
  ...proposed,
});
const decide = (config: Config, proposed: Partial<ProposedCall>): Promise<Decision> => {
  const { layer } = permissionEngine({ home, ...config });
  if (layer === undefined) throw new Error("the engine has no layer");
  const decision = Effect.flatMap(PermissionGate, (gate) => gate.decide(call(proposed)));
  return Effect.runPromise(Effect.provide(decision, layer));
};
const file = (path: string, mode: "read" | "write"): Partial<ProposedCall> => ({
  name: mode === "read" ? "file_read" : "file_write",
  risk: mode === "read" ? "read" : "local-write",
  resources: [{ key: `file:${path}`, mode }],
});
const host = (name: string): Partial<ProposedCall> => ({
  name: "http",
  risk: "read",
  resources: [{ key: `net:${name}`, mode: "read" }],
});
const bash = (command: string): Partial<ProposedCall> => ({ name: "bash", risk: "remote-write", command });
const verdict = async (config: Config, proposed: Partial<ProposedCall>): Promise<string> =>
  (await decide(config, proposed)).verdict;

describe("roots behind symlinks", () => {
  const auto: Config = { mode: "auto" };

  it("are not taken away through them", async () => {
    for (const command of [
      "rm -rf rootlink/usr",
      "cd rootlink && rm -rf etc",
      "rm -rf source/../rootlink/var",
      "mv rootlink/usr x",
    ])
      expect([command, await verdict(auto, bash(command))]).toEqual([command, "hard-block"]);
    for (const command of ["rm -rf rootlink/*", "rm -rf homelink/*", "chmod -R 777 rootlink/", "rm -rf rootlink/"]) {
      expect([command, await verdict(auto, bash(command))]).toEqual([command, "deny"]);
      expect([command, await verdict({ allow: ["rm *", "chmod *"] }, bash(command))]).toEqual([command, "ask"]);
    }
  });

  it("are not taken away through a pattern that finds them", async () => {
    for (const command of ["rm -rf roo*/usr", "rm -rf [r]ootlink/usr", "rm -rf ?ootlin?/usr"])
      expect([command, await verdict(auto, bash(command))]).toEqual([command, "hard-block"]);
    for (const command of ["rm -rf home*/*", "chmod -R 777 root*/", "touch sett*/x", "cp source/a.ts set*/x"])
      expect([command, await verdict(auto, bash(command))]).toEqual([
        command,
        expect.stringMatching(/deny|hard-block/),
      ]);
    // What a pattern finds is judged by rules as well.
    const reading: Config = { allow: ["cat *"], deny: ["read:.env"] };
    expect(await verdict(reading, bash("cat pla*.txt"))).toBe("deny");
    expect(await verdict({ allow: ["cat *"] }, bash("cat pla*.txt"))).toBe("ask");
  });

  it("hold files that are judged as any other", async () => {
    for (const command of ["rm -rf source/x", "rm source/a.ts", "ls rootlink", "touch source/y", "touch sourc*/y"])
      expect([command, await verdict(auto, bash(command))]).toEqual([command, "allow"]);
  });
});

describe("text that is typed into a running program", () => {
  const typed = (command: string): Partial<ProposedCall> => ({
    name: "process",
    input: { action: "write", job: "job-1", text: command },
    risk: "irreversible",
    command,
  });

  it("is asked about, however harmless it reads", async () => {
    expect(await verdict({}, bash("ls"))).toBe("allow");
    expect(await verdict({}, typed("ls"))).toBe("ask");
    expect(await verdict({ mode: "accept-edits", allow: ["ls *", "ls"] }, typed("ls"))).toBe("ask");
    expect(await verdict({ mode: "plan" }, typed("ls"))).toBe("deny");
    expect((await decide({}, typed("ls"))).risk).toBe("irreversible");
  });

  it("is judged as a command as well, by rules and by what is never done", async () => {
    expect(await verdict({ mode: "auto" }, typed("ls"))).toBe("allow");
    expect(await verdict({ mode: "auto" }, typed("rm -rf /"))).toBe("hard-block");
    expect(await verdict({ mode: "auto", deny: ["git push *"] }, typed("git push origin"))).toBe("deny");
    expect(await verdict({ allow: ["tool:process"] }, typed("ls"))).toBe("allow");
    expect(await verdict({ deny: ["tool:process"], allow: ["tool:process"] }, typed("ls"))).toBe("deny");
  });
});

describe("files behind symlinks", () => {
  it("are judged by where they lead", async () => {
    expect(await verdict({}, file(at("src/a.ts"), "read"))).toBe("allow");
    expect(await verdict({}, file(at("source/a.ts"), "read"))).toBe("allow");
    expect(await verdict({}, file(at("out/b.txt"), "read"))).toBe("ask");
    expect(await verdict({}, file(at("out/not-there-yet"), "read"))).toBe("ask");
    expect(await verdict({}, file(at("plain.txt"), "read"))).toBe("ask");
    expect(await verdict({ mode: "accept-edits" }, file(at("source/new.ts"), "write"))).toBe("allow");
    expect(await verdict({ mode: "accept-edits" }, file(at("notes.txt"), "write"))).toBe("ask");
    expect(await verdict({ mode: "accept-edits" }, file(at("dangling"), "write"))).toBe("ask");
    expect(await verdict({ mode: "auto" }, file(at("settings/config.yaml"), "write"))).toBe("hard-block");
  });

  it("are denied by what they lead to as by what they are called, in every mode", async () => {
    for (const mode of ["ask", "accept-edits", "auto"] as const) {
      const config: Config = { mode, deny: ["file_read(src/**)", "file_write(src/**)"] };
      expect(await verdict(config, file(at("source/a.ts"), "read"))).toBe("deny");
      expect(await verdict(config, file(at("source/new.ts"), "write"))).toBe("deny");
      expect(await verdict(config, { ...file(at("src/a.ts"), "read"), cwd: join(base, "work-link") })).toBe("deny");
    }
  });

  it("are what rules about effects hold, for tools and commands alike", async () => {
    const config: Config = { allow: ["cat *", "tee *"], deny: ["read:src/**"], ask: ["write:src/**"] };
    expect(await verdict(config, file(at("src/a.ts"), "read"))).toBe("deny");
    expect(await verdict(config, file(at("source/a.ts"), "read"))).toBe("deny");
    expect(await verdict(config, bash("cat src/a.ts"))).toBe("deny");
    expect(await verdict(config, bash("cat source/a.ts"))).toBe("deny");
    expect(await verdict(config, bash("tee source/new.ts"))).toBe("ask");
    expect(await verdict(config, bash("tee other.ts"))).toBe("allow");
    expect(await verdict({ ...config, mode: "accept-edits" }, file(at("source/a.ts"), "write"))).toBe("ask");
    expect(await verdict({ mode: "auto", deny: ["read:src/**"] }, bash("cat source/a.ts"))).toBe("deny");
    expect(await verdict({ deny: ["read:src/**"] }, bash("cat .kumiko/../source/a.ts"))).toBe("deny");
  });

  it("are allowed by a rule about effects under all their names, or not at all", async () => {
    const config: Config = { allow: [`read:${join(base, "elsewhere")}/**`] };
    expect(await verdict({}, file(join(base, "elsewhere/b.txt"), "read"))).toBe("ask");
    expect(await verdict(config, file(join(base, "elsewhere/b.txt"), "read"))).toBe("allow");
    expect(await verdict(config, file(join(base, "elsewhere/b.txt"), "write"))).toBe("ask");
    expect(await verdict(config, file(at("out/b.txt"), "read"))).toBe("ask");
  });

  it("are resources under both names, so that nobody takes them for two files", async () => {
    const { resources } = await decide({}, file(at("source/a.ts"), "write"));
    expect(resources.map(({ key }) => key)).toEqual([`file:${at("source/a.ts")}`, `file:${at("src/a.ts")}`]);
  });

  it("are doubted where nobody can tell", async () => {
    expect(await decide({}, file(at("loop-a"), "read"))).toMatchObject({ verdict: "ask", rule: "unresolved" });
    expect(await verdict({ mode: "auto" }, file(at("loop-a"), "read"))).toBe("deny");
  });

  it("count for commands, too", async () => {
    const config = { allow: ["echo *", "cat *"] };
    expect(await verdict(config, bash("echo x > new.txt"))).toBe("allow");
    expect(await verdict(config, bash("echo x > notes.txt"))).toBe("ask");
    expect(await verdict(config, bash("echo x > out/new"))).toBe("ask");
    expect(await verdict(config, bash("echo x > settings/config.yaml"))).toBe("hard-block");
    expect(await verdict({}, bash("cat src/a.ts"))).toBe("allow");
    expect(await verdict({}, bash("cat plain.txt"))).toBe("ask");
    expect(await verdict({}, bash("cat out/b.txt"))).toBe("ask");
  });

  it("do not lead out of a workspace that is one", async () => {
    const cwd = join(base, "work-link");
    expect(await verdict({}, { ...file(join(cwd, "src/a.ts"), "read"), cwd })).toBe("allow");
    expect(await verdict({ allow: ["file_write(src/**)"] }, { ...file(join(cwd, "src/a.ts"), "write"), cwd })).toBe(
      "allow",
    );
    expect(await verdict({}, { ...file(join(cwd, "out/b.txt"), "read"), cwd })).toBe("ask");
  });

  it("are followed to the end", async () => {
    const led = (path: string) => Effect.runPromise(realPath(path));
    expect(await led(at("source/x/../y"))).toEqual({ type: "resolved", path: at("src/y") });
    expect(await led(at("dangling"))).toEqual({ type: "resolved", path: join(base, "elsewhere/new.txt") });
    expect(await led(at("src/a.ts/below"))).toEqual({ type: "resolved", path: at("src/a.ts/below") });
    expect(await led(at("loop-a/x"))).toMatchObject({ type: "unresolved" });
    expect(await led("/a\0b")).toMatchObject({ type: "unresolved" });
  });
});

describe("rules about tools", () => {
  it("name files from the working folder", async () => {
    const config = { allow: ["file_write(src/**)"], deny: ["file_*(*.lock)"], ask: ["tool:file_read"] };
    expect(await decide(config, file(at("src/a.ts"), "write"))).toMatchObject({
      verdict: "allow",
      layer: "allow-rule",
      rule: "file_write(src/**)",
    });
    expect(await verdict(config, file(at("b.ts"), "write"))).toBe("ask");
    expect(await verdict(config, file(at("src/../b.ts"), "write"))).toBe("ask");
    expect(await verdict(config, file(at("src/x.LOCK"), "write"))).toBe("deny");
    expect(await verdict(config, file(at("src/a.ts"), "read"))).toBe("ask");
  });

  it("need every file to fit, and no symlink around them", async () => {
    const config = { allow: ["copy(src/**)", "file_write(out/**)"] };
    const resources = [at("src/a"), at("b")].map((path) => ({ key: `file:${path}`, mode: "write" as const }));
    expect(await verdict(config, { name: "copy", risk: "local-write", resources })).toBe("ask");
    expect(await verdict(config, { name: "copy", risk: "local-write", resources: resources.slice(0, 1) })).toBe(
      "allow",
    );
    expect(await verdict(config, file(at("out/new"), "write"))).toBe("ask");
  });

  it("lift a question about a sensitive file only by its name", async () => {
    expect(await verdict({ allow: ["file_read(**)", "tool:file_read"] }, file(at(".env"), "read"))).toBe("ask");
    expect(await verdict({ allow: ["file_read(.env)"] }, file(at(".env"), "read"))).toBe("allow");
  });

  it("lift no refusal", async () =>
    expect(await verdict({ allow: ["tool:*", "*"], mode: "auto" }, file(at(".kumiko/x"), "write"))).toBe("hard-block"));

  it("make no denial of a refusal", async () =>
    expect(await verdict({ deny: ["tool:*"] }, file(at(".kumiko/x"), "write"))).toBe("hard-block"));

  it("narrow rules about commands to a tool", async () => {
    const config = { allow: ["bash(./run *)", "ls *"], deny: ["remote_bash(ls *)"] };
    expect(await verdict(config, bash("./run x"))).toBe("allow");
    expect(await verdict(config, { ...bash("./run x"), name: "other" })).toBe("ask");
    expect(await verdict(config, { ...bash("ls x"), name: "remote_bash" })).toBe("deny");
    expect(await verdict({ deny: ["tool:bash"] }, bash("ls"))).toBe("deny");
  });

  it("look at the input of tools that touch nothing known", async () => {
    const create = { name: "issues", risk: "remote-write" as const, input: { repo: "a/b", title: "x" } };
    expect(await verdict({}, create)).toBe("ask");
    expect(await verdict({ allow: ['issues(*"repo":"a/b"*)'] }, create)).toBe("allow");
    expect(await verdict({ deny: ["issues(*)"], mode: "auto" }, create)).toBe("deny");
  });
});

describe("calls without a command", () => {
  const net = (host: string, risk: ProposedCall["risk"] = "remote-write"): Partial<ProposedCall> => ({
    name: "http",
    risk,
    resources: [{ key: `net:${host}`, mode: risk === "read" ? "read" : "write" }],
  });

  it("are judged by their risk", async () => {
    expect(await verdict({}, { risk: "read" })).toBe("allow");
    expect(await verdict({}, { risk: "remote-write" })).toBe("ask");
    expect(await verdict({ mode: "plan" }, { risk: "local-write" })).toBe("deny");
    expect(await verdict({ mode: "accept-edits" }, { risk: "remote-write" })).toBe("ask");
    expect(await verdict({ mode: "auto" }, { risk: "irreversible" })).toBe("allow");
  });

  it("are judged by their hosts", async () => {
    const config = { network: { allow: ["*.example.com"] } };
    expect(await verdict(config, net("api.example.com"))).toBe("allow");
    expect(await verdict(config, net("evil.test", "read"))).toBe("ask");
    expect(await verdict({ ...config, mode: "auto" }, net("169.254.169.254", "read"))).toBe("deny");
    expect(await verdict({ allow: ["http(*.test)"] }, net("ok.test"))).toBe("allow");
    expect(await verdict({ allow: ["*", "tool:http"] }, net("0xa9fea9fe"))).toBe("deny");
  });

  it("are as grave as their risk says, whatever files they name", async () => {
    const resources = [{ key: `file:${at("src/a.ts")}`, mode: "read" as const }];
    expect(await verdict({}, { name: "upload", risk: "remote-write", resources })).toBe("ask");
    expect(await verdict({}, { name: "odd", risk: "read", resources: [{ key: "mcp:x", mode: "write" }] })).toBe("ask");
    expect(await verdict({}, net("localhost", "irreversible"))).toBe("ask");
    const both = [
      { key: "net:localhost", mode: "write" as const },
      { key: "mcp:x", mode: "write" as const },
    ];
    expect(await verdict({}, { name: "both", risk: "remote-write", resources: both })).toBe("ask");
  });

  it("take the strictest word about several things", async () => {
    const resources = [at("src/a.ts"), join(home, ".ssh/id"), at(".kumiko/x")].map((path) => ({
      key: `file:${path}`,
      mode: "write" as const,
    }));
    expect(await verdict({ mode: "accept-edits" }, { risk: "local-write", resources })).toBe("hard-block");
    expect(await verdict({ mode: "accept-edits" }, { risk: "local-write", resources: resources.slice(0, 2) })).toBe(
      "ask",
    );
  });
});

describe("a command's call", () => {
  it("has the risk, resources and effects of the command", async () => {
    const decision = await decide({ allow: ["*"] }, bash("cat src/a.ts"));
    expect(decision.risk).toBe("read");
    expect(decision.resources).toEqual([{ key: `file:${at("src/a.ts")}`, mode: "read" }]);
  });

  it("does not reach a metadata address", async () =>
    expect(await verdict({ allow: ["curl *"] }, bash("curl http://169.254.169.254/latest"))).toBe("deny"));

  it("is judged for what its tool declares besides", async () => {
    const resources = [{ key: `file:${at(".kumiko/x")}`, mode: "write" as const }];
    expect(await verdict({ allow: ["ls*"] }, { ...bash("ls"), resources })).toBe("hard-block");
    const inside = [{ key: `file:${work}`, mode: "write" as const }];
    expect(await verdict({}, { ...bash("ls"), resources: inside })).toBe("allow");
  });
});

describe("settings", () => {
  it("work without any", () => expect(permissionEngine().name).toBe("permission-engine"));

  it("that cannot be used are refused with what is wrong", () => {
    expect(() => permissionEngine({ allow: ["ls *", ""] })).toThrow(/allow.*1.*""|"".*empty/s);
    expect(() => permissionEngine({ deny: ["tool:"] })).toThrow(/tool's name/);
    expect(() => permissionEngine({ ask: ["file_write( )"] })).toThrow(/empty/);
    expect(() => permissionEngine({ workspaceRoots: ["rel"] })).toThrow(/absolute/);
    expect(() => permissionEngine({ network: { allow: ["a*b"] } })).toThrow(/host name/);
    expect(() => permissionEngine({ home: "~/x" })).toThrow(/home/);
  });

  it("find the home by themselves", async () => {
    const { layer } = permissionEngine({ allow: ["*"] });
    if (layer === undefined) throw new Error("the engine has no layer");
    const decision = Effect.flatMap(PermissionGate, (gate) => gate.decide(call(bash("rm -rf ~"))));
    expect(await Effect.runPromise(Effect.provide(decision, layer))).toMatchObject({ verdict: "hard-block" });
  });
});

describe("rules about hosts", () => {
  it("hold for tools and commands alike", async () => {
    const config: Config = { allow: ["connect:api.x.test", "curl *"], deny: ["connect:*.evil.test"] };
    expect(await verdict(config, host("api.x.test"))).toBe("allow");
    expect(await verdict(config, host("other.test"))).toBe("ask");
    expect(await verdict(config, host("A.Evil.test"))).toBe("deny");
    expect(await verdict(config, bash("curl https://a.evil.test/x"))).toBe("deny");
    expect(await verdict(config, bash("curl https://other.test/x"))).toBe("allow");
  });
});
