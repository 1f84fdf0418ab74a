import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { complete } from "../src/line/complete.ts";
import { columnsOf, graphemesOf, proseRows, rowsOf, shownText } from "../src/line/columns.ts";
import { type Editor, emptyEditor, insert, offered, press, sent, withText } from "../src/line/Editor.ts";
import { editorRows } from "../src/line/editorRows.ts";
import { openHistory } from "../src/line/history.ts";
import { decodeKeys, type Key, lateKeys, noKeys } from "../src/line/Key.ts";
import { cleanUp, folder } from "./support.ts";

afterEach(cleanUp);

const key = (name: string): Key => ({ type: "key", name });
const typed = (text: string): Key => ({ type: "text", text });
const after = (keys: ReadonlyArray<Key>, from: Editor = emptyEditor()): Editor =>
  keys.reduce((editor, one) => press(editor, one).editor, from);
/** The text with a bar where the cursor is. */
const shown = ({ cursor, text }: Editor): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;
const decoded = (chunks: ReadonlyArray<string>): ReadonlyArray<Key> => {
  let decoding = noKeys;
  const keys: Array<Key> = [];
  for (const chunk of chunks) {
    const next = decodeKeys(decoding, chunk);
    keys.push(...next.keys);
    ({ decoding } = next);
  }
  return [...keys, ...lateKeys(decoding).keys];
};

const names = (
  "ctrl-a ctrl-b ctrl-c ctrl-d ctrl-e ctrl-f ctrl-g ctrl-j ctrl-k ctrl-l ctrl-n ctrl-p ctrl-r ctrl-t ctrl-u ctrl-w ctrl-y " +
  "left right up down home end backspace delete tab shift-tab esc enter alt-b alt-f alt-d alt-backspace alt-enter unknown"
).split(" ");
const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom("\n", "\u0301", "👩", "\u200D", "👧", "🇩", "🇪", "\uFE0F", "\u001B[2J", "\uD800", "日本", "\\"),
);
const anyKey: fc.Arbitrary<Key> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names).map(key) },
  { weight: 2, arbitrary: anyText.map(typed) },
  { weight: 1, arbitrary: anyText.map((text): Key => ({ type: "paste", text })) },
);

describe("keys", () => {
  it.each([
    ["a\r", [typed("a"), key("enter")]],
    ["\u001B\r\n", [key("alt-enter"), key("ctrl-j")]],
    [
      "\u001B[A\u001BOB\u001B[1;5C\u001B[3~\u001B[13;2u",
      ["up", "down", "ctrl-right", "delete", "shift-enter"].map(key),
    ],
    [
      "\u001Bb\u001B\u007F\u0001\u007F\t\u001B[Z",
      ["alt-b", "alt-backspace", "ctrl-a", "backspace", "tab", "shift-tab"].map(key),
    ],
    ["\u001B[200~a\rb\u001B[A\u001B[201~c", [{ type: "paste", text: "a\rb\u001B[A" }, typed("c")]],
    ["\u001B", [key("esc")]],
    ["\u001B[99;99;99t", [key("unknown")]],
  ])("of %j are what was pressed", (input, expected) => expect(decoded([input])).toEqual(expected));

  it("are the same however the input is cut", () => {
    const piece = fc.constantFrom(
      "\u001B[A",
      "\u001B[200~",
      "\u001B[201~",
      "x",
      "日",
      "\r",
      "\u001B",
      "\u001Bb",
      "\u001B[1;5D",
      "[",
      "O",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (pieces, cuts) => {
        const input = pieces.join("");
        const at = [0, ...cuts.map((cut) => Math.min(cut, input.length)).toSorted((a, b) => a - b), input.length];
        const chunks = at.slice(1).map((end, index) => input.slice(at[index], end));
        const plain = (keys: ReadonlyArray<Key>) =>
          keys.flatMap((one) => (one.type === "text" ? Array.from(one.text, typed) : [one]));
        expect(plain(decoded(chunks))).toEqual(plain(decoded([input])));
      }),
    );
  });

  it("that never end are dropped, and what follows is taken", () => {
    expect(decoded([`\u001B[${"1;".repeat(100)}`, "a"]).at(-1)).toEqual(typed("a"));
  });
});

describe("the line editor", () => {
  it("keeps its cursor between two graphemes and its text well-formed, whatever is pressed", () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 40 }), (keys) => {
        let editor = emptyEditor(["one", "zwei\nlines", "👩‍👧 x"]);
        for (const one of keys) {
          editor = press(editor, one).editor;
          expect(editor.text.isWellFormed()).toBe(true);
          // oxlint-disable-next-line no-control-regex -- what must not be there
          expect(editor.text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F]/);
          const before = editor.text.slice(0, editor.cursor);
          expect([...graphemesOf(before), ...graphemesOf(editor.text.slice(editor.cursor))].join("")).toBe(editor.text);
          const line = before.slice(before.lastIndexOf("\n") + 1);
          const rest = editor.text.slice(before.length).split("\n", 1)[0] ?? "";
          expect([...graphemesOf(line), ...graphemesOf(rest)]).toEqual(graphemesOf(line + rest));
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each<readonly [string, ReadonlyArray<Key>, string]>([
    ["moves by grapheme", [typed("a👩‍👧b"), key("left"), key("left"), typed("x")], "ax|👩‍👧b"],
    ["deletes a whole grapheme", [typed("ae\u0301"), key("backspace")], "a|"],
    [
      "goes to both ends of a line",
      [typed("one\ntwo"), key("ctrl-a"), typed("x"), key("ctrl-e"), typed("y")],
      "one\nxtwoy|",
    ],
    [
      "moves by words",
      [typed("ls -la foo.ts"), key("alt-b"), key("alt-b"), key("alt-b"), key("alt-f")],
      "ls -la| foo.ts",
    ],
    ["cuts and yanks", [typed("one two"), key("ctrl-w"), key("ctrl-a"), key("ctrl-y")], "two|one "],
    ["joins cuts that follow one another", [typed("a b c"), key("ctrl-w"), key("ctrl-w"), key("ctrl-y")], "a b c|"],
    [
      "cuts to the end of the line, then the break",
      [typed("a\nb"), key("up"), key("ctrl-a"), key("ctrl-k"), key("ctrl-k")],
      "|b",
    ],
    ["swaps", [typed("teh"), key("ctrl-t")], "the|"],
    ["breaks lines with a backslash", [typed("a\\"), key("enter"), typed("b")], "a\nb|"],
    ["breaks lines with Ctrl-J", [typed("a"), key("ctrl-j"), typed("b")], "a\nb|"],
    ["keeps the breaks of a paste, and sends nothing", [{ type: "paste", text: "a\r\nb\rc" }], "a\nb\nc|"],
    ["moves up a line, keeping the column", [typed("abc\nde"), key("up"), typed("x")], "abx|c\nde"],
    ["clears what is written on Ctrl-C", [typed("abc"), key("ctrl-c")], "|"],
  ])("%s", (_, keys, expected) => expect(shown(after(keys))).toBe(expected));

  it("says what is to be done", () => {
    const action = (keys: ReadonlyArray<Key>, last: string) => press(after(keys), key(last)).action;
    expect(action([typed("hi")], "enter")).toEqual({ type: "submit", text: "hi" });
    expect(action([typed("hi")], "alt-enter")).toEqual({ type: "followUp", text: "hi" });
    expect(action([], "ctrl-c")).toEqual({ type: "interrupt" });
    expect(action([], "ctrl-d")).toEqual({ type: "end" });
    expect(action([typed("x")], "ctrl-d")).toBeUndefined();
    expect(action([], "up")).toEqual({ type: "takeBack" });
  });

  it("walks through the history and back to what was being written", () => {
    const editor = after([typed("draft"), key("ctrl-p"), key("ctrl-p")], emptyEditor(["one", "two"]));
    expect(editor.text).toBe("one");
    expect(after([key("down"), key("down")], editor).text).toBe("draft");
    expect(after([key("ctrl-p"), key("ctrl-p"), key("ctrl-p")], editor).text).toBe("one");
  });

  it("finds in the history with Ctrl-R, again and again, and gives up on Esc", () => {
    const from = emptyEditor(["npm test", "git log", "npm run build"]);
    const found = after([typed("x"), key("ctrl-r"), typed("npm")], from);
    expect(found.text).toBe("npm run build");
    expect(after([key("ctrl-r")], found).text).toBe("npm test");
    expect(after([key("esc")], found).text).toBe("x");
    expect(shown(after([key("ctrl-a"), typed("! ")], found))).toBe("! |npm run build");
    expect(press(found, key("enter")).action).toEqual({ type: "submit", text: "npm run build" });
  });

  it("keeps of the history what is new, and no more than a thousand", () => {
    let editor = emptyEditor();
    for (let n = 0; n < 1_005; n++) editor = sent(editor, `line ${n}`);
    expect(sent(sent(editor, "line 1004"), " ").history).toHaveLength(1_000);
  });

  it("takes no more than a megabyte", () => {
    const full = insert(emptyEditor(), "x".repeat(1024 * 1024));
    expect(insert(full, "y").text).toHaveLength(1024 * 1024);
  });

  it("completes the only item, else what all begin with, and turns round with Tab", () => {
    const editor = withText(emptyEditor(), "see @sr");
    expect(offered(editor, { from: 5, to: 7, items: ["src/a.ts "] }).text).toBe("see @src/a.ts ");
    const several = offered(editor, { from: 5, to: 7, items: ["src/", "srv/"] });
    expect(several.text).toBe("see @sr");
    expect(after([key("tab")], several).text).toBe("see @src/");
    expect(after([key("tab"), key("tab"), key("tab")], several).text).toBe("see @src/");
    expect(after([key("shift-tab")], several).text).toBe("see @srv/");
    expect(after([key("esc")], several).completion).toBeUndefined();
  });
});

describe("rows", () => {
  it("are no wider than the terminal, hold all of the text, and the cursor is where it belongs", () => {
    fc.assert(
      fc.property(
        fc.array(anyKey, { maxLength: 12 }),
        fc.integer({ min: 6, max: 40 }),
        fc.integer({ min: 1, max: 6 }),
        (keys, columns, most) => {
          const editor = after(keys);
          const { cursor, rows } = editorRows(editor, { columns, mark: "> ", most });
          expect(rows.length).toBeGreaterThan(0);
          expect(rows.length).toBeLessThanOrEqual(most);
          for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
          expect(cursor.row).toBeLessThan(rows.length);
          expect(cursor.column).toBeLessThan(columns);
        },
      ),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 8, max: 30 }),
        fc.integer({ min: 0, max: 20 }),
        (piece, columns, times) => {
          const line = shownText(`- ${`${piece.replaceAll("\n", " ")} word `.repeat(times)}`);
          const rows = proseRows(line, columns);
          for (const row of rows) expect(columnsOf(row)).toBeLessThanOrEqual(columns);
          expect(rows.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
        },
      ),
    );
    expect(proseRows("- one two three", 9)).toEqual(["- one two", "  three"]);
    expect(rowsOf("日本語", 4)).toEqual(["日本", "語"]);
    expect(editorRows(withText(emptyEditor(), "abcd"), { columns: 6, mark: "> ", most: 5 })).toEqual({
      rows: ["> abcd", "  "],
      cursor: { row: 1, column: 2 },
    });
  });
});

describe("completion", () => {
  it("knows commands at the start and paths behind @, and offers no name that could not be told from the text", () => {
    const cwd = folder();
    mkdirSync(join(cwd, "src"));
    for (const name of ["src/a.ts", "src/ab.ts", "src/a b.ts", "src/a\u001B[2J.ts", ".hidden"])
      writeFileSync(join(cwd, name), "");
    const at = (text: string) => complete(text, text.length, { commands: ["help", "hooks", "model"], cwd })?.items;
    expect(at("/h")).toEqual(["/help ", "/hooks "]);
    expect(at("see @src/a")).toEqual(["src/a.ts ", "src/ab.ts "]);
    expect(at("@")).toEqual(["src/"]);
    expect(at("@.h")).toEqual([".hidden "]);
    expect(at("!cat src/ab")).toEqual(["src/ab.ts"]);
    expect(at("mail me@home")).toBeUndefined();
    expect(at("@nowhere/x")).toEqual([]);
  });
});

describe("the history file", () => {
  it("is its user's alone, keeps lines with breaks, and no keys", () => {
    const path = join(folder(), "deep", "history.jsonl");
    const history = openHistory(path);
    for (const text of ["one", "two\nlines", "my key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", " private"])
      history.add(text);
    expect(openHistory(path).entries).toEqual(["one", "two\nlines"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("is bounded, and torn or hostile files do no harm", () => {
    const path = join(folder(), "history.jsonl");
    writeFileSync(path, `${JSON.stringify("x".repeat(100))}\n`.repeat(8_000));
    expect(openHistory(path).entries).toHaveLength(1_000);
    expect(readFileSync(path).length).toBeLessThan(512 * 1024);
    writeFileSync(path, '"torn\n{"a":1}\n"good"\n\u0000\n');
    expect(openHistory(path).entries).toEqual(["good"]);
    const pipe = join(folder(), "history.jsonl");
    execFileSync("mkfifo", [pipe]);
    const history = openHistory(pipe);
    history.add("goes nowhere");
    expect(history.entries).toEqual([]);
  });
});
