import { count } from "./internal/count.ts";

/** A text of which only the beginning and the end are kept, however long it gets. */
export interface BoundedOutput {
  readonly push: (text: string) => void;
  /** What was kept, with what is missing said in between. */
  readonly text: () => string;
}

/** A cut is moved to the nearest line break within this. */
const maxMoveCharacters = 1000;

/**
 * Keeps the first third and the last two thirds of `maxCharacters`: errors stand at the end. Memory is bounded by a small
 * multiple of it.
 *
 * @example
 * ```ts
 * const output = makeBoundedOutput(9)
 * output.push("one\ntwo\nthree\nfour\n")
 * output.text() // => "one\n(cut: 11 characters, 3 lines)\nfour\n"
 * ```
 */
export const makeBoundedOutput = (maxCharacters: number): BoundedOutput => {
  const headCharacters = Math.floor(maxCharacters / 3);
  const tailCharacters = maxCharacters - headCharacters;
  let head = "";
  // All that follows the head, as long as it may still be shown.
  let tail: Array<string> = [];
  let tailLength = 0;
  let dropped = 0;
  let droppedLines = 0;

  const drop = (text: string): void => {
    dropped += text.length;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) droppedLines++;
  };

  return {
    push: (text) => {
      const room = Math.max(0, headCharacters - head.length);
      const end = tailLength > 0 || room === 0 ? 0 : wholeCharacter(text, Math.min(room, text.length));
      head += text.slice(0, end);
      if (end === text.length) return;
      tail.push(text.slice(end));
      tailLength += text.length - end;
      while (tailLength - (tail[0]?.length ?? 0) > tailCharacters) {
        const oldest = tail.shift() ?? "";
        tailLength -= oldest.length;
        drop(oldest);
      }
      // Many small pieces cost more than they hold.
      if (tail.length > 1000) tail = [tail.join("")];
    },
    text: () => {
      const rest = tail.join("");
      if (dropped === 0 && rest.length <= tailCharacters) return head + rest;
      const from = lineStart(rest, rest.length - tailCharacters);
      const to = lineEnd(head);
      const between = `${head.slice(to)}${rest.slice(0, from)}`;
      const characters = dropped + between.length;
      const lines = droppedLines + between.split("\n").length - 1;
      const shownHead = head.slice(0, to);
      const gap = shownHead === "" || shownHead.endsWith("\n") ? "" : "\n";
      return `${shownHead}${gap}(cut: ${count(characters, "character")}, ${count(lines, "line")})\n${rest.slice(from)}`;
    },
  };
};

// The place at or before `at` where no character is cut in half.
const wholeCharacter = (text: string, at: number): number => {
  const code = text.charCodeAt(at - 1);
  return at < text.length && code >= 0xd800 && code < 0xdc00 ? at - 1 : at;
};

const lineEnd = (text: string): number => {
  const end = text.lastIndexOf("\n") + 1;
  return end > 0 && text.length - end <= maxMoveCharacters ? end : text.length;
};

const lineStart = (text: string, at: number): number => {
  const from = Math.max(0, at);
  if (from === 0 || text[from - 1] === "\n") return from;
  const next = text.indexOf("\n", from) + 1;
  if (next > 0 && next - from <= maxMoveCharacters && next < text.length) return next;
  const code = text.charCodeAt(from);
  return code >= 0xdc00 && code < 0xe000 ? from + 1 : from;
};
