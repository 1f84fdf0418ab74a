import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { globTool } from "../src/globTool.node.ts";
import { callOf, failureOf, run, type TempFolder, tempFolder } from "./runTool.ts";

const tool = globTool();
let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const put = (...paths: ReadonlyArray<string>): void => {
  for (const path of paths) {
    mkdirSync(dirname(folder.at(path)), { recursive: true });
    writeFileSync(folder.at(path), path.endsWith(".gitignore") ? "" : "x");
  }
};
const list = async (pattern: string, rest: { readonly path?: string; readonly max_results?: number } = {}) =>
  (await run(tool, { pattern, ...rest }, folder.path)).split("\n");

describe("glob", () => {
  it("lists what fits, sorted by path, dot files included", async () => {
    put("b.ts", "a/z.ts", "a-b/c.ts", "a/b/c.ts", ".hidden/d.ts", "a/x.md", "a.ts");
    expect(await list("**/*.ts")).toEqual([".hidden/d.ts", "a-b/c.ts", "a.ts", "a/b/c.ts", "a/z.ts", "b.ts"]);
    expect(await list("*.md")).toEqual(["a/x.md"]);
    expect(await list("b/*", { path: "a" })).toEqual(["a/b/c.ts"]);
    expect(await list("*.rs")).toEqual(["(no files match)"]);
  });

  it("skips .git, node_modules and what git ignores, in nested files and from the top of the repository", async () => {
    put("src/a.js", "src/gen/b.js", "src/gen/keep.js", "dist/c.js", "node_modules/d.js", ".git/e.js", "src/sub/f.log");
    writeFileSync(folder.at(".gitignore"), "dist/\n*.log\n");
    writeFileSync(folder.at("src/.gitignore"), "gen/*\n!gen/keep.js\n");
    writeFileSync(folder.at("src/sub/.gitignore"), "!f.log\n");
    expect(await list("*.{js,log}")).toEqual(["src/a.js", "src/gen/keep.js", "src/sub/f.log"]);
    // From a folder further down the rules of those above still hold.
    mkdirSync(folder.at(".git/info"), { recursive: true });
    writeFileSync(folder.at(".git/info/exclude"), "a.js\n");
    expect(await list("*.{js,log}", { path: "src" })).toEqual(["src/gen/keep.js", "src/sub/f.log"]);
    expect((await run(tool, { pattern: "*.js" }, folder.at("src"))).split("\n")).toEqual(["gen/keep.js"]);
    // Who names an ignored folder means it.
    expect(await list("*", { path: "dist" })).toEqual(["dist/c.js"]);
  });

  it("does not enter symbolic links, so that loops hold nothing up", async () => {
    put("real/a.txt");
    symlinkSync("..", folder.at("real/up"));
    symlinkSync("real", folder.at("alias"));
    symlinkSync("real/a.txt", folder.at("file-link.txt"));
    symlinkSync("self", folder.at("self"));
    expect(await list("**/*.txt")).toEqual(["file-link.txt", "real/a.txt"]);
    expect(await list("*.txt", { path: "alias" })).toEqual(["alias/a.txt"]);
  });

  it("shows a bounded number of results and says that there are more", async () => {
    put(...Array.from({ length: 12 }, (_, at) => `f${String(at).padStart(2, "0")}`));
    expect(await list("*", { max_results: 12 })).toHaveLength(12);
    expect(await list("*", { max_results: 3 })).toEqual([
      "f00",
      "f01",
      "f02",
      "(stopped after 3 results; narrow the pattern or the path, or raise max_results)",
    ]);
  });

  it("keeps one name on one line, whatever it holds", async () => {
    put('a\nb"', "é", "sp ace", "t\ta");
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/bad-`), Buffer.from([0xff, 0xfe])]), "x");
    execFileSync("mkfifo", [folder.at("pipe")]);
    expect(await list("*")).toEqual(['"a\\nb\\""', "bad-\ufffd\ufffd", "sp ace", '"t\\ta"', "é"]);
  });

  it("goes down as far as there are folders", async () => {
    const deep = Array.from({ length: 100 }, () => "d").join("/");
    put(`${deep}/end.txt`);
    expect(await list("end.txt")).toEqual([`${deep}/end.txt`]);
  });

  it("says what is wrong with its arguments", async () => {
    put("file");
    for (const [input, message] of [
      [{ pattern: "[a" }, "bracket"],
      [{ pattern: "../*" }, "use path for another folder"],
      [{ pattern: "*", path: "none" }, "there is no such file or folder"],
      [{ pattern: "*", path: "file" }, "it is no folder"],
    ] as const) {
      const failure = await failureOf(tool, input, folder.path);
      expect(failure.kind).toBe("validation");
      expect(failure.message).toContain(message);
    }
    expect(Result.isFailure(tool.inspect({ pattern: "*", max_results: 9999 }, folder.path))).toBe(true);
    expect(Result.getOrThrow(tool.inspect({ pattern: "*", path: "x" }, folder.path)).resources).toEqual([
      { key: `file:${folder.at("x")}`, mode: "read" },
    ]);
  });

  it("stops when interrupted", async () => {
    for (let at = 0; at < 300; at++) mkdirSync(folder.at(`d${at}`));
    const fiber = Effect.runFork(callOf(tool, { pattern: "*" }, folder.path));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(fiber.pollUnsafe()?._tag).toBe("Failure");
  });
});
