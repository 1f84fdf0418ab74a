import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanUp, folder, project } from "./support.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let bin = "";
beforeAll(() => {
  execFileSync(process.execPath, ["tools/bundle.mjs"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  const alone = folder();
  for (const part of ["bin", "dist/kumiko.mjs", "dist/help.txt", "package.json"])
    cpSync(join(root, "packages/cli", part), join(alone, part), { recursive: true });
  bin = join(alone, "bin/kumiko.cjs");
}, 60_000);
afterAll(cleanUp);

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [bin, ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: folder(), NO_COLOR: "1" },
  });

describe("the bundled kumiko, with nothing installed beside it", () => {
  it("knows its version, by the fast path and by the program", () => {
    const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
    expect(run("--version").stdout).toBe(`kumiko ${version}\n`);
    expect(run("--version", "--log-level", "none").stdout).toContain(version);
  });

  it("prints the same help by the fast path and by the program", () => {
    const help = run("--help").stdout;
    expect(help).toContain("--output-format");
    expect(run("--help", "--log-level", "none").stdout.trim()).toBe(help.trim());
    expect(run("help").stdout.trim()).toBe(help.trim());
    expect(run("help", "config").stdout).toBe(run("config", "--help").stdout);
  });

  it("does the job", () => {
    const cwd = project();
    const { status, stderr } = run(
      "-p",
      "Collect every TODO comment into issues.md",
      "--cwd",
      cwd,
      "--mode",
      "accept-edits",
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(existsSync(join(cwd, "issues.md"))).toBe(true);
  });
});
