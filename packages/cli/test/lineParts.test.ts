import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunEvent, RunEventBody } from "@kumiko/plugin-api";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { diffLines } from "../src/line/diffLines.ts";
import { type Frame, frameErased, frameUpdate } from "../src/line/Frame.ts";
import { withMentions } from "../src/line/mentions.ts";
import { RunLines } from "../src/line/RunLines.ts";
import { styleOf } from "../src/line/style.ts";
import { cleanUp, folder } from "./support.ts";

afterEach(cleanUp);

const trimmed = (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.slice(0, rows.findLastIndex((row) => row !== "") + 1);

/** A terminal that understands what is written to it, of so many rows that nothing scrolls out of it. */
const terminal = () => {
  const rows: Array<string> = [""];
  let [row, column] = [0, 0];
  const put = (text: string): void => {
    const line = (rows[row] ?? "").padEnd(column);
    rows[row] = line.slice(0, column) + text + line.slice(column + text.length);
    column += text.length;
  };
  return {
    write: (output: string): void => {
      // oxlint-disable-next-line no-control-regex -- what a terminal reads
      for (const [token, count, final] of output.matchAll(/\u001B\[\??(\d*)([A-Za-z])|\r|\n|[^\u001B\r\n]+/g)) {
        if (token === "\r") column = 0;
        else if (token === "\n") {
          row++;
          if (rows.length <= row) rows.push("");
        } else if (!token.startsWith("\u001B")) put(token);
        else if (final === "A") row -= Number(count || 1);
        else if (final === "B") row += Number(count || 1);
        else if (final === "C") column += Number(count || 1);
        else if (final === "K") rows[row] = "";
        else if (final === "J") {
          rows.length = row + 1;
          rows[row] = (rows[row] ?? "").slice(0, column);
        }
        if (row < 0) throw new Error("the cursor went above the screen");
      }
    },
    // Rows that are empty at the end cannot be told from what was never written.
    state: () => ({ rows: trimmed(rows), row, column }),
  };
};

const frames = fc
  .array(fc.constantFrom("", "> a", "> ab", "thinking", "status"), { minLength: 1, maxLength: 5 })
  .chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      cursor: fc.record({ row: fc.nat(rows.length - 1), column: fc.nat(5) }),
      columns: fc.constant(20),
    }),
  );

describe("the redrawn part of the screen", () => {
  it("stands below all lines that are done, whatever stood there before, and the cursor where it belongs", () => {
    const steps = fc.array(fc.tuple(frames, fc.array(fc.constantFrom("one", "two", ""), { maxLength: 2 })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(steps, (all) => {
        const screen = terminal();
        const done: Array<string> = [];
        let before: Frame | undefined;
        for (const [next, above] of all) {
          screen.write(frameUpdate(before, next, above));
          done.push(...above);
          before = next;
          expect(screen.state()).toEqual({
            rows: trimmed([...done, ...next.rows]),
            row: done.length + next.cursor.row,
            column: next.cursor.column,
          });
        }
        screen.write(frameErased(before, 20));
        expect(screen.state().rows).toEqual(trimmed(done));
      }),
    );
  });

  it("writes nothing where nothing changed, and never clears the screen", () => {
    const frame: Frame = { rows: ["> a", "status"], cursor: { row: 0, column: 3 }, columns: 20 };
    expect(frameUpdate(frame, { ...frame }, [])).toBe("");
    const changed = frameUpdate(frame, { ...frame, rows: ["> ab", "status"] }, []);
    expect(changed).not.toContain("status");
    // oxlint-disable-next-line no-control-regex -- what must not be written
    expect(frameUpdate(frame, { ...frame, columns: 10 }, ["x"])).not.toMatch(/\u001B\[(?:[23]J|H|\?1049)/);
  });
});

const stamp = (bodies: ReadonlyArray<RunEventBody>): ReadonlyArray<RunEvent> =>
  bodies.map((body, index) => ({
    schemaVersion: 1,
    runId: "r",
    sessionKey: "s",
    seq: index + 1,
    time: 1_000 * index,
    ...body,
  }));
const linesOf = (bodies: ReadonlyArray<RunEventBody>): { readonly text: string; readonly lines: RunLines } => {
  const lines = new RunLines({ style: styleOf(false), isPlain: false, columns: () => 60 });
  const text = stamp(bodies)
    .flatMap((event) => lines.take(event))
    .join("\n");
  return { text, lines };
};
const start: RunEventBody = { type: "lifecycle.start", model: "m", isRehearsal: false, cwd: "/w" };
const reply = (text: string): RunEventBody => ({
  type: "assistant.end",
  message: { role: "assistant", parts: [{ type: "text", text }] },
  usage: { inputTokens: 1, outputTokens: 1 },
});

describe("what is shown of a run", () => {
  it("is the same text however the deltas are split, once and whole", () => {
    const text = "# A\n\nfirst line\nsecond\n\n```\ncode  x\n```\nlast";
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 10 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
        const deltas = at
          .slice(1)
          .map((end, index): RunEventBody => ({ type: "assistant.delta", text: text.slice(at[index], end) }));
        expect(linesOf([start, ...deltas, reply(text)]).text).toBe(`\n${text}`);
      }),
    );
  });

  it("is the finished message where the deltas were another, and says when a reply was cut off", () => {
    expect(linesOf([start, { type: "assistant.delta", text: "wrong\nx" }, reply("right")]).text).toMatch(
      /wrong\n\n! the reply in full:\n\nright$/,
    );
    const failed: RunEventBody = { type: "model.failed", model: "m", reason: "network", detail: "reset", attempt: 1 };
    const { lines, text } = linesOf([start, { type: "assistant.delta", text: "ha\nlf" }, failed]);
    expect(text).toMatch(/ha\nlf\n! that reply was cut off, and does not count|ha\nlf\n\n! that reply/);
    expect(lines.tail).toEqual([]);
  });

  it("cannot steer the terminal, by text, call, result or reason", () => {
    const evil = "\u001B[2J\u001B]0;owned\u0007\u202E\r";
    const result = { type: "tool-result", callId: "c", name: `b${evil}`, status: "error", text: evil } as const;
    const { lines, text } = linesOf([
      start,
      { type: "assistant.delta", text: `${evil}\n${evil}` },
      { type: "tool.start", callId: "c", tool: "bash", input: { command: evil } },
      { type: "tool.update", callId: "c", text: evil },
      { type: "tool.end", callId: "c", tool: "bash", result, reused: false },
      { type: "plugin.failed", point: evil, detail: evil },
      { type: "loop.forceStop", reason: evil },
    ]);
    // oxlint-disable-next-line no-control-regex -- what must not be there
    expect(text + lines.tail.join("")).not.toMatch(/[\u001B\u0007\u202E\r]/);
    expect(text).toContain("\\x1b[2J");
  });
});

describe("the difference that is shown", () => {
  it("is bounded in work and width, and harmless", () => {
    const style = styleOf(false);
    const before = Array.from({ length: 20_000 }, (_, n) => `a${n}`).join("\n");
    const after = Array.from({ length: 20_000 }, (_, n) => `b${n}`).join("\n");
    expect(diffLines({ path: "x", before, after }, style, 40)[0]).toMatch(/^x \(replaced: 20000 lines by 20000 line…$/);
    const wide = diffLines({ path: "x", before: "", after: `${"日".repeat(100)}\u001B[2J\n` }, style, 40);
    for (const line of wide) expect(line.length).toBeLessThanOrEqual(60);
    expect(wide.join("")).not.toContain("\u001B");
    expect(diffLines({ path: "x", before: "a", after: "a\n" }, style, 40).join("\n")).toMatch(/No newline/);
  });
});

describe("files that a prompt names", () => {
  it("are put in where they are short texts; the others are named, and nothing is waited for", async () => {
    const cwd = folder();
    mkdirSync(join(cwd, "src"));
    writeFileSync(join(cwd, "a.md"), "```\ncode\n```\n");
    writeFileSync(join(cwd, "big.txt"), "x".repeat(200_000));
    writeFileSync(join(cwd, "image.png"), Buffer.from([0x89, 0x50, 0, 0xff]));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const { notes, text } = await withMentions("see @a.md, @src @big.txt @image.png @pipe @nowhere and me@home", cwd);
    expect(text).toBe(
      "see @a.md, @src @big.txt @image.png @pipe @nowhere and me@home\n\nContent of a.md:\n````\n```\ncode\n```\n````",
    );
    expect(notes).toEqual([
      "a.md is put in (4 lines)",
      "src is a folder: its name is given, not its content",
      "big.txt is larger than 100 KB: its name is given, not its content",
      "image.png is no UTF-8 text: its name is given, not its content",
      "pipe is no regular file: its name is given, not its content",
    ]);
  });
});
