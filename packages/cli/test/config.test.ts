import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { schemaFile } from "../src/schemaFile.ts";
import { cleanUp, ended, type Ended, folder, start } from "./support.ts";

afterAll(cleanUp);

/** A user with a project of their own. */
const someone = () => {
  const config = folder();
  const cwd = folder();
  mkdirSync(join(cwd, ".git"));
  const files = {
    user: join(config, "kumiko", "config.yaml"),
    project: join(cwd, ".kumiko", "config.yaml"),
    local: join(cwd, ".kumiko", "config.local.yaml"),
  };
  return {
    cwd,
    files,
    write: (file: keyof typeof files, text: string | Buffer): void => {
      mkdirSync(dirname(files[file]), { recursive: true });
      writeFileSync(files[file], text);
    },
    kumiko: (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}, at = cwd): Promise<Ended> =>
      ended(start([...args, "--cwd", at], { XDG_CONFIG_HOME: config, ...env })),
  };
};

describe("kumiko config", () => {
  it("shows every setting with its origin, and what a project was not given", async () => {
    const { kumiko, write } = someone();
    write("user", "mode: accept-edits\npermissions:\n  deny: [git push *]\n");
    write("project", "mode: plan\nmodel: evil/model\npermissions: { deny: ['rm *'], allow: ['*'] }\n");
    const { stdout } = await kumiko(["config"], { KUMIKO_MAX_TURNS: "7" });
    expect(stdout).toMatch(/^mode +plan +project \(\S+\.kumiko\/config\.yaml\)$/m);
    expect(stdout).toMatch(/^maxTurns +7 +environment \(KUMIKO_MAX_TURNS\)$/m);
    expect(stdout).toMatch(/^permissions\.deny +git push \* +user \(.*\)\n +rm \* +project/m);
    expect(stdout).toMatch(/^permissions\.allow +\(none\)/m);
    expect(stdout).toMatch(/^! .*config\.yaml can only tighten.*not taken: model \(.*\), permissions\.allow \(.*\)$/m);
    const json = await kumiko(["config", "--json"], { KUMIKO_MAX_TURNS: "7" });
    expect(JSON.parse(json.stdout)).toMatchObject({
      mode: "plan",
      maxTurns: 7,
      sources: { mode: { layer: "project" } },
    });
  });

  it("runs go by it: the mode, the rules and the turns of all layers, flags last", async () => {
    const { kumiko, write } = someone();
    write(
      "user",
      "mode: auto\npermissions:\n  deny: [{ rule: 'git push *', match: [git push origin], notMatch: [git pull] }]\n",
    );
    expect((await kumiko(["permissions", "check", "git push origin"])).stdout).toMatch(/^deny: /);
    expect((await kumiko(["permissions", "check", "touch a"])).stdout).toMatch(/^allow: /);
    write("project", "mode: plan\n");
    expect((await kumiko(["permissions", "check", "touch a"])).stdout).toMatch(/^deny: /);
    expect((await kumiko(["permissions", "check", "touch a", "--mode", "ask"])).stdout).toMatch(/^ask: /);
    const planned = await kumiko(["-p", "Collect every TODO comment into issues.md"]);
    expect(planned.code).toBe(3);
  });

  it("sets and unsets values, with comments and modes kept, and writes nothing that does not fit", async () => {
    const { cwd, files, kumiko, write } = someone();
    write("user", "# mine\nmode: ask # careful\n");
    chmodSync(files.user, 0o640);
    expect((await kumiko(["config", "set", "maxTurns", "12"])).stdout).toMatch(/^maxTurns is set in /);
    await kumiko(["config", "set", "permissions.deny", "git push *", "rm *"]);
    const text = readFileSync(files.user, "utf8");
    expect(text).toBe(
      "# mine\nmode: ask # careful\nmaxTurns: 12\npermissions:\n  deny:\n    - git push *\n    - rm *\n",
    );
    expect(statSync(files.user).mode & 0o777).toBe(0o640);
    expect((await kumiko(["config", "get", "permissions.deny"])).stdout).toBe("git push *\nrm *\n");
    for (const [args, said] of [
      [["set", "mode", "loud"], /nothing is changed: mode: expected "plan"/],
      [["set", "maxTurns", "many"], /nothing is changed: maxTurns: expected/],
      [["set", "permissions.deny", "tool:"], /nothing is changed: .*cannot be used/],
      [["set", "permissions.den", "x"], /Did you mean permissions\.deny\?/],
      [["set", "deny", "x"], /Did you mean permissions\.deny\?/],
      [["set", "model", "x", "--project"], /can only tighten/],
      [["set", "mode", "plan", "--project", "--local"], /two files/],
    ] as const) {
      const { code, stderr } = await kumiko(["config", ...args]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(said) });
    }
    expect(readFileSync(files.user, "utf8")).toBe(text);
    await kumiko(["config", "unset", "permissions.deny"]);
    const gone = await kumiko(["config", "get", "permissions.deny"]);
    expect(gone).toMatchObject({ code: 1, stdout: "" });
    await kumiko(["config", "set", "mode", "plan", "--project"]);
    expect(readFileSync(join(cwd, ".kumiko/config.yaml"), "utf8")).toBe("mode: plan\n");
  });

  it("makes the user's file for its owner alone, and follows a link to where the file is kept", async () => {
    const { files, kumiko } = someone();
    await kumiko(["config", "set", "mode", "plan"]);
    expect(statSync(files.user).mode & 0o777).toBe(0o600);
    const other = someone();
    const kept = join(folder(), "dotfile.yaml");
    writeFileSync(kept, "mode: ask\n");
    mkdirSync(dirname(other.files.user), { recursive: true });
    symlinkSync(kept, other.files.user);
    await other.kumiko(["config", "set", "mode", "plan"]);
    expect(readFileSync(kept, "utf8")).toBe("mode: plan\n");
  });

  it.each([
    [
      "a misspelt key",
      "permisions: {}\n",
      /config\.yaml:1:1: unknown key "permisions": .* Did you mean "permissions"\?/,
    ],
    [
      "a misspelt key below",
      "permissions:\n  denny: []\n",
      /config\.yaml:2:3: unknown key "denny".*Did you mean "deny"\?/,
    ],
    ["a wrong value", "mode: loud\n", /config\.yaml:1:1: mode: expected "plan" \| "ask"/],
    ["broken YAML", "mode: [\n", /config\.yaml:2:1: this is no valid YAML/],
    ["a rule whose example fails", "permissions:\n  deny:\n    - { rule: 'a *', match: [b] }\n", /config\.yaml:3:7: /],
    ["folders in a project", "folders: {}\n", /folders belong into .*config\.yaml/],
    ["no text", Buffer.from([0xff, 0xfe, 0x00]), /cannot read .*it is no UTF-8 text/],
    ["a giant", `# ${"x".repeat(70_000)}\n`, /cannot read .*larger than/],
    [
      "a bomb",
      `a: &a [1,1,1,1,1,1]\n${["b", "c", "d", "e", "f"].map((name, n) => `${name}: &${name} [${Array(9).fill(`*${"abcde"[n]}`).join(",")}]`).join("\n")}`,
      /config\.yaml/,
    ],
  ])("refuses to run with %s in a project's file, which may forbid something", async (_, text, said) => {
    const { kumiko, write } = someone();
    write("project", text);
    const { code, stderr, stdout } = await kumiko(["-p", "hello"]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(said);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  it("waits for no pipe, and follows no ring of links", async () => {
    const { cwd, files, kumiko } = someone();
    mkdirSync(join(cwd, ".kumiko"));
    execFileSync("mkfifo", [files.project]);
    symlinkSync(files.local, files.local);
    const { code, stderr } = await kumiko(["-p", "hello"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/it is no regular file/) });
  });

  it("reads the project's file from below its folder, and none from outside its repository", async () => {
    const { cwd, kumiko, write } = someone();
    write("project", "mode: plan\n");
    mkdirSync(join(cwd, "a/b"), { recursive: true });
    expect((await kumiko(["config", "get", "mode"], {}, join(cwd, "a/b"))).stdout).toBe("plan\n");
    mkdirSync(join(cwd, "a/.git"));
    expect((await kumiko(["config", "get", "mode"], {}, join(cwd, "a/b"))).stdout).toBe("ask\n");
  });

  it("opens the editor on the file, and checks what was written", async () => {
    const { files, kumiko } = someone();
    const editor = join(folder(), "my editor");
    writeFileSync(editor, '#!/bin/sh\nprintf "mode: loud\\n" > "$1"\n', { mode: 0o755 });
    const { code, stderr } = await kumiko(["config", "edit"], { EDITOR: `'${editor}'` });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/config\.yaml:1:1: mode: expected/) });
    expect(existsSync(files.user)).toBe(true);
    expect((await kumiko(["config", "edit"], { EDITOR: "", VISUAL: "" })).stderr).toMatch(
      /neither \$VISUAL nor \$EDITOR/,
    );
  });

  it("changes nothing for a command of an agent", async () => {
    const { files, kumiko } = someone();
    const { code, stderr } = await kumiko(["config", "set", "mode", "auto"], { KUMIKO_CALL: "x" });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/a person's to do/) });
    expect(existsSync(files.user)).toBe(false);
  });

  it("ships the JSON Schema it prints: kumiko config schema > packages/cli/config.schema.json", async () => {
    const { stdout } = await ended(start(["config", "schema"]));
    expect(JSON.parse(readFileSync(schemaFile, "utf8"))).toEqual(JSON.parse(stdout));
  });
});
