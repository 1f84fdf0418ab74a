import { type AssistantMessage, textOf } from "@kumiko/plugin-api";

/** How much of the end of a text may be repeated by what follows: models begin again with the last line or sentence. */
const longestOverlap = 400;

/** Shorter repetitions happen by chance. */
const shortestOverlap = 12;

/**
 * Joins a text that was cut and its continuation without a seam: what the continuation repeats of the end is left out
 * once. Nothing else is changed, so that a cut inside a word or a line of code closes again.
 *
 * @example
 * ```ts
 * joinContinuation("The second step is to buil", "The second step is to build it.")
 * // => "The second step is to build it."
 * ```
 */
export const joinContinuation = (head: string, tail: string): string => {
  const most = Math.min(head.length, tail.length, longestOverlap);
  for (let length = most; length >= shortestOverlap; length--)
    if (head.endsWith(tail.slice(0, length))) return head + tail.slice(length);
  return head + tail;
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
