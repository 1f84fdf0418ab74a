import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { previewFileCall } from "../src/index.ts";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "kumiko-preview-"));
  writeFileSync(join(cwd, "a.txt"), "one\r\ntwo\r\n");
  writeFileSync(join(cwd, "big.txt"), "x".repeat(5 * 1024 * 1024));
  execFileSync("mkfifo", [join(cwd, "fifo")]);
  symlinkSync(join(cwd, "loop-b"), join(cwd, "loop-a"));
  symlinkSync(join(cwd, "loop-a"), join(cwd, "loop-b"));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

describe("what a call would make of a file", () => {
  it("is its content before and after, by the very rules of the tools, and nothing is changed", async () => {
    const edits = [{ old: "two", new: "three\nfour" }];
    expect(await previewFileCall({ tool: "file_edit", input: { path: "a.txt", edits }, cwd })).toEqual({
      path: "a.txt",
      before: "one\r\ntwo\r\n",
      after: "one\r\nthree\r\nfour\r\n",
    });
    expect(await previewFileCall({ tool: "file_write", input: { path: "new/b.txt", content: "b" }, cwd })).toEqual({
      path: "new/b.txt",
      before: undefined,
      after: "b",
    });
    expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one\r\ntwo\r\n");
  });

  it("is nothing for other tools and for inputs that are none", async () => {
    expect(await previewFileCall({ tool: "bash", input: { command: "ls" }, cwd })).toBeUndefined();
    expect(await previewFileCall({ tool: "file_write", input: { path: 1 }, cwd })).toBeUndefined();
    expect(await previewFileCall({ tool: "file_edit", input: null, cwd })).toBeUndefined();
  });

  it("waits for no pipe, follows no endless link, reads no giant: it says why", async () => {
    const write = (path: string) => previewFileCall({ tool: "file_write", input: { path, content: "x" }, cwd });
    await expect(write("fifo")).rejects.toThrow(/fifo/);
    await expect(write("loop-a")).rejects.toThrow(/ELOOP|circle/);
    await expect(write("big.txt")).rejects.toThrow(/too many to compare/);
    await expect(write(".")).rejects.toThrow(/folder/);
    await expect(write("a\0b")).rejects.toThrow(/NUL/);
    const edits = [{ old: "nowhere", new: "x" }];
    await expect(previewFileCall({ tool: "file_edit", input: { path: "a.txt", edits }, cwd })).rejects.toThrow(
      /old is not there/,
    );
  });
});
