import type { SyntaxNode } from "unbash";

/** Whether a node means something else, or nothing, to a shell that is not Bash. */
export const isBashOnly = (node: SyntaxNode, source: string): boolean => {
  switch (node.type) {
    case "AnsiCQuoted":
    case "LocaleString":
    case "BraceExpansion":
    case "ExtendedGlob":
    case "ProcessSubstitution":
    case "TestCommand":
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "Select":
    case "Coproc":
    case "HereString":
    case "ArrayValue":
    case "FileDescriptorVariable":
      return true;
    case "FileDescriptor":
      return node.value > 9;
    case "Function":
      return /^function\b/.test(source.slice(node.pos, node.end));
    case "Redirect":
      return /^&>|^>&$/.test(node.operator) && !/^(?:\d|-)$/.test(node.target?.text ?? "");
    case "Pipeline":
      return node.operators.includes("|&") || node.prefixes.some(({ type }) => type === "Time");
    case "Assignment":
      return node.append === true || node.index !== undefined;
    case "ArithmeticExpansion":
      return node.text.startsWith("$[");
    case "CaseItem":
      return node.terminator !== undefined && node.terminator !== ";;";
    default:
      return false;
  }
};
