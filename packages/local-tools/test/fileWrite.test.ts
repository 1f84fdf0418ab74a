import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileWrite } from "../src/fileWrite.node.ts";
import { callOf, failureOf, run, type TempFolder, tempFolder } from "./runTool.ts";

const tool = fileWrite();
let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());
const write = (path: string, content: string): Promise<string> => run(tool, { path, content }, folder.path);
const modeOf = (name: string): number => statSync(folder.at(name)).mode & 0o7777;

describe("file_write", () => {
  it("creates a file and its folders, and says so", async () => {
    expect(await write("a/b/c.txt", "hé\n")).toBe("created a/b/c.txt (4 bytes)");
    expect(readFileSync(folder.at("a/b/c.txt"), "utf8")).toBe("hé\n");
    expect(modeOf("a/b/c.txt")).toBe(0o666 & ~process.umask());
  });

  it("replaces a file in one step, keeping its mode", async () => {
    writeFileSync(folder.at("run.sh"), "old content");
    chmodSync(folder.at("run.sh"), 0o754);
    // A second name of the old file keeps the old content: it was not written into.
    linkSync(folder.at("run.sh"), folder.at("old"));
    expect(await write("run.sh", "new")).toBe("replaced run.sh (3 bytes, before: 11 bytes)");
    expect(readFileSync(folder.at("run.sh"), "utf8")).toBe("new");
    expect(readFileSync(folder.at("old"), "utf8")).toBe("old content");
    expect(modeOf("run.sh")).toBe(0o754);
    expect(readdirSync(folder.path).toSorted()).toEqual(["old", "run.sh"]);
  });

  it("keeps the owner of a file it replaces", async () => {
    if (process.getuid?.() !== 0) return expect(process.getuid?.()).not.toBe(0);
    writeFileSync(folder.at("theirs"), "x");
    execFileSync("chown", ["65534:65534", folder.at("theirs")]);
    await write("theirs", "y");
    return expect(statSync(folder.at("theirs"))).toMatchObject({ uid: 65534, gid: 65534 });
  });

  it("writes through symbolic links, also to a target that is not there yet", async () => {
    mkdirSync(folder.at("real"));
    writeFileSync(folder.at("real/file"), "old");
    symlinkSync("real", folder.at("dir"));
    symlinkSync("../real/file", folder.at("real/chain"));
    symlinkSync("dir/chain", folder.at("link"));
    symlinkSync("fresh/later", folder.at("dangling"));
    await write("link", "new");
    expect(readFileSync(folder.at("real/file"), "utf8")).toBe("new");
    await write("dangling", "made");
    expect(readFileSync(folder.at("fresh/later"), "utf8")).toBe("made");
    expect([readlinkSync(folder.at("link")), readlinkSync(folder.at("dangling"))]).toEqual([
      "dir/chain",
      "fresh/later",
    ]);
    expect(lstatSync(folder.at("real/chain")).isSymbolicLink()).toBe(true);
  });

  it("writes names of every kind", async () => {
    for (const name of ["a\nb", " ", "-rf", "ü語😀", "n".repeat(255), "con.txt:x"]) {
      await write(name, name);
      expect(readFileSync(folder.at(name), "utf8")).toBe(name);
    }
    expect(await write("x\ty", "")).toBe('created "x\\ty" (0 bytes)');
  });

  it("says why it cannot, and leaves nothing behind", async () => {
    mkdirSync(folder.at("dir"));
    writeFileSync(folder.at("file"), "x");
    execFileSync("mkfifo", [folder.at("pipe")]);
    symlinkSync("loop-b", folder.at("loop-a"));
    symlinkSync("loop-a", folder.at("loop-b"));
    for (const [path, message] of [
      ["dir", "it is a folder"],
      ["file/below", "ENOTDIR"],
      ["n".repeat(256), "ENAMETOOLONG"],
      ["loop-a", "ELOOP"],
      ["pipe", "it is a named pipe"],
      ["/dev/null", "it is a device"],
      ["a\0b", "NUL"],
      ["", "empty"],
    ] as const)
      expect((await failureOf(tool, { path, content: "y" }, folder.path)).message).toContain(message);
    expect(readdirSync(folder.path).toSorted()).toEqual(["dir", "file", "loop-a", "loop-b", "pipe"]);
    expect(readFileSync(folder.at("file"), "utf8")).toBe("x");
  });

  // Root may write anywhere but where the kernel itself refuses, so a file system shows the refusals of one.
  it("says when the file system is read-only or full", async () => {
    expect((await failureOf(tool, { path: "/proc/version", content: "y" }, folder.path)).message).toMatch(
      /\(E[A-Z]+\)/,
    );
    if (!mountSmall(folder.at())) return expect(existsSync(folder.at())).toBe(true);
    try {
      writeFileSync(folder.at("kept"), "before");
      const full = await failureOf(tool, { path: "kept", content: "x".repeat(3_000_000) }, folder.path);
      expect(full.message).toContain("the disk is full (ENOSPC)");
      expect(readFileSync(folder.at("kept"), "utf8")).toBe("before");
      expect(readdirSync(folder.path)).toEqual(["kept"]);
      execFileSync("mount", ["-o", "remount,ro", folder.path]);
      const readOnly = await failureOf(tool, { path: "kept", content: "y" }, folder.path);
      return expect(readOnly.message).toContain("read-only (EROFS)");
    } finally {
      execFileSync("umount", [folder.path]);
    }
  });

  it("declares what it writes, and one effect for one content", () => {
    const inspect = (path: string, content: string) => Result.getOrThrow(tool.inspect({ path, content }, folder.path));
    expect(inspect("a/../b", "x")).toMatchObject({
      risk: "local-write",
      resources: [{ key: `file:${folder.at("b")}`, mode: "write" }],
      effectKey: inspect("./b", "x").effectKey,
    });
    expect(inspect("b", "y").effectKey).not.toBe(inspect("b", "x").effectKey);
    expect(inspect("c", "x").effectKey).not.toBe(inspect("b", "x").effectKey);
  });

  it("leaves the old content and no other file when it is interrupted", async () => {
    writeFileSync(folder.at("big"), "old");
    const content = "x".repeat(30_000_000);
    const fiber = Effect.runFork(callOf(tool, { path: "big", content }, folder.path));
    await expect.poll(() => readdirSync(folder.path).length, { interval: 1 }).toBe(2);
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(readFileSync(folder.at("big"), "utf8")).toBe("old");
    expect(readdirSync(folder.path)).toEqual(["big"]);
  });

  it("lets two writers of one file leave one content, whole", async () => {
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
    await Promise.all(contents.map((content) => write("shared", content)));
    expect(contents).toContain(readFileSync(folder.at("shared"), "utf8"));
    expect(readdirSync(folder.path)).toEqual(["shared"]);
  });
});

/** Mounts two megabytes of memory; false where this user may not. */
const mountSmall = (path: string): boolean => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
