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
