/** What somebody did at the keyboard. */
export type Key =
  | { readonly type: "text"; readonly text: string }
  /** Between the marks of a bracketed paste. */
  | { readonly type: "paste"; readonly text: string }
  /** `enter`, `alt-enter`, `ctrl-a`, `alt-b`, `left`, `home`, `esc`, …; `unknown` for what has no name here. */
  | { readonly type: "key"; readonly name: string };

/** What was read and is no whole key yet. */
export interface KeyDecoding {
  readonly rest: string;
  /** The paste that has not ended. */
  readonly paste: string | undefined;
}

export const noKeys: KeyDecoding = { rest: "", paste: undefined };

const pasteStart = "\u001B[200~";
const pasteEnd = "\u001B[201~";

/**
 * Decodes what a terminal in raw mode sends. Pure, and the same however the input is cut: what is not whole waits in
 * `rest` (a lone escape, too: {@link lateKeys} takes it for the key once nothing follows).
 */
export const decodeKeys = (
  before: KeyDecoding,
  chunk: string,
): { readonly keys: ReadonlyArray<Key>; readonly decoding: KeyDecoding } => {
  const keys: Array<Key> = [];
  let rest = before.rest + chunk;
  let { paste } = before;
  while (rest !== "") {
    if (paste !== undefined) {
      // The mark may have begun in what was read before.
      const from = Math.max(paste.length - pasteEnd.length + 1, 0);
      const whole = paste + rest;
      const end = whole.indexOf(pasteEnd, from);
      rest = "";
      if (end < 0) paste = whole;
      else {
        keys.push({ type: "paste", text: whole.slice(0, end) });
        rest = whole.slice(end + pasteEnd.length);
        paste = undefined;
      }
      continue;
    }
    const [text = ""] = plainText.exec(rest) ?? [];
    if (text !== "") {
      keys.push({ type: "text", text });
      rest = rest.slice(text.length);
      continue;
    }
    if (rest.startsWith(pasteStart)) {
      paste = "";
      rest = rest.slice(pasteStart.length);
      continue;
    }
    const length = lengthOfKey(rest);
    if (length === undefined) break;
    keys.push({ type: "key", name: nameOf(rest.slice(0, length)) });
    rest = rest.slice(length);
  }
  return { keys: joined(keys), decoding: { rest, paste } };
};

/** What is left when nothing follows for a while: an escape is the key itself. */
export const lateKeys = ({
  paste,
  rest,
}: KeyDecoding): { readonly keys: ReadonlyArray<Key>; readonly decoding: KeyDecoding } => {
  if (rest === "" || paste !== undefined) return { keys: [], decoding: { rest, paste } };
  const name = rest === "\u001B" ? "esc" : "unknown";
  return { keys: [{ type: "key", name }], decoding: noKeys };
};

// oxlint-disable-next-line no-control-regex -- control characters are keys
const plainText = /^[^\u0000-\u001F\u007F]+/;

// Texts that follow one another are one: how the input was cut makes no difference to what is typed.
const joined = (keys: ReadonlyArray<Key>): ReadonlyArray<Key> => {
  const all: Array<Key> = [];
  for (const key of keys) {
    const last = all.at(-1);
    if (key.type === "text" && last?.type === "text")
      all[all.length - 1] = { type: "text", text: last.text + key.text };
    else all.push(key);
  }
  return all;
};

/** A sequence that never ends is none: longer ones are dropped. */
const longestSequence = 64;

/** How much of the input the first key is; undefined: more must come. */
const lengthOfKey = (input: string): number | undefined => {
  if (!input.startsWith("\u001B")) return 1;
  const second = input[1];
  if (second === undefined) return undefined;
  if (second === "[") {
    // oxlint-disable-next-line no-control-regex -- what ends a sequence
    const end = input.slice(2).search(/[\u0000-\u001F@-~]/);
    if (end >= 0) return end + 3;
    return input.length > longestSequence ? input.length : undefined;
  }
  if (second === "O") return input.length < 3 ? undefined : 3;
  // Escape twice: the first is the key itself.
  if (second === "\u001B") return 1;
  return (input.codePointAt(1) ?? 0) > 0xffff ? 3 : 2;
};

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl-j",
  "\t": "tab",
  "\u007F": "backspace",
  "\b": "backspace",
  "\u001B": "esc",
  "\u0000": "ctrl-space",
  "\u001F": "ctrl-_",
};

const nameOf = (sequence: string): string => {
  if (sequence.length === 1) {
    const code = sequence.charCodeAt(0);
    return controls[sequence] ?? (code < 27 ? `ctrl-${String.fromCharCode(code + 96)}` : "unknown");
  }
  if (sequence[1] === "[" || sequence[1] === "O") return nameOfSequence(sequence);
  const key = sequence.slice(1);
  const control = controls[key];
  if (control !== undefined) return `alt-${control === "ctrl-j" ? "enter" : control}`;
  return /^[\w.<>]$/.test(key) ? `alt-${key.toLowerCase()}` : "unknown";
};

const finals: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  Z: "shift-tab",
};
const numbered: Readonly<Record<string, string>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "page-up",
  "6": "page-down",
  "7": "home",
  "8": "end",
};

const nameOfSequence = (sequence: string): string => {
  const final = sequence.at(-1) ?? "";
  const [first = "", second = "", third = ""] = sequence.slice(2, -1).split(";");
  // Enter with a modifier, as terminals send it that can: CSI 13;2u or CSI 27;2;13~.
  if ((final === "u" && first === "13") || (final === "~" && first === "27" && third === "13"))
    return second === "3" ? "alt-enter" : second === "2" || second === "5" ? "shift-enter" : "enter";
  const name = final === "~" ? numbered[first] : finals[final];
  if (name === undefined) return "unknown";
  if (second === "5") return `ctrl-${name}`;
  return second === "3" ? `alt-${name}` : name;
};
