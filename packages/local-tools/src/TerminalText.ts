/** Turns what a program writes to a terminal into plain text, piece by piece. */
export interface TerminalText {
  /** What is text in the next piece. The last characters may be kept back until it is known what they belong to. */
  readonly push: (piece: string) => string;
  /** What was kept back. */
  readonly end: () => string;
  /** Whether something was left out because a carriage return wrote over it. */
  readonly hasOverwritten: () => boolean;
}

/** An escape sequence that does not end within this is none. */
const maxSequenceCharacters = 4096;

// oxlint-disable no-control-regex -- control characters are what this file is about
const sequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*(?:\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/g;
const unfinished =
  /(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]*\u001b?|(?:\u001b[PX^_]|[\u0090\u0098\u009e\u009f])[^\u001b\u009c]*\u001b?|\u001b[ -/]*)$/;
const introducer = /[\u001b\u0090\u0098\u009b\u009d-\u009f]/;
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Leaves out escape sequences (colours, cursor movements, titles), and of a line that is written over by carriage
 * returns all but its last state. Other control characters come as their pictures, NUL as `␀`.
 *
 * @example
 * ```ts
 * const text = makeTerminalText()
 * text.push("\u001b[31mred\u001b[0m 10%\r 20%\n") + text.end() // => " 20%\n"
 * ```
 */
export const makeTerminalText = (): TerminalText => {
  let kept = "";
  let hasOverwritten = false;

  const plain = (text: string): string => {
    const lines = text.replaceAll("\r\n", "\n");
    const last = lines.includes("\r") ? lines.replace(/[^\n]*\r/g, "") : lines;
    hasOverwritten ||= last.length < lines.replaceAll("\r", "").length;
    return last.replace(unprintable, picture);
  };

  return {
    push: (piece) => {
      let text = kept + piece;
      kept = "";
      if (introducer.test(text)) {
        text = text.replace(sequence, "");
        const open = unfinished.exec(text);
        if (open !== null && text.length - open.index <= maxSequenceCharacters) {
          kept = text.slice(open.index);
          text = text.slice(0, open.index);
        }
      }
      // It may be the first half of a line break.
      if (kept === "" && text.endsWith("\r")) {
        kept = "\r";
        text = text.slice(0, -1);
      }
      return plain(text);
    },
    end: () => {
      const text = kept === "\r" ? "" : plain(kept.replace(introducer, ""));
      kept = "";
      return text;
    },
    hasOverwritten: () => hasOverwritten,
  };
};

// Unicode has a picture of each control character below 32; the others have none.
const picture = (character: string): string => {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\ufffd";
};
