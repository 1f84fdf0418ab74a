import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { soak } from "../../../tools/soak/runs.ts";
import { fileEdit } from "../src/fileEdit.node.ts";
import { fileWrite } from "../src/fileWrite.node.ts";
import { type FileRestoration, restoreStep } from "../src/RestorePlan.ts";
import { previewRestore, restoreFiles } from "../src/restoreFiles.node.ts";
import { callOf, digestOf, know, newSession, prepared, type TempFolder, tempFolder } from "./runTool.ts";

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
});
afterEach(() => folder[Symbol.asyncDispose]());
const put = (name: string, content: string, mode = 0o644): void => {
  mkdirSync(dirname(folder.at(name)), { recursive: true });
  writeFileSync(folder.at(name), content);
  chmodSync(folder.at(name), mode);
};
const content = (name: string): string => readFileSync(folder.at(name), "utf8");
const modeOf = (name: string): number => statSync(folder.at(name)).mode & 0o7777;

/** A file that was to hold `before` (`null`: was not to be), and that the session left with `after`. */
const file = (name: string, before: string | null, after: string | null, mode = 0o644): FileRestoration => ({
  path: folder.at(name),
  target: before === null ? null : { digest: digestOf(before), mode, bytes: Buffer.from(before) },
  expectedDigest: after === null ? null : digestOf(after),
});
const outcomes = async (...files: ReadonlyArray<FileRestoration>): Promise<ReadonlyArray<string>> =>
  (await restoreFiles(files)).map(({ detail, outcome }) => (detail === undefined ? outcome : `${outcome}: ${detail}`));

describe("restoreFiles", () => {
  it("restores bytes and modes, removes what was not there, makes folders that are gone", async () => {
    put("changed", "new", 0o600);
    put("made", "made by the session");
    put("mode-only", "same", 0o600);
    put("untouched", "as it was");
    const files = [
      file("changed", "old\u0000\ufffd", "new", 0o751),
      file("made", null, "made by the session"),
      file("gone/deep/file", "it was here", null, 0o640),
      file("mode-only", "same", "same", 0o444),
      file("untouched", "as it was", "as it was"),
      file("never", null, null),
    ];
    const expected = ["restored", "restored", "restored", "restored", "unchanged", "unchanged"];
    expect((await previewRestore(files)).map(({ outcome }) => outcome)).toEqual(expected);
    expect([content("changed"), modeOf("mode-only"), existsSync(folder.at("gone"))]).toEqual(["new", 0o600, false]);
    expect(await outcomes(...files)).toEqual(expected);
    expect([content("changed"), modeOf("changed")]).toEqual(["old\u0000\ufffd", 0o751]);
    expect([content("gone/deep/file"), modeOf("gone/deep/file")]).toEqual(["it was here", 0o640]);
    expect(modeOf("mode-only")).toBe(0o444);
    expect(readdirSync(folder.path).toSorted()).toEqual(["changed", "gone", "mode-only", "untouched"]);
    // A second time there is nothing left to do.
    expect(new Set(await outcomes(...files))).toEqual(new Set(["unchanged"]));
  });

  it("leaves the work of others alone and says so, unless it is told to undo that too", async () => {
    put("edited", "edited by hand");
    put("appeared", "made by hand");
    const files = [
      file("edited", "old", "new"),
      file("appeared", null, "new"),
      file("removed", "old", "new"),
      file("in-the-way", null, null),
    ];
    put("in-the-way", "of somebody");
    expect(await outcomes(...files)).toEqual([
      "conflict: it was changed since.",
      "conflict: it was changed since.",
      "conflict: it was removed since.",
      "conflict: there is a file now that the session did not make.",
    ]);
    expect([content("edited"), content("appeared"), existsSync(folder.at("removed"))]).toEqual([
      "edited by hand",
      "made by hand",
      false,
    ]);
    expect((await previewRestore(files, { force: true })).map(({ outcome }) => outcome)).toEqual(
      Array(4).fill("restored"),
    );
    expect((await restoreFiles(files, { force: true })).map(({ outcome }) => outcome)).toEqual(
      Array(4).fill("restored"),
    );
    expect([content("edited"), content("removed"), readdirSync(folder.path).toSorted()]).toEqual([
      "old",
      "old",
      ["edited", "removed"],
    ]);
  });

  it("replaces nothing that is no file by now, not even when told to", async () => {
    put("target", "of the link");
    mkdirSync(folder.at("folder"));
    symlinkSync("target", folder.at("link"));
    mkdirSync(folder.at("real"));
    put("real/file", "new");
    symlinkSync("real", folder.at("dir"));
    put("plain", "x");
    const files = [
      file("folder", "old", "new"),
      file("link", "old", "of the link"),
      file("dir/file", "old", "new"),
      file("plain/below", "old", "new"),
    ];
    const said = (await restoreFiles(files, { force: true })).map(({ detail, outcome }) => `${outcome}: ${detail}`);
    expect(said).toEqual([
      "conflict: it is a folder now.",
      "conflict: it is a symbolic link now.",
      "conflict: a folder of its path is a symbolic link now.",
      "conflict: a folder of its path is a file now.",
    ]);
    expect([content("target"), content("real/file"), lstatSync(folder.at("link")).isSymbolicLink()]).toEqual([
      "of the link",
      "new",
      true,
    ]);
  });

  it("says what cannot be restored, and goes on with the rest", async () => {
    put("large", "new");
    put("damaged", "new");
    put("last", "new");
    const { bytes: _, ...withoutBytes } = file("large", "old", "new").target ?? { digest: "", mode: 0 };
    const damaged = { digest: digestOf("old"), mode: 0o644, bytes: Buffer.from("odd") };
    expect(
      await outcomes(
        { ...file("large", "old", "new"), target: withoutBytes },
        { ...file("damaged", "old", "new"), target: damaged },
        { path: "/proc/kumiko/x", target: damaged, expectedDigest: null },
        { path: "/proc/kumiko", target: { ...damaged, bytes: Buffer.from("old") }, expectedDigest: null },
        file("last", "old", "new"),
      ),
    ).toEqual([
      "failed: its content before was too large to be kept.",
      "failed: the content that was kept is damaged.",
      "failed: the content that was kept is damaged.",
      expect.stringMatching(/^failed: .*\(E[A-Z]+\)/),
      "restored",
    ]);
    expect(content("last")).toBe("old");
  });

  it("undoes what the tools did, by what they prepared", async () => {
    put("kept", "one\n", 0o700);
    const session = newSession();
    await know(session, folder.at("kept"));
    const calls = [
      [fileEdit(), { path: "kept", edits: [{ old: "one", new: "two" }] }],
      [fileWrite(), { path: "kept", content: "three" }],
      [fileWrite(), { path: "new/file", content: "x" }],
    ] as const;
    const files = new Map<string, FileRestoration>();
    for (const [tool, input] of calls) {
      for (const change of await Effect.runPromise(prepared(tool, input, folder.path, session))) {
        const { before, beforeBytes: bytes } = change;
        const target = before === null ? null : { ...before, ...(bytes === undefined ? {} : { bytes }) };
        const first = files.get(change.path)?.target;
        const expectedDigest = change.after?.digest ?? null;
        files.set(change.path, { path: change.path, target: first === undefined ? target : first, expectedDigest });
      }
      await Effect.runPromise(callOf(tool, input, folder.path, session));
    }
    expect(await outcomes(...files.values())).toEqual(["restored", "restored"]);
    expect([content("kept"), modeOf("kept"), existsSync(folder.at("new/file"))]).toEqual(["one\n", 0o700, false]);
  });

  it("decides by what is there: never a change of somebody else's work without force", () => {
    const digest = fc.constantFrom("a", "b", "c");
    const state = fc.record({ digest, mode: fc.constantFrom(0o600, 0o644), sizeBytes: fc.constant(1) });
    const target = fc.option(
      fc.record({ digest, mode: fc.constantFrom(0o600, 0o644), bytes: fc.constant(new Uint8Array(1)) }),
    );
    fc.assert(
      fc.property(
        target,
        fc.option(digest),
        fc.option(state),
        fc.boolean(),
        (wanted, expectedDigest, current, force) => {
          const step = restoreStep({ path: "/x", target: wanted, expectedDigest }, current, { force });
          const isThere = (current?.digest ?? null) === (wanted?.digest ?? null);
          const isForeign = !isThere && (current?.digest ?? null) !== expectedDigest;
          expect(step.type === "conflict").toBe(isForeign && !force);
          expect(step.type === "unchanged").toBe(isThere && (wanted === null || current?.mode === wanted.mode));
          if (step.type === "remove") expect(wanted).toBeNull();
          if (step.type === "write") expect(step).toMatchObject({ bytes: wanted?.bytes, mode: wanted?.mode });
        },
      ),
      { seed: soak.seed, numRuns: soak.numRuns },
    );
  });

  it("leaves nothing behind beside a file it cannot put in its place", async () => {
    put("file", "new");
    rmSync(folder.at("file"));
    mkdirSync(folder.at("file"));
    await restoreFiles([file("file", "old", "new")], { force: true });
    expect(readdirSync(folder.path)).toEqual(["file"]);
  });
});
