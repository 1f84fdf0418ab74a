import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { FileChange, Json, Tool } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fileEdit } from "../src/fileEdit.node.ts";
import { fileWrite } from "../src/fileWrite.node.ts";
import {
  callOf,
  digestOf,
  know,
  lookedUp,
  newSession,
  prepared,
  preparedCall,
  type Session,
  type TempFolder,
  tempFolder,
} from "./runTool.ts";

let folder: TempFolder;
let session: Session;
beforeEach(async () => {
  folder = await tempFolder();
  session = newSession();
});
afterEach(() => folder[Symbol.asyncDispose]());
const prepare = (tool: Tool, input: Json): Promise<ReadonlyArray<FileChange>> =>
  Effect.runPromise(prepared(tool, input, folder.path, session));
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

// One call of each tool that makes "new\n" of "old\n".
const calls: ReadonlyArray<readonly [name: string, tool: Tool, input: Json]> = [
  ["file_write", fileWrite(), { path: "file", content: "new\n" }],
  ["file_edit", fileEdit(), { path: "file", edits: [{ old: "old", new: "new" }] }],
];

describe.each(calls)("the recovery of %s", (_, tool, input) => {
  beforeEach(async () => {
    writeFileSync(folder.at("file"), "old\n");
    chmodSync(folder.at("file"), 0o750);
    await know(session, folder.at("file"));
  });

  it("prepares what will change, and changes nothing", async () => {
    const [change] = await prepare(tool, input);
    expect(change).toEqual({
      path: folder.at("file"),
      before: { digest: digestOf("old\n"), mode: 0o750, sizeBytes: 4 },
      beforeBytes: Buffer.from("old\n"),
      after: { digest: digestOf("new\n") },
    });
    expect(readFileSync(folder.at("file"), "utf8")).toBe("old\n");
    expect(readdirSync(folder.path)).toEqual(["file"]);
    expect(Result.getOrThrow(tool.inspect(input, folder.path)).recovery).toBe("lookup");
  });

  it("names the file behind links", async () => {
    mkdirSync(folder.at("below"));
    symlinkSync("../file", folder.at("below/link"));
    symlinkSync("below", folder.at("also"));
    const linked = { ...Object(input), path: "also/link" };
    expect((await prepare(tool, linked))[0]?.path).toBe(folder.at("file"));
  });

  it("finds out that the call was carried out, with what the session has to know", async () => {
    const changes = await prepare(tool, input);
    expect(await lookedUp(tool, input, folder.path, changes)).toEqual({ type: "notDone" });
    const { files } = await Effect.runPromise(callOf(tool, input, folder.path, session));
    const recovered = await lookedUp(tool, input, folder.path, changes);
    expect(recovered).toMatchObject({ type: "done", output: { files } });
    expect(JSON.stringify(recovered)).toMatch(/file holds the new content \(4 bytes\)/);
  });

  it("says what it found where the file is neither as before nor as it would have become", async () => {
    const changes = await prepare(tool, input);
    appendFileSync(folder.at("file"), "more");
    expect(await lookedUp(tool, input, folder.path, changes)).toMatchObject({
      type: "unknown",
      detail: expect.stringMatching(/file: it holds something else \(8 bytes\)\. That is neither/),
    });
    rmSync(folder.at("file"));
    expect(await lookedUp(tool, input, folder.path, changes)).toMatchObject({
      type: "unknown",
      detail: expect.stringContaining("file: it is gone"),
    });
    mkdirSync(folder.at("file"));
    expect(await lookedUp(tool, input, folder.path, changes)).toMatchObject({
      type: "unknown",
      detail: expect.stringContaining("it is a folder"),
    });
    expect(await lookedUp(tool, input, folder.path, [])).toMatchObject({ type: "unknown" });
  });

  it("carries out what was prepared", async () => {
    // Left alone for a while, or just written: the plan is used again, or made anew.
    for (const wait of [settled, () => Promise.resolve()]) {
      writeFileSync(folder.at("file"), "old\n");
      await know(session, folder.at("file"));
      await wait();
      const output = await Effect.runPromise(preparedCall(tool, input, folder.path, session));
      expect(output.files).toEqual([{ path: folder.at("file"), digest: digestOf("new\n") }]);
      expect(readFileSync(folder.at("file"), "utf8")).toBe("new\n");
    }
  });

  it("leaves a file alone that changed after it was prepared", async () => {
    for (const wait of [settled, () => Promise.resolve()]) {
      writeFileSync(folder.at("file"), "old\n");
      await know(session, folder.at("file"));
      await wait();
      const call = preparedCall(tool, input, folder.path, session, () => writeFileSync(folder.at("file"), "odd\n"));
      expect(await Effect.runPromise(Effect.flip(call))).toMatchObject({
        kind: "refused",
        detail: expect.stringContaining("changed"),
      });
      expect(readFileSync(folder.at("file"), "utf8")).toBe("odd\n");
    }
  });

  it("does not write to another file than was prepared", async () => {
    writeFileSync(folder.at("other"), "old\n");
    symlinkSync("file", folder.at("link"));
    await know(session, folder.at("other"));
    await settled();
    const call = preparedCall(tool, { ...Object(input), path: "link" }, folder.path, session, () => {
      rmSync(folder.at("link"));
      symlinkSync("other", folder.at("link"));
    });
    expect(await Effect.runPromise(Effect.flip(call))).toMatchObject({ kind: "refused" });
    expect(readFileSync(folder.at("other"), "utf8")).toBe("old\n");
  });

  it("prepares no change of a file that the session has not read", async () => {
    session.known.clear();
    const failure = await Effect.runPromise(Effect.flip(prepared(tool, input, folder.path, session)));
    expect(failure.message).toContain("file_read");
  });
});

describe("the recovery of file_write", () => {
  const tool = fileWrite();

  it("tells a new file that was written from one that was not, its folders made or not", async () => {
    const input = { path: "a/b", content: "new" };
    const changes = await prepare(tool, input);
    expect(changes).toEqual([{ path: folder.at("a/b"), before: null, after: { digest: digestOf("new") } }]);
    expect(readdirSync(folder.path)).toEqual([]);
    expect(await lookedUp(tool, input, folder.path, changes)).toEqual({ type: "notDone" });
    mkdirSync(folder.at("a"));
    expect(await lookedUp(tool, input, folder.path, changes)).toEqual({ type: "notDone" });
    await Effect.runPromise(callOf(tool, input, folder.path));
    expect(await lookedUp(tool, input, folder.path, changes)).toMatchObject({ type: "done" });
    rmSync(folder.at("a"), { recursive: true });
    writeFileSync(folder.at("a"), "a file where the folder was to be");
    expect(await lookedUp(tool, input, folder.path, changes)).toEqual({ type: "notDone" });
  });

  it("counts a file that held the new content already as done", async () => {
    writeFileSync(folder.at("same"), "content");
    await know(session, folder.at("same"));
    const input = { path: "same", content: "content" };
    const changes = await prepare(tool, input);
    expect(changes[0]?.before?.digest).toBe(changes[0]?.after?.digest);
    expect(await lookedUp(tool, input, folder.path, changes)).toMatchObject({ type: "done" });
  });

  it("keeps the content before of files up to 10 MB", async () => {
    const limit = 10 * 1024 * 1024;
    for (const [size, isKept] of [
      [limit, true],
      [limit + 1, false],
    ] as const) {
      const content = Buffer.alloc(size, "x");
      writeFileSync(folder.at("large"), content);
      await know(session, folder.at("large"));
      const [change] = await prepare(tool, { path: "large", content: "" });
      expect(change?.before).toMatchObject({ digest: digestOf(content), sizeBytes: size });
      expect(change?.beforeBytes !== undefined).toBe(isKept);
    }
  });
});
