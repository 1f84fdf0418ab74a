import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Result from "effect/Result";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { fileRead } from "../src/fileRead.node.ts";
import { callOf, digestOf, failureOf, run, tempFolder } from "./runTool.ts";

const folder = await tempFolder();
afterAll(() => folder[Symbol.asyncDispose]());
const tool = fileRead();
const put = (name: string, content: string | Uint8Array): void => writeFileSync(folder.at(name), content);
const read = (input: { readonly path: string; readonly offset?: number; readonly limit?: number }): Promise<string> =>
  run(tool, input, folder.path);

describe("file_read", () => {
  it("numbers the lines, from an offset and up to a limit, and says how to read on", async () => {
    put("four.txt", "one\ntwo\nthree\nfour\n");
    expect(await read({ path: "four.txt" })).toBe("1\tone\n2\ttwo\n3\tthree\n4\tfour");
    expect(await read({ path: "four.txt", offset: 2, limit: 2 })).toBe(
      "2\ttwo\n3\tthree\n(more follows: read on with offset 4)",
    );
    expect(await read({ path: "four.txt", offset: 3, limit: 2 })).toBe("3\tthree\n4\tfour");
    expect(await read({ path: "four.txt", offset: 9 })).toBe("(the file has 4 lines; offset 9 is past its end)");
    put("open-end.txt", "a\n\nb");
    expect(await read({ path: "open-end.txt" })).toBe("1\ta\n2\t\n3\tb");
  });

  it("labels what is empty, ends its lines in CRLF, or is no UTF-8", async () => {
    put("empty", "");
    expect(await read({ path: "empty" })).toBe("(the file is empty)");
    put("crlf", "a\r\nb\r\n");
    expect(await read({ path: "crlf" })).toBe("1\ta\n2\tb\n(the lines end in CRLF)");
    put("latin1", Buffer.from("caf\xe9\n", "latin1"));
    expect(await read({ path: "latin1" })).toBe(
      "1\tcaf\u00e9\n(not all of it is UTF-8: such lines are read as Latin-1; file_edit knows UTF-8 only)",
    );
    put("neither", Buffer.from("caf\x85\xc3\n", "latin1"));
    expect(await read({ path: "neither" })).toMatch(/what cannot be read is shown as \ufffd/);
  });

  it("gives every line of any text, however its bytes fall into chunks", async () => {
    const text = fc.array(fc.stringMatching(/^[aä語😀 ]{0,9}$/u), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 65_530, max: 65_537 }), async (lines, padding) => {
        // The padding moves the lines across the border of the first chunk.
        put("any", `${"x\n".repeat(padding / 2)}${lines.join("\n")}\n`);
        const first = Math.floor(padding / 2) + 1;
        expect(await read({ path: "any", offset: first })).toBe(
          lines.map((line, at) => `${first + at}\t${line}`).join("\n"),
        );
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it("cuts long lines at a whole character and shows a bounded part of large files", async () => {
    put("long", `${"ä".repeat(5000)}\nnext\n`);
    const [line = "", next] = (await read({ path: "long" })).split("\n");
    expect(line).toMatch(/^1\tä{1000} … \(cut: 8000 more bytes in this line\)$/);
    expect(next).toBe("2\tnext");
    put("odd", `x${"ä".repeat(5000)}\n`);
    expect(await read({ path: "odd" })).toContain(`${"ä".repeat(10)} … (cut: 8002 more bytes`);
    put("large", `${"y".repeat(999)}\n`.repeat(3000));
    const part = await read({ path: "large" });
    expect(part.length).toBeLessThan(102_000);
    const next2 = /read on with offset (\d+)\)$/.exec(part)?.[1];
    expect(await read({ path: "large", offset: Number(next2), limit: 1 })).toContain(`${next2}\tyyy`);
    put("one-line", Buffer.alloc(50_000_000, "z"));
    expect((await read({ path: "one-line" })).length).toBeLessThan(3000);
  });

  it("refuses binary files and says what they are", async () => {
    put("binary", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
    expect(await failureOf(tool, { path: "binary" }, folder.path)).toMatchObject({ kind: "refused" });
    put("document", Buffer.from("%PDF-1.7\n\0"));
    expect((await failureOf(tool, { path: "document" }, folder.path)).message).toMatch(/PDF document.*pdftotext/);
  });

  it("reads UTF-16 by its mark, in either order", async () => {
    const text = "\ufeffeins\r\nzwei \u{1f600}\n";
    const little = Buffer.from(text, "utf16le");
    put("utf16", little);
    put("big", Buffer.from(little).swap16());
    expect(await read({ path: "utf16" })).toBe(
      "1\teins\n2\tzwei \u{1f600}\n(some lines end in CRLF)\n(the file is UTF-16LE; file_edit and file_write know UTF-8 only)",
    );
    expect(await read({ path: "big", offset: 2 })).toContain("2\tzwei \u{1f600}\n(the file is UTF-16BE");
    put("large", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(17 * 1024 * 1024)]));
    expect((await failureOf(tool, { path: "large" }, folder.path)).message).toMatch(/UTF-16 text.*Convert it/);
  });

  it("shows images, recognised by what they hold, up to a size", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAIAAAA2iEnWAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==",
      "base64",
    );
    put("picture.txt", png);
    const output = await Effect.runPromise(callOf(tool, { path: "picture.txt" }, folder.path));
    expect(output).toMatchObject({
      text: `(PNG image, 2 × 3, ${png.length} bytes)`,
      images: [{ type: "image", mediaType: "image/png", data: png.toString("base64") }],
    });
    for (const [bytes, type] of [
      [Buffer.from("\xff\xd8\xff\xe0\0\x10JFIF", "latin1"), "image/jpeg"],
      [Buffer.from("GIF89a\x01\0\x02\0", "latin1"), "image/gif"],
      [Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1"), "image/webp"],
    ] as const) {
      put("image", bytes);
      const { images } = await Effect.runPromise(callOf(tool, { path: "image" }, folder.path));
      expect(images?.[0]?.mediaType).toBe(type);
    }
    put("huge.png", Buffer.concat([png, Buffer.alloc(3_500_000)]));
    expect((await failureOf(tool, { path: "huge.png" }, folder.path)).message).toMatch(/PNG image.*smaller copy/);
    put("truncated.png", png.subarray(0, 9));
    expect(await read({ path: "truncated.png" })).toBe("(PNG image, 9 bytes)");
  });

  it("comes to an end with a file that grows while it is read", async () => {
    const child = spawn("sh", ["-c", `while :; do echo "a line that is written again and again"; done >> grows`], {
      cwd: folder.path,
      stdio: "ignore",
    });
    try {
      while ((statSync(folder.at("grows"), { throwIfNoEntry: false })?.size ?? 0) < 1000)
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect(await read({ path: "grows", limit: 3 })).toMatch(/^1\ta line[^]*\n3\ta line.*\n\(more follows/);
    } finally {
      child.kill();
    }
  });

  it("refuses folders, pipes, sockets and devices at once", async () => {
    mkdirSync(folder.at("dir"));
    execFileSync("mkfifo", [folder.at("pipe")]);
    symlinkSync(folder.at("pipe"), folder.at("to-pipe"));
    const server = createServer().listen(folder.at("socket"));
    await once(server, "listening");
    for (const [path, what] of [
      ["dir", "it is a folder"],
      ["pipe", "it is a named pipe"],
      ["to-pipe", "it is a named pipe"],
      ["socket", "it is a socket"],
      ["/dev/zero", "it is a device"],
      ["/dev/tty", "it is a device"],
    ] as const)
      expect((await failureOf(tool, { path }, folder.path)).message).toContain(`${path}: ${what}`);
    server.close();
  });

  it("says what is wrong with a path, and what to do", async () => {
    symlinkSync("loop-b", folder.at("loop-a"));
    symlinkSync("loop-a", folder.at("loop-b"));
    symlinkSync("nowhere", folder.at("dangling"));
    put("file", "x");
    for (const [path, code] of [
      ["missing", "ENOENT"],
      ["dangling", "ENOENT"],
      ["file/below", "ENOTDIR"],
      ["n".repeat(300), "ENAMETOOLONG"],
      ["loop-a", "ELOOP"],
      ["", "empty"],
      ["a\0b", "NUL"],
    ] as const) {
      const failure = await failureOf(tool, { path }, folder.path);
      expect(failure).toMatchObject({ kind: "validation" });
      expect(failure.message).toContain(code);
      expect(failure.hint).not.toBe("");
    }
  });

  it("reads names that lines cannot hold, files without a size, and through links", async () => {
    const odd = 'a\nb "q" \u0007';
    put(odd, "odd");
    expect(await read({ path: odd })).toBe("1\todd");
    expect((await failureOf(tool, { path: `${odd}x` }, folder.path)).message).toContain(
      '"a\\nb \\"q\\" \\u0007x": there is no such',
    );
    expect(await read({ path: "/proc/self/status" })).toContain("1\tName:");
    put("target", "through");
    symlinkSync("target", folder.at("link"));
    expect(await read({ path: "link" })).toBe("1\tthrough");
  });

  it("starts at the run's folder, and declares what it reads", async () => {
    mkdirSync(folder.at("sub"));
    put("sub/x", "below");
    expect(await run(tool, { path: "./y/../x" }, folder.at("sub"))).toBe("1\tbelow");
    expect(await run(tool, { path: folder.at("sub", "x") }, "/")).toBe("1\tbelow");
    const inspected = Result.getOrThrow(tool.inspect({ path: "y/../x" }, folder.path));
    expect(inspected).toMatchObject({ risk: "read", resources: [{ key: `file:${folder.at("x")}`, mode: "read" }] });
    expect(tool.cacheable).toBe(true);
  });

  it("reports the digest of the whole file, also when a part of it is shown", async () => {
    const filesOf = async (input: { readonly path: string; readonly limit?: number }) =>
      (await Effect.runPromise(callOf(tool, input, folder.path))).files;
    const content = `first\n${"x".repeat(300_000)}\n${"last\n".repeat(100_000)}`;
    put("whole", content);
    symlinkSync("whole", folder.at("to-whole"));
    expect(await filesOf({ path: "to-whole", limit: 1 })).toEqual([
      { path: folder.at("whole"), digest: digestOf(content) },
    ]);
    put("nothing", "");
    expect(await filesOf({ path: "nothing" })).toEqual([{ path: folder.at("nothing"), digest: digestOf("") }]);
  });

  it("reports no digest of files over 64 MB, nor of the beginning of what has no size", async () => {
    const limit = 64 * 1024 * 1024;
    for (const [name, size] of [
      ["at-limit", limit],
      ["over-limit", limit + 1],
    ] as const) {
      put(name, "line\n".repeat(3000));
      appendFileSync(folder.at(name), Buffer.alloc(size - 15_000, "z"));
    }
    const filesOf = async (path: string) =>
      (await Effect.runPromise(callOf(tool, { path, limit: 1 }, folder.path))).files?.length;
    expect(await filesOf("at-limit")).toBe(1);
    expect(await filesOf("over-limit")).toBeUndefined();
    expect(await filesOf("/proc/self/smaps")).toBeUndefined();
  });

  it("stops when interrupted", async () => {
    const piece = "q".repeat(1024 * 1024);
    for (let at = 0; at < 200; at++) appendFileSync(folder.at("huge"), piece);
    const fiber = Effect.runFork(callOf(tool, { path: "huge", offset: 5 }, folder.path));
    await new Promise((resolve) => setImmediate(resolve));
    await Effect.runPromise(Fiber.interrupt(fiber));
    expect(fiber.pollUnsafe()?._tag).toBe("Failure");
  });
});
