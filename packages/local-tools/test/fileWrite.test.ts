import { execFileSync } from "node:child_process";
import {
  appendFileSync,
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
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileWrite } from "../src/fileWrite.node.ts";
import { callOf, digestOf, failureOf, know, newSession, run, type TempFolder, tempFolder } from "./runTool.ts";

const tool = fileWrite();
let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());
/** Writes in a session that knows the file as it is. */
const write = async (path: string, content: string): Promise<string> => {
  const session = newSession();
  if (existsSync(folder.at(path))) await know(session, folder.at(path));
  return run(tool, { path, content }, folder.path, session);
};
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
      // Where Node would try to make the folder for ever.
      ["/proc/kumiko-test/below/file", "/proc/kumiko-test"],
      ["a\0b", "NUL"],
      ["", "empty"],
    ] as const)
      expect((await failureOf(tool, { path, content: "y" }, folder.path)).message).toContain(message);
    expect(readdirSync(folder.path).toSorted()).toEqual(["dir", "file", "loop-a", "loop-b", "pipe"]);
    expect(readFileSync(folder.at("file"), "utf8")).toBe("x");
  });

  // Root may write anywhere but where the kernel itself refuses, so a file system shows the refusals of one.
  it("says when the file system is read-only or full", async () => {
    expect((await failureOf(tool, { path: "/proc/kumiko", content: "y" }, folder.path)).message).toMatch(/\(E[A-Z]+\)/);
    if (!mountSmall(folder.at())) return expect(existsSync(folder.at())).toBe(true);
    try {
      writeFileSync(folder.at("kept"), "before");
      const session = newSession();
      await know(session, folder.at("kept"));
      const full = await failureOf(tool, { path: "kept", content: "x".repeat(3_000_000) }, folder.path, session);
      expect(full.message).toContain("the disk is full (ENOSPC)");
      expect(readFileSync(folder.at("kept"), "utf8")).toBe("before");
      expect(readdirSync(folder.path)).toEqual(["kept"]);
      execFileSync("mount", ["-o", "remount,ro", folder.path]);
      const readOnly = await failureOf(tool, { path: "kept", content: "y" }, folder.path, session);
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
    const session = newSession();
    await know(session, folder.at("big"));
    const fiber = Effect.runFork(callOf(tool, { path: "big", content }, folder.path, session));
    await expect.poll(() => readdirSync(folder.path).length, { interval: 1 }).toBe(2);
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(readFileSync(folder.at("big"), "utf8")).toBe("old");
    expect(readdirSync(folder.path)).toEqual(["big"]);
  });

  it("lets one of several writers that do not know of each other have the file, whole; the others are told", async () => {
    const contents = ["a", "b", "c", "d"].map((letter) => letter.repeat(200_000));
    const ends = await Promise.allSettled(contents.map((content) => write("shared", content)));
    expect(contents).toContain(readFileSync(folder.at("shared"), "utf8"));
    expect(readdirSync(folder.path)).toEqual(["shared"]);
    const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(reasons.length).toBeLessThan(contents.length);
    for (const reason of reasons) expect(reason).toMatch(/shared: (it changed|there is such a file)[^]*file_read/);
  });

  it("replaces only what the session read or wrote, as it still is", async () => {
    const session = newSession();
    writeFileSync(folder.at("theirs"), "work of others");
    const unread = await failureOf(tool, { path: "theirs", content: "x" }, folder.path, session);
    expect(unread).toMatchObject({ kind: "refused" });
    expect(unread.message).toMatch(/has not read it\. Read it with file_read first/);
    await know(session, folder.at("theirs"));
    appendFileSync(folder.at("theirs"), ", and more");
    const changed = await failureOf(tool, { path: "theirs", content: "x" }, folder.path, session);
    expect(changed).toMatchObject({ kind: "refused" });
    expect(changed.message).toMatch(/changed on disk[^]*Read it again with file_read/);
    expect(readFileSync(folder.at("theirs"), "utf8")).toBe("work of others, and more");
    // What it wrote itself it knows, by whatever name.
    symlinkSync("mine", folder.at("link"));
    await run(tool, { path: "link", content: "one" }, folder.path, session);
    expect(await run(tool, { path: "mine", content: "two" }, folder.path, session)).toContain("replaced mine");
  });

  it("says how to replace what cannot be read first", async () => {
    writeFileSync(folder.at("image"), Buffer.from([0x89, 0x50, 0, 1]));
    expect((await failureOf(tool, { path: "image", content: "x" }, folder.path)).message).toMatch(
      /binary[^]*Move it away/,
    );
    writeFileSync(folder.at("huge"), "");
    truncateSync(folder.at("huge"), 68_157_440);
    expect((await failureOf(tool, { path: "huge", content: "x" }, folder.path)).message).toMatch(
      /68157440 bytes[^]*move/i,
    );
  });

  it("reports the digest of what it wrote, by the path with links followed", async () => {
    mkdirSync(folder.at("real"));
    symlinkSync("real", folder.at("dir"));
    symlinkSync("later/file", folder.at("real/dangling"));
    const { files } = await Effect.runPromise(callOf(tool, { path: "dir/dangling", content: "é" }, folder.path));
    expect(files).toEqual([{ path: folder.at("real/later/file"), digest: digestOf("é") }]);
  });

  it("removes what a killed process left of an earlier write of the file, once it is old, and nothing else", async () => {
    await write("file", "one");
    const prefix = `.kumiko-${digestOf("file").slice(0, 16)}-`;
    const hourAgo = new Date(Date.now() - 3_700_000);
    const leftovers = [
      `${prefix}0123456789abcdef.tmp`,
      `${prefix}fedcba9876543210.tmp`,
      `${prefix}mine`,
      ".kumiko-x.tmp",
    ];
    for (const name of leftovers) writeFileSync(folder.at(name), "");
    for (const name of leftovers.filter((_, at) => at !== 1)) utimesSync(folder.at(name), hourAgo, hourAgo);
    await write("file", "two");
    expect(readdirSync(folder.path).toSorted()).toEqual([...leftovers.slice(1), "file"].toSorted());
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
