import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { projectCommands } from "../src/init/ProjectFacts.ts";
import { cleanUp, ended, folder, start } from "./support.ts";

afterAll(cleanUp);

const commandsOf = (files: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  projectCommands({ names: new Set(Object.keys(files)), texts: new Map(Object.entries(files)) }).map(
    ({ command }) => command,
  );

describe("the facts of a project", () => {
  it.each([
    [
      { "package.json": '{"scripts":{"test":"x","lint":"y","evil`rm`":"z"}}', "package-lock.json": "" },
      ["npm ci", "npm test", "npm run lint"],
    ],
    [
      { "package.json": '{"scripts":{"build":"x"}}', "pnpm-lock.yaml": "" },
      ["pnpm install --frozen-lockfile", "pnpm build"],
    ],
    [{ "package.json": "no json" }, ["npm install"]],
    [{ "package.json": '{"scripts":[1]}' }, ["npm install"]],
    [{ "go.mod": "" }, ["go build ./...", "go test ./..."]],
    [{ "Cargo.toml": "" }, ["cargo build", "cargo test"]],
    [
      { "pyproject.toml": "[tool.pytest]\n[tool.ruff]\n", "uv.lock": "" },
      ["uv sync", "uv run pytest", "uv run ruff check"],
    ],
    [{ Makefile: "test: build\n\tgo test\nbuild:\nX := 1\nlint:=2\n.PHONY: test\n" }, ["make build", "make test"]],
    [{}, []],
  ] as ReadonlyArray<[Record<string, string>, ReadonlyArray<string>]>)("of %j", (files, commands) => {
    expect(commandsOf(files)).toEqual(commands);
  });
});

describe("kumiko init", () => {
  const init = (cwd: string, ...args: ReadonlyArray<string>) => ended(start(["init", "--cwd", cwd, ...args]));

  it("writes what it found, in files that a run then reads, and overwrites nothing", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "package.json"), '{"scripts":{"test":"vitest"}}');
    writeFileSync(join(cwd, ".gitignore"), "dist");
    const dry = await init(cwd, "--dry-run");
    expect(dry.stdout).toContain("npm test");
    expect(existsSync(join(cwd, "AGENTS.md"))).toBe(false);

    const first = await init(cwd);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toBe(
      "wrote AGENTS.md\nwrote .kumiko/config.yaml\n.gitignore has .kumiko/config.local.yaml now\nRead AGENTS.md, and write into it what only you know.\n",
    );
    expect(readFileSync(join(cwd, "AGENTS.md"), "utf8")).toContain("- test:    `npm test`");
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe("dist\n.kumiko/config.local.yaml\n");
    expect((await ended(start(["config", "get", "mode", "--cwd", cwd]))).stdout).toBe("ask\n");

    writeFileSync(join(cwd, "AGENTS.md"), "mine");
    const second = await init(cwd);
    expect(second.stdout).toMatch(/^AGENTS\.md is there already.*\n\.kumiko\/config\.yaml is there already/);
    expect(readFileSync(join(cwd, "AGENTS.md"), "utf8")).toBe("mine");
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe("dist\n.kumiko/config.local.yaml\n");
  });

  it("writes through no link that a project laid", async () => {
    const cwd = folder();
    const elsewhere = join(folder(), "target");
    symlinkSync(elsewhere, join(cwd, "AGENTS.md"));
    mkdirSync(join(cwd, "package.json"));
    const { code, stdout } = await init(cwd);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^AGENTS\.md is there already/) });
    expect(existsSync(elsewhere)).toBe(false);
  });
});
