import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Whether a function multiplies itself: it calls itself at least twice, at least once in a pipeline or in the
 * background. Ordinary recursion, even in the background, calls itself once.
 */
export const isForkingFunction = (node: Extract<SyntaxNode, { type: "Function" }>): boolean => {
  const calls = { plain: 0, forked: 0 };
  countCalls(node.body, node.name.value, false, calls, 0);
  return calls.forked > 0 && calls.plain + calls.forked > 1;
};

/** Whether a pipeline runs the script it stands in more than once: `$0 | $0 &`. */
export const isForkingPipeline = (node: Extract<SyntaxNode, { type: "Pipeline" }>): boolean =>
  node.commands.filter((element) => element.type === "Command" && /^"?\$(?:0|\{0\})"?$/.test(element.name?.text ?? ""))
    .length > 1;

const countCalls = (
  node: SyntaxNode,
  name: string,
  isForked: boolean,
  calls: { plain: number; forked: number },
  depth: number,
): void => {
  if (depth > 64) return;
  if (node.type === "Command" && node.name?.value === name) calls[isForked ? "forked" : "plain"]++;
  const forks =
    isForked ||
    (node.type === "Pipeline" && node.commands.length > 1) ||
    (node.type === "Statement" && node.background === true);
  forEachChild(node, (child) => countCalls(child, name, forks, calls, depth + 1));
};

/** More functions are not looked at together. */
const mostFunctions = 16;
/** … and of each no more than its start. */
const mostOfText = 2_048;

/** A function, as far as it matters who calls whom. */
export interface CallingFunction {
  readonly name: string;
  readonly text: string;
}

/**
 * Functions that may multiply each other: in a ring of calls, one of them calls into the ring more than once, or from a
 * loop, and in a pipeline or in the background. Goes by the text, and so sees what `eval` would run as well.
 */
export const forkingRing = (functions: ReadonlyArray<CallingFunction>): string | undefined => {
  const known = functions.slice(0, mostFunctions).map(({ name, text }) => ({ name, text: text.slice(0, mostOfText) }));
  const calls = new Map(
    known.map(({ name, text }) => [
      name,
      known.filter((other) => times(text, other.name) > 0).map((other) => other.name),
    ]),
  );
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    (calls.get(from) ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  for (const { name, text } of known) {
    if (!reaches(name, name, new Set())) continue;
    const ring = known.filter(
      (other) => other.name === name || (reaches(name, other.name, new Set()) && reaches(other.name, name, new Set())),
    );
    const into = ring.reduce((sum, other) => sum + times(text, other.name), 0);
    const isRepeated = into > 1 || /\b(?:while|until)\s+(?::|true|\[)/.test(text);
    if (isRepeated && ring.some((other) => forks(text, other.name))) return text;
  }
  return undefined;
};

const times = (text: string, name: string): number => text.split(callOf(name)).length - 1;

const callOf = (name: string): RegExp =>
  new RegExp(`(?<![\\w$.-])${name.replaceAll(/[^\w]/g, "\\$&")}(?![\\w.=-])`, "g");

// It stands beside a `|` or a single `&`.
const forks = (text: string, name: string): boolean => {
  for (const { 0: call, index } of text.matchAll(callOf(name))) {
    const before = text.slice(0, index).trimEnd();
    const behind = text.slice(index + call.length).trimStart();
    if (/(?<!\|)\|&?$/.test(before) || /^(?:[^\n;|&]*)(?:\|(?!\|)|&(?!&))/.test(behind)) return true;
  }
  return false;
};
