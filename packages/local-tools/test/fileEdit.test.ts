import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileEdit } from "../src/fileEdit.node.ts";
import { fileRead } from "../src/fileRead.node.ts";
import { fileWrite } from "../src/fileWrite.node.ts";
import {
  callOf,
  digestOf,
  failureOf,
  know,
  newSession,
  run,
  type Session,
  type TempFolder,
  tempFolder,
} from "./runTool.ts";

const tool = fileEdit();
let folder: TempFolder;
let session: Session;
beforeEach(async () => {
  folder = await tempFolder();
  session = newSession();
});
afterEach(() => folder[Symbol.asyncDispose]());
const edit = (path: string, old: string, added: string): Promise<string> =>
  run(tool, { path, edits: [{ old, new: added }] }, folder.path, session);
const failure = (path: string, old = "a", added = "b") =>
  failureOf(tool, { path, edits: [{ old, new: added }] }, folder.path, session);

describe("file_edit", () => {
  it("edits a file that was read, and shows what changed", async () => {
    writeFileSync(folder.at("main.ts"), "const a = 1;\nconst b = 2;\n");
    await run(fileRead(), { path: "main.ts", limit: 1 }, folder.path, session);
    expect(await edit("main.ts", "b = 2", "b = 20")).toBe(
      "edited main.ts: 1 place (26 → 27 bytes)\n@@ line 2 @@\n-const b = 2;\n+const b = 20;",
    );
    // What it wrote itself it knows.
    await edit("main.ts", "a = 1", "a = 10");
    expect(readFileSync(folder.at("main.ts"), "utf8")).toBe("const a = 10;\nconst b = 20;\n");
  });

  it("edits what file_write wrote, and the other way round", async () => {
    await run(fileWrite(), { path: "x", content: "one" }, folder.path, session);
    await edit("x", "one", "two");
    await run(fileWrite(), { path: "x", content: "three" }, folder.path, session);
    expect(readFileSync(folder.at("x"), "utf8")).toBe("three");
  });

  it("refuses a file that was never read, or changed since, and says to read it", async () => {
    writeFileSync(folder.at("file"), "a");
    expect((await failure("file")).message).toMatch(/has not read it\. Read it with file_read first/);
    await run(fileRead(), { path: "file" }, folder.path, session);
    appendFileSync(folder.at("file"), "more");
    expect(await failure("file")).toMatchObject({ kind: "refused" });
    expect((await failure("file")).message).toMatch(/changed on disk[^]*Read it again with file_read/);
    await run(fileRead(), { path: "file" }, folder.path, session);
    expect(await edit("file", "amore", "b")).toContain("edited file");
  });

  it("does all edits of a call or none", async () => {
    writeFileSync(folder.at("file"), "one two\n");
    await know(session, folder.at("file"));
    const edits = [
      { old: "one", new: "1" },
      { old: "three", new: "3" },
    ];
    const failed = await failureOf(tool, { path: "file", edits }, folder.path, session);
    expect(failed).toMatchObject({ kind: "validation" });
    expect(failed.message).toMatch(/file: edit 2 of 2: old is not there/);
    expect(readFileSync(folder.at("file"), "utf8")).toBe("one two\n");
  });

  it("keeps mode, links and every byte that is not edited", async () => {
    writeFileSync(folder.at("run.sh"), "\ufeff#!/bin/sh\r\necho a\r\n");
    chmodSync(folder.at("run.sh"), 0o751);
    symlinkSync("run.sh", folder.at("link"));
    await know(session, folder.at("run.sh"));
    const output = await Effect.runPromise(
      callOf(tool, { path: "link", edits: [{ old: "echo a\n", new: "echo b\necho c\n" }] }, folder.path, session),
    );
    const content = "\ufeff#!/bin/sh\r\necho b\r\necho c\r\n";
    expect(readFileSync(folder.at("run.sh"), "utf8")).toBe(content);
    expect(output.files).toEqual([{ path: folder.at("run.sh"), digest: digestOf(content) }]);
    expect(statSync(folder.at("run.sh")).mode & 0o7777).toBe(0o751);
    expect(lstatSync(folder.at("link")).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder.path).toSorted()).toEqual(["link", "run.sh"]);
  });

  it("refuses what is no text file, and says why", async () => {
    mkdirSync(folder.at("dir"));
    execFileSync("mkfifo", [folder.at("pipe")]);
    writeFileSync(folder.at("utf16"), Buffer.from("\ufeffa", "utf16le"));
    writeFileSync(folder.at("latin1"), Buffer.from("caf\xe9", "latin1"));
    await know(session, folder.at("utf16"), folder.at("latin1"));
    for (const [path, said] of [
      ["dir", "it is a folder"],
      ["pipe", "it is a named pipe"],
      ["/dev/null", "it is a device"],
      ["missing", "no such file"],
      ["utf16", "UTF-16"],
      ["latin1", "not UTF-8"],
      ["", "empty"],
      ["a\0b", "NUL"],
    ] as const)
      expect((await failure(path)).message).toContain(said);
    writeFileSync(folder.at("huge"), "");
    truncateSync(folder.at("huge"), 68_157_440);
    expect((await failure("huge")).message).toContain("only files up to 67108864 bytes are changed");
  });

  it("declares what it writes, and one effect for the same edits", () => {
    const inspect = (path: string, added: string) =>
      Result.getOrThrow(tool.inspect({ path, edits: [{ old: "a", new: added }] }, folder.path));
    expect(inspect("x/../y", "b")).toMatchObject({
      risk: "local-write",
      recovery: "lookup",
      resources: [{ key: `file:${folder.at("y")}`, mode: "write" }],
      effectKey: inspect("./y", "b").effectKey,
    });
    expect(inspect("y", "c").effectKey).not.toBe(inspect("y", "b").effectKey);
    for (const edits of [[], [{ old: "", new: "x" }], [{ old: "a" }], [{ old: "a", new: "b", all: true }]])
      expect(Result.isFailure(tool.inspect({ path: "y", edits }, folder.path))).toBe(true);
  });
});
