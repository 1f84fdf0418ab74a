import { graphemesOf } from "./columns.ts";
import type { Key } from "./Key.ts";

/** What Tab offers for a piece of the text. */
export interface Completion {
  /** The piece that is replaced. */
  readonly from: number;
  readonly to: number;
  readonly items: ReadonlyArray<string>;
}

/** A line that is being written. `cursor` always stands between two graphemes. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  /** What was cut last. */
  readonly killed: string;
  /** Cuts that follow one another are one. */
  readonly isKilling: boolean;
  readonly history: ReadonlyArray<string>;
  /** Where in the history one looks; its length: at what is being written. */
  readonly at: number;
  /** What was being written when one began to look. */
  readonly draft: string;
  readonly search: { readonly query: string; readonly found: number | undefined; readonly before: string } | undefined;
  readonly completion: (Completion & { readonly selected: number }) | undefined;
}

/** What whoever holds the editor has to do. */
export type EditorAction =
  | { readonly type: "submit" | "followUp"; readonly text: string }
  | { readonly type: "complete" | "interrupt" | "end" | "suspend" | "expand" | "redraw" | "takeBack" | "escape" };

export const emptyEditor = (history: ReadonlyArray<string> = []): Editor => ({
  text: "",
  cursor: 0,
  killed: "",
  isKilling: false,
  history,
  at: history.length,
  draft: "",
  search: undefined,
  completion: undefined,
});

/** A prompt is typed or pasted by a person; what is larger belongs into a file. */
const mostCharacters = 1024 * 1024;
export const mostHistory = 1_000;

/** The editor after a key, and what is to be done. Pure. */
export const press = (
  editor: Editor,
  key: Key,
): { readonly editor: Editor; readonly action?: EditorAction | undefined } => {
  if (editor.search !== undefined) return searching(editor, editor.search, key);
  if (key.type !== "key") return { editor: insert(editor, key.text) };
  if (editor.completion !== undefined) {
    if (key.name === "tab" || key.name === "shift-tab") return { editor: turned(editor, key.name === "tab" ? 1 : -1) };
    if (key.name === "esc") return { editor: { ...editor, completion: undefined } };
  }
  const settled = { ...editor, completion: undefined };
  const done = acting(settled, key.name);
  if (done !== undefined) return done;
  const moved = moves[key.name]?.(settled);
  if (moved !== undefined) return { editor: { ...moved, isKilling: kills.has(key.name) } };
  return { editor: settled };
};

/** The editor with something written at the cursor. What steers a terminal is left out; line breaks and tabs are kept. */
export const insert = (editor: Editor, given: string): Editor => {
  const text = given
    .replace(/\r\n?/g, "\n")
    // oxlint-disable-next-line no-control-regex -- those are what must not get in
    .replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, "")
    .toWellFormed();
  if (text === "" || editor.text.length + text.length > mostCharacters) return { ...editor, completion: undefined };
  return settle(editor, editor.text.slice(0, editor.cursor) + text, editor.text.slice(editor.cursor));
};

/** The editor with another text, the cursor at its end. */
export const withText = (editor: Editor, text: string): Editor => settle(editor, text, "");

/** The editor after what was written has been sent. */
export const sent = (editor: Editor, text: string): Editor => {
  const isNew = text.trim() !== "" && editor.history.at(-1) !== text;
  const history = isNew ? [...editor.history, text].slice(-mostHistory) : editor.history;
  return { ...emptyEditor(history), killed: editor.killed };
};

/** The editor with what completes the piece before the cursor: the only item at once, or what all begin with. */
export const offered = (editor: Editor, { from, items, to }: Completion): Editor => {
  const [first] = items;
  if (first === undefined) return { ...editor, completion: undefined };
  const common = items.reduce((all, item) => all.slice(0, sameLength(all, item)));
  const text = items.length === 1 ? first : common.length > to - from ? common : editor.text.slice(from, to);
  const next = settle(editor, editor.text.slice(0, from) + text, editor.text.slice(to));
  return items.length === 1
    ? next
    : { ...next, completion: { from, to: from + text.length, items: items.slice(0, mostItems), selected: -1 } };
};

const mostItems = 50;

const sameLength = (a: string, b: string): number => {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  // Not within a character that is two.
  return length > 0 && /[\uD800-\uDBFF]/.test(a[length - 1] ?? "") ? length - 1 : length;
};

// A mark that joins what stands on both sides of the cursor makes one grapheme of them: the cursor goes behind it.
const settle = (editor: Editor, before: string, after: string): Editor => {
  const text = before + after;
  return { ...editor, text, cursor: boundaryAt(text, before.length), isKilling: false, completion: undefined };
};

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
};

const boundaryAt = (text: string, at: number): number => {
  let place = lineStart(text, at);
  if (place === at) return at;
  for (const grapheme of graphemesOf(text.slice(place, lineEnd(text, at)))) {
    place += grapheme.length;
    if (place >= at) return place;
  }
  return at;
};

const boundaryBefore = (text: string, at: number): number => {
  const boundary = boundaryAt(text, at);
  return boundary === at ? at : before({ cursor: boundary, text });
};

const before = ({ cursor, text }: Pick<Editor, "cursor" | "text">): number => {
  if (cursor === 0) return 0;
  const start = lineStart(text, cursor);
  return start === cursor ? cursor - 1 : cursor - (graphemesOf(text.slice(start, cursor)).at(-1)?.length ?? 1);
};
const after = ({ cursor, text }: Editor): number => {
  if (cursor >= text.length) return text.length;
  const end = lineEnd(text, cursor);
  return end === cursor ? cursor + 1 : cursor + (graphemesOf(text.slice(cursor, end))[0]?.length ?? 1);
};
const wordBefore = ({ cursor, text }: Editor): number => {
  const [tail = ""] =
    /[\p{L}\p{N}\p{M}_]+[^\p{L}\p{N}\p{M}_]*$|[^\p{L}\p{N}\p{M}_]+$/u.exec(text.slice(0, cursor)) ?? [];
  return boundaryBefore(text, cursor - tail.length);
};
const wordAfter = ({ cursor, text }: Editor): number => {
  const [head = ""] = /^[^\p{L}\p{N}\p{M}_]*[\p{L}\p{N}\p{M}_]*/u.exec(text.slice(cursor)) ?? [];
  return boundaryAt(text, cursor + head.length);
};
const blankBefore = ({ cursor, text }: Editor): number => {
  const [tail = ""] = /\S*\s*$/.exec(text.slice(0, cursor)) ?? [];
  return boundaryBefore(text, cursor - tail.length);
};

const goTo = (editor: Editor, cursor: number): Editor => ({ ...editor, cursor });

const cut = (editor: Editor, from: number, to: number, isKept: boolean): Editor => {
  const piece = editor.text.slice(from, to);
  const isBackward = to === editor.cursor && from < to;
  const joined = isBackward ? piece + editor.killed : editor.killed + piece;
  const killed = !isKept || piece === "" ? editor.killed : editor.isKilling ? joined : piece;
  return { ...settle(editor, editor.text.slice(0, from), editor.text.slice(to)), killed };
};

// Up and down keep the column, counted in graphemes.
const vertical = (editor: Editor, step: -1 | 1): Editor | undefined => {
  const { cursor, text } = editor;
  const start = lineStart(text, cursor);
  const target = step < 0 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return undefined;
  const column = graphemesOf(text.slice(start, cursor)).length;
  const from = lineStart(text, target);
  const line = graphemesOf(text.slice(from, lineEnd(text, from)));
  return goTo(editor, from + line.slice(0, column).join("").length);
};

const inHistory = (editor: Editor, step: -1 | 1): Editor => {
  const { at, draft, history, text } = editor;
  const next = at + step;
  if (next < 0 || next > history.length) return editor;
  const kept = at === history.length ? text : draft;
  return { ...withText(editor, next === history.length ? kept : (history[next] ?? "")), at: next, draft: kept };
};

const swapped = (editor: Editor): Editor => {
  const { cursor, text } = editor;
  const end = cursor === lineEnd(text, cursor) ? cursor : after(editor);
  const middle = before(goTo(editor, end));
  const start = before(goTo(editor, middle));
  if (start >= middle || middle >= end || text.slice(start, end).includes("\n")) return editor;
  return settle(editor, text.slice(0, start) + text.slice(middle, end) + text.slice(start, middle), text.slice(end));
};

const kills = new Set(["ctrl-k", "ctrl-u", "ctrl-w", "alt-backspace", "alt-d", "ctrl-backspace"]);
const killLine = (editor: Editor): Editor => {
  const end = lineEnd(editor.text, editor.cursor);
  return cut(editor, editor.cursor, end === editor.cursor ? after(editor) : end, true);
};
const killWord = (editor: Editor): Editor => cut(editor, wordBefore(editor), editor.cursor, true);
const toStart = (editor: Editor): Editor => goTo(editor, lineStart(editor.text, editor.cursor));
const toEnd = (editor: Editor): Editor => goTo(editor, lineEnd(editor.text, editor.cursor));
const toLeft = (editor: Editor): Editor => goTo(editor, before(editor));
const toRight = (editor: Editor): Editor => goTo(editor, after(editor));
const wordLeft = (editor: Editor): Editor => goTo(editor, wordBefore(editor));
const wordRight = (editor: Editor): Editor => goTo(editor, wordAfter(editor));
const newLine = (editor: Editor): Editor => insert(editor, "\n");

const moves: Readonly<Record<string, (editor: Editor) => Editor>> = {
  left: toLeft,
  "ctrl-b": toLeft,
  right: toRight,
  "ctrl-f": toRight,
  home: toStart,
  "ctrl-a": toStart,
  end: toEnd,
  "ctrl-e": toEnd,
  "alt-b": wordLeft,
  "ctrl-left": wordLeft,
  "alt-left": wordLeft,
  "alt-f": wordRight,
  "ctrl-right": wordRight,
  "alt-right": wordRight,
  backspace: (editor) => cut(editor, before(editor), editor.cursor, false),
  delete: (editor) => cut(editor, editor.cursor, after(editor), false),
  "ctrl-k": killLine,
  "ctrl-u": (editor) => cut(editor, lineStart(editor.text, editor.cursor), editor.cursor, true),
  "ctrl-w": (editor) => cut(editor, blankBefore(editor), editor.cursor, true),
  "alt-backspace": killWord,
  "ctrl-backspace": killWord,
  "alt-d": (editor) => cut(editor, editor.cursor, wordAfter(editor), true),
  "ctrl-y": (editor) => insert(editor, editor.killed),
  "ctrl-t": swapped,
  "ctrl-j": newLine,
  "shift-enter": newLine,
  up: (editor) => vertical(editor, -1) ?? inHistory(editor, -1),
  "ctrl-p": (editor) => vertical(editor, -1) ?? inHistory(editor, -1),
  down: (editor) => vertical(editor, 1) ?? inHistory(editor, 1),
  "ctrl-n": (editor) => vertical(editor, 1) ?? inHistory(editor, 1),
};

const acting = (editor: Editor, name: string): { editor: Editor; action?: EditorAction } | undefined => {
  const { cursor, text } = editor;
  switch (name) {
    case "enter":
      // A backslash before the cursor breaks the line instead.
      if (text[cursor - 1] === "\\")
        return { editor: settle(editor, `${text.slice(0, cursor - 1)}\n`, text.slice(cursor)) };
      return { editor, action: { type: "submit", text } };
    case "alt-enter":
      return { editor, action: { type: "followUp", text } };
    case "tab":
      return { editor, action: { type: "complete" } };
    case "ctrl-c":
      return text === "" ? { editor, action: { type: "interrupt" } } : { editor: withText(editor, "") };
    case "ctrl-d":
      return text === "" ? { editor, action: { type: "end" } } : { editor: cut(editor, cursor, after(editor), false) };
    case "ctrl-z":
      return { editor, action: { type: "suspend" } };
    case "ctrl-o":
      return { editor, action: { type: "expand" } };
    case "ctrl-l":
      return { editor, action: { type: "redraw" } };
    case "esc":
      return { editor, action: { type: "escape" } };
    case "ctrl-r":
      return { editor: { ...editor, search: { query: "", found: undefined, before: text } } };
    case "up":
      // Nothing is written: what waits in line comes first, then the history.
      return text === "" && editor.at === editor.history.length ? { editor, action: { type: "takeBack" } } : undefined;
    default:
      return undefined;
  }
};

/** What Up does where nothing waits to be taken back. */
export const earlier = (editor: Editor): Editor => inHistory(editor, -1);

const turned = (editor: Editor, step: -1 | 1): Editor => {
  const { completion } = editor;
  if (completion === undefined) return editor;
  const { from, items, to } = completion;
  const count = items.length;
  const selected = completion.selected < 0 ? (step > 0 ? 0 : count - 1) : (completion.selected + step + count) % count;
  const item = items[selected] ?? "";
  const next = settle(editor, editor.text.slice(0, from) + item, editor.text.slice(to));
  return { ...next, completion: { from, to: from + item.length, items, selected } };
};

const searching = (
  editor: Editor,
  search: NonNullable<Editor["search"]>,
  key: Key,
): { editor: Editor; action?: EditorAction | undefined } => {
  const find = (query: string, from: number): Editor => {
    const index = query === "" ? -1 : editor.history.findLastIndex((text, at) => at <= from && text.includes(query));
    const found = index < 0 ? undefined : index;
    const text = found === undefined ? editor.text : (editor.history[found] ?? "");
    return { ...withText(editor, text), search: { ...search, query, found } };
  };
  if (key.type !== "key") return { editor: find(search.query + key.text.replaceAll("\n", " "), editor.history.length) };
  const left = { ...editor, search: undefined };
  switch (key.name) {
    case "ctrl-r":
      return { editor: find(search.query, (search.found ?? editor.history.length) - 1) };
    case "backspace":
      return { editor: find(graphemesOf(search.query).slice(0, -1).join(""), editor.history.length) };
    case "esc":
    case "ctrl-g":
    case "ctrl-c":
      return { editor: withText(left, search.before) };
    default:
      // Any other key takes what was found, and does what it does.
      return press(left, key);
  }
};
