import { type AssistantMessage, textOf } from "@kumiko/plugin-api";

/** How much of the end of a text may be repeated by what follows: models begin again with the last line or sentence. */
const longestOverlap = 400;

/** Shorter repetitions happen by chance. */
const shortestOverlap = 12;

/**
 * Joins a text that was cut and its continuation without a seam: a line that was cut and is begun again, and a block that
 * is opened again, stand there once. Whatever may be meant twice stays: after a whole line, and rows of the same.
 *
 * @example
 * ```ts
 * joinContinuation("The second step is to buil", "The second step is to build it.")
 * // => "The second step is to build it."
 * ```
 */
export const joinContinuation = (head: string, tail: string): string => {
  const rest = isInBlock(head) ? tail.replace(/^```[\w-]{0,20}\n/, "") : tail;
  if (head.endsWith("\n")) return head + rest;
  const most = Math.min(head.length, rest.length, longestOverlap);
  for (let length = most; length >= shortestOverlap; length--) {
    const overlap = rest.slice(0, length);
    if (head.endsWith(overlap)) return isRow(overlap) ? head + rest : head + rest.slice(length);
  }
  return head + rest;
};

const isInBlock = (text: string): boolean => (text.match(/^```/gm)?.length ?? 0) % 2 === 1;

// `0, 0, 0, `, `-----`, white space: it repeats itself, so one more of it says nothing.
const isRow = (text: string): boolean => {
  for (let period = 1; period <= text.length / 2; period++) if (text.startsWith(text.slice(period))) return true;
  return text.trim().length < shortestOverlap;
};

/**
 * One message of a reply that was cut after some text and the reply that continues it. Reasoning of the second is left
 * out: it is about the cut.
 */
export const joinReplies = (begun: AssistantMessage, continued: AssistantMessage): AssistantMessage => {
  const before = begun.parts.filter(({ type }) => type !== "text");
  const calls = continued.parts.filter(({ type }) => type === "tool-call");
  return {
    role: "assistant",
    parts: [...before, { type: "text", text: joinContinuation(textOf(begun), textOf(continued)) }, ...calls],
  };
};
