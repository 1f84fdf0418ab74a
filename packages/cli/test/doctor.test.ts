import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeCheck, terminalCheck } from "../src/doctor/checks.ts";
import { cleanUp, ended, folder, start } from "./support.ts";

afterAll(cleanUp);

const findingsOf = async (env: Readonly<Record<string, string>>) => {
  const { code, stdout } = await ended(start(["doctor", "--json"], env));
  const { findings } = JSON.parse(stdout);
  return (name: string): unknown => ({
    code,
    ...findings.find((finding: { readonly name: string }) => finding.name === name),
  });
};

describe("kumiko doctor", () => {
  it("says what is there, what is missing, how to mend it, and no key", async () => {
    const { code, stdout } = await ended(start(["doctor"], { OPENAI_API_KEY: "sk-hidden-0123456789abcdef" }));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^✓ Node\.js +24\./m);
    expect(stdout).toMatch(/^✓ model +openai\/.*; keys from OPENAI_API_KEY$/m);
    expect(stdout).toMatch(/^Runs can begin\.$/m);
    expect(stdout).not.toContain("hidden");
    const without = await findingsOf({});
    expect(without("model")).toMatchObject({
      code: 0,
      status: "warning",
      detail: expect.stringContaining("no key is set"),
    });
  });

  it("ends with 1 where a run would not get far: settings that do not fit, a state folder that is none", async () => {
    const config = folder();
    mkdirSync(join(config, "kumiko"));
    writeFileSync(join(config, "kumiko/config.yaml"), "mod: ask\n");
    const settings = await findingsOf({ XDG_CONFIG_HOME: config });
    expect(settings("settings")).toMatchObject({
      code: 1,
      status: "problem",
      detail: expect.stringContaining("config.yaml:1:1"),
    });
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const state = await findingsOf({ XDG_STATE_HOME: file });
    expect(state("state folder")).toMatchObject({ code: 1, status: "problem" });
  });

  it("tells a program that is missing from one that hangs or fails", async () => {
    const bin = folder();
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexec sleep 60\n");
    writeFileSync(join(bin, "bash"), "#!/bin/sh\nexit 3\n");
    for (const name of ["git", "bash"]) chmodSync(join(bin, name), 0o755);
    const finding = await findingsOf({ PATH: `${bin}:/bin:/usr/bin` });
    expect(finding("git")).toMatchObject({
      code: 0,
      status: "warning",
      detail: expect.stringContaining("does not work"),
    });
    expect(finding("ripgrep")).toMatchObject({ status: "ok" });
    expect(finding("pty")).toMatchObject({ status: "ok" });
    expect(finding("bash")).toMatchObject({ status: "warning", detail: expect.stringContaining("does not work") });
    const empty = await findingsOf({ PATH: folder() });
    expect(empty("bash")).toMatchObject({
      code: 0,
      status: "warning",
      detail: expect.stringContaining("is not there"),
    });
  });

  it("knows which Node.js and which terminals do", () => {
    expect(["24.15.0", "25.0.0", "24.14.9", "20.20.2"].map((version) => nodeCheck(version).status)).toEqual([
      "ok",
      "ok",
      "problem",
      "problem",
    ]);
    const at = (env: Readonly<Record<string, string>>, columns: number) =>
      terminalCheck(env, { columns, isTTY: true }).status;
    expect([at({ LANG: "C.UTF-8" }, 80), at({ LANG: "POSIX" }, 80), at({ LANG: "de_DE.utf8" }, 20)]).toEqual([
      "ok",
      "warning",
      "warning",
    ]);
  });
});

describe("completion in bash", () => {
  it("knows commands, their sub-commands, flags and their values", async () => {
    const { stdout } = await ended(start(["--completions", "bash"]));
    const script = join(folder(), "completion.bash");
    writeFileSync(script, stdout);
    const completed = (...words: ReadonlyArray<string>): ReadonlyArray<string> => {
      const quoted = ["kumiko", ...words].map((word) => `'${word}'`).join(" ");
      return execFileSync(
        "bash",
        [
          "-c",
          `source "$1"; COMP_WORDS=(${quoted}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}; _kumiko kumiko "\${COMP_WORDS[COMP_CWORD]}"; printf '%s\\n' "\${COMPREPLY[@]}"`,
          "bash",
          script,
        ],
        { encoding: "utf8" },
      )
        .split("\n")
        .map((word) => word.trim())
        .filter((word) => word !== "");
    };
    expect(completed("")).toEqual(expect.arrayContaining(["sessions", "config", "audit", "doctor", "init"]));
    expect(completed("config", "s")).toEqual(expect.arrayContaining(["set", "schema"]));
    expect(completed("--mod")).toEqual(expect.arrayContaining(["--mode", "--model"]));
    expect(completed("--mode", "")).toEqual(["plan", "ask", "accept-edits", "auto"]);
  });
});
