import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grepTool } from "../src/grepTool.node.ts";
import { callOf, failureOf, run, type TempFolder, tempFolder } from "./runTool.ts";

const tool = grepTool();
let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(folder.at(path)), { recursive: true });
  writeFileSync(folder.at(path), content);
};
type Options = Readonly<Record<string, string | number | boolean>>;
const grep = async (pattern: string, options: Options = {}): Promise<ReadonlyArray<string>> =>
  (await run(tool, { pattern, ...options }, folder.path)).split("\n");

describe("grep", () => {
  it("withholds matches in files that the call may not read, says so, and loses none of the others", async () => {
    put("a-forbidden.env", "KEY=1\n".repeat(50));
    put("b.ts", "KEY=2\nKEY=3\n");
    const lines = await grep("KEY", { max_matches: 10 });
    expect(lines).toEqual([
      "b.ts:1: KEY=2",
      "b.ts:2: KEY=3",
      "(matches in 1 file withheld: reading them is not allowed)",
    ]);
  });

  it("prints path, line and text, sorted by path and line", async () => {
    put("b.ts", "x TODO one\nno\nTODO two\n");
    put("a/z.ts", "TODO three");
    put("a-b.ts", "TODO four\r\n");
    expect(await grep("TODO")).toEqual([
      "a-b.ts:1: TODO four",
      "a/z.ts:1: TODO three",
      "b.ts:1: x TODO one",
      "b.ts:3: TODO two",
    ]);
    expect(await grep("TODO", { path: "a" })).toEqual(["a/z.ts:1: TODO three"]);
    expect(await grep("TODO", { path: "b.ts" })).toEqual(["b.ts:1: x TODO one", "b.ts:3: TODO two"]);
    expect(await run(tool, { pattern: "f[o]ur|three", path: ".." }, folder.at("a"))).toBe(
      `${folder.path}/a-b.ts:1: TODO four\nz.ts:1: TODO three`,
    );
    expect(await grep("nothing")).toEqual(["(no matches in 3 files)"]);
  });

  it("looks at each line by itself, with or without case", async () => {
    put("f", "one\ntwo\nÜber\n");
    expect(await grep("^t.o$")).toEqual(["f:2: two"]);
    expect(await grep("one\\s+two")).toEqual(["(no matches in 1 file)"]);
    expect(await grep("TWO|über", { ignore_case: true })).toEqual(["f:2: two", "f:3: Über"]);
    expect(await grep("(?i)TWO")).toEqual(["f:2: two"]);
    expect(await grep("\\p{Lu}ber")).toEqual(["f:3: Über"]);
    expect(await grep("e(?!.)")).toEqual(["f:1: one"]);
    expect(await grep("$")).toHaveLength(3);
  });

  it("takes what has no special meaning as it is", async () => {
    const text = fc.stringMatching(/^[a-c"'ä😀 <>/=:;,_-]{1,5}$/u);
    await fc.assert(
      fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 6 }), async (wanted, lines) => {
        put("f", lines.join("\n"));
        const expected = lines.flatMap((line, at) => (line.includes(wanted) ? [`f:${at + 1}: ${line}`] : []));
        expect(await grep(wanted)).toEqual(expected.length === 0 ? ["(no matches in 1 file)"] : expected);
      }),
      { seed: 8, numRuns: 60 },
    );
  });

  it("includes and excludes by glob", async () => {
    for (const path of ["a.ts", "src/b.ts", "src/c.md", "issues.md"]) put(path, "hit");
    expect(await grep("hit", { include: "*.ts" })).toEqual(["a.ts:1: hit", "src/b.ts:1: hit"]);
    expect(await grep("hit", { exclude: "issues.md" })).toHaveLength(3);
    expect(await grep("hit", { include: "src/**", exclude: "*.{md,txt}" })).toEqual(["src/b.ts:1: hit"]);
  });

  it("shows context, without repeating lines", async () => {
    put("f", "1\n2 hit\n3\n4 hit\n5\n6\n7\n8 hit\n");
    put("g", "hit\n");
    expect(await grep("hit", { context: 1 })).toEqual([
      "f-1- 1",
      "f:2: 2 hit",
      "f-3- 3",
      "f:4: 4 hit",
      "f-5- 5",
      "--",
      "f-7- 7",
      "f:8: 8 hit",
      "--",
      "g:1: hit",
    ]);
  });

  it("shows a bounded number of matches and says that there are more", async () => {
    put("f", "hit\n".repeat(5));
    put("g", "hit\n");
    expect(await grep("hit", { max_matches: 6 })).toHaveLength(6);
    expect(await grep("hit", { max_matches: 5 })).toEqual([
      ...[1, 2, 3, 4, 5].map((line) => `f:${line}: hit`),
      "(stopped after 5 matches; narrow the search, or raise max_matches)",
    ]);
    put("f", `${"w".repeat(390)} hit\n`.repeat(2000));
    const large = await run(tool, { pattern: "h[i]t", max_matches: 2000 }, folder.path);
    expect(large.length).toBeLessThan(102_000);
    expect(large).toContain("(stopped: the output is full; narrow the search)");
  });

  it("cuts long lines around the match", async () => {
    put("f", `${"a".repeat(1000)}needle${"b".repeat(1000)}`);
    const [line = ""] = await grep("needle");
    expect(line).toMatch(/^f:1: … a{100}needleb{294} … \(cut: 706 more characters\)$/);
    put("f", `${"a".repeat(30_000)}needle`);
    expect(await grep("needle")).toHaveLength(1);
    expect(await grep("nee+dle")).toHaveLength(1);
  });

  it("searches of long lines only the beginning where the whole would take for ever, and says so", async () => {
    put("f", `needle\n${"b".repeat(20_000)}${"a".repeat(3_000_000)}\n`);
    expect(await grep("a.*needle[s]|needl[e]")).toEqual([
      "f:1: needle",
      "(lines over 20000 characters searched only up to there, in 1 file)",
    ]);
  });

  it("shows only the files, or how many lines match in each", async () => {
    put("a", "hit\nmiss\nhit hit\n");
    put("b", "hit\n");
    put("c", "miss\n");
    expect(await grep("hit", { show: "files" })).toEqual(["a", "b"]);
    expect(await grep("hit", { show: "counts" })).toEqual(["a:2", "b:1"]);
    expect(await grep("hit", { show: "files", max_matches: 1 })).toEqual([
      "a",
      "(stopped after 1 file; narrow the search, or raise max_matches)",
    ]);
    expect(await grep("nothing", { show: "counts" })).toEqual(["(no matches in 3 files)"]);
  });

  it("skips what is no text, is ignored, is no file or is too large, and says what it could not search", async () => {
    put("text", "hit");
    put("binary", Buffer.from("hit\0hit"));
    put("latin1", Buffer.from("hit caf\xe9", "latin1"));
    put("ignored/x", "hit");
    put(".gitignore", "ignored\n");
    put("large", Buffer.alloc(5 * 1024 * 1024 + 1, "hit\n"));
    execFileSync("mkfifo", [folder.at("pipe")]);
    symlinkSync("text", folder.at("link"));
    symlinkSync(".", folder.at("loop"));
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/bad-`), Buffer.from([0xff])]), "hit");
    expect(await grep("hit")).toEqual(["latin1:1: hit caf\ufffd", "text:1: hit", "(1 file over 5 MB not searched)"]);
    expect(await grep("hit", { path: "link" })).toEqual(["link:1: hit"]);
    expect(await grep("hit", { path: "ignored" })).toEqual(["ignored/x:1: hit"]);
    expect(await grep("hit", { path: "binary" })).toEqual(["(no matches in 0 files)", "(1 file not searched: binary)"]);
    for (const path of ["pipe", "/dev/zero"])
      expect((await failureOf(tool, { pattern: "x", path }, folder.path)).kind).toBe("refused");
  });

  it("prints paths so that a line can be read back", async () => {
    put("a\nb:1: c", "hit");
    put("a:7: b", "hit");
    expect(await grep("hit")).toEqual(['"a\\nb:1: c":1: hit', '"a:7: b":1: hit']);
  });

  it("says nothing of files that vanish while it searches", async () => {
    for (let at = 0; at < 400; at++) put(`f${at}`, "hit");
    const searching = grep("h[i]t", { max_matches: 2000 });
    for (let at = 0; at < 400; at += 2) rmSync(folder.at(`f${at}`));
    const lines = await searching;
    expect(lines.filter((line) => /^f\d*[13579]:1: hit$/.test(line))).toHaveLength(200);
    expect(lines.every((line) => /^f\d+:1: hit$/.test(line))).toBe(true);
  });

  it.each([
    ["(a+)+$", `${"a".repeat(60)}b`],
    ["^(.*,){20}Z", "1,".repeat(200)],
    ["^(?=(a|aa)+$)", `${"a".repeat(60)}c`],
  ])("ends %s, which would take for ever, and goes on living", async (pattern, text) => {
    put("f", text);
    const failure = await failureOf(tool, { pattern }, folder.path);
    expect(failure.kind).toBe("validation");
    expect(failure.message).toContain("takes too long");
    expect(failure.message).toContain("between f and f");
    put("f", "fine");
    expect(await grep("f[i]ne")).toEqual(["f:1: fine"]);
  });

  it.each([
    ["(", "Unterminated group"],
    ["[", "Unterminated character class"],
    ["*", "Nothing to repeat"],
    ["\\", "at end of pattern"],
    ["(?i", "Invalid"],
  ])("says what is wrong with the pattern %s", async (pattern, problem) => {
    put("f", "x");
    const failure = await failureOf(tool, { pattern }, folder.path);
    expect(failure.kind).toBe("validation");
    expect(failure.message).toContain(problem);
  });

  it("says what is wrong with its other arguments, and declares what it reads", async () => {
    expect((await failureOf(tool, { pattern: "x", include: "[" }, folder.path)).message).toContain('include "["');
    expect((await failureOf(tool, { pattern: "x", path: "none" }, folder.path)).message).toContain("ENOENT");
    for (const input of [{ pattern: "" }, { pattern: "x".repeat(2000) }, { pattern: "x", context: 99 }, {}])
      expect(Result.isFailure(tool.inspect(input, folder.path))).toBe(true);
    expect(Result.getOrThrow(tool.inspect({ pattern: "x" }, folder.path))).toMatchObject({
      risk: "read",
      resources: [{ key: `file:${folder.path}`, mode: "read" }],
    });
  });

  it("stops when interrupted", async () => {
    for (let at = 0; at < 200; at++) put(`f${at}`, "hit\n".repeat(1000));
    const fiber = Effect.runFork(callOf(tool, { pattern: "h[i]t" }, folder.path));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(fiber.pollUnsafe()?._tag).toBe("Failure");
  });
});
