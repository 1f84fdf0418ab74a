import { forEachChild, parse, type SyntaxNode } from "unbash";
import { shorten } from "./internal/visible.ts";

/** How a command was read: what stands in what. Leaves out plain words. */
export interface SyntaxOutline {
  readonly kind: string;
  /** As written; a long text is cut. */
  readonly text: string;
  readonly children: ReadonlyArray<SyntaxOutline>;
}

/** Longer commands have no outline: nobody could read it. */
const mostCharacters = 8192;
/** More constructs than this, or deeper ones, are not shown. */
const mostNodes = 256;
const mostDepth = 32;

const silent: ReadonlySet<string> = new Set([
  "Script",
  "Statement",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "Assignment",
]);

/** Outlines a command. Never throws; one of more than 8 192 characters has an empty outline. */
export const syntaxOutline = (command: string): ReadonlyArray<SyntaxOutline> => {
  if (command.length > mostCharacters) return [];
  let count = 0;
  const outline = (node: SyntaxNode, source: string, depth: number): ReadonlyArray<SyntaxOutline> => {
    if (count >= mostNodes || depth >= mostDepth) return [];
    const isShown = !silent.has(node.type);
    if (isShown) count++;
    const children: Array<SyntaxOutline> = [];
    const inner = node.type === "Script" ? (node.source ?? source) : source;
    forEachChild(node, (child) => {
      children.push(...outline(child, inner, depth + 1));
    });
    return isShown ? [{ kind: node.type, text: shorten(source.slice(node.pos, node.end), 120), children }] : children;
  };
  return outline(parse(command), command, 0);
};
