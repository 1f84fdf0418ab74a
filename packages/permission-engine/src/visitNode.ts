import { forEachChild, type SyntaxNode } from "unbash";
import { evaluatesSubscript } from "./buildPart.ts";
import { isForkingFunction, isForkingPipeline } from "./forkBomb.ts";
import { changesWhatRuns } from "./knowledge/environment.ts";
import { isReservedName } from "./knowledge/shells.ts";
import { isBashOnly } from "./isBashOnly.ts";
import { loopShape } from "./loopShape.ts";
import { hidesSubstitution } from "./isMisread.ts";
import type { PartRange } from "./ShellWord.ts";
import { certainText, staticOutput } from "./standardInput.ts";
import { noteEvaluated, noteValue } from "./Variables.ts";
import { addRedirects, readRedirect, visitCommand } from "./visitCommand.ts";
import { doubt, redirected, type Scope, textOf, uncertainly, type Walk, widenFolders, wordScope } from "./Walk.ts";

/** What one node of the syntax tree adds to the walk. */
export const visitNode = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  if (scope.language !== "bash" && isBashOnly(node, scope.source))
    doubt(walk, "only Bash reads this as Bash does, and another shell runs it", textOf(scope, node));
  switch (node.type) {
    case "Script": {
      for (const error of node.errors ?? []) doubt(walk, `Bash could not read it: ${error.message}`, scope.source);
      return visitChildren(walk, node.source === undefined ? scope : { ...scope, source: node.source }, node);
    }
    case "Command":
      return visitCommand(walk, scope, node);
    case "Statement":
      return visitChildren(walk, node.background === true ? { ...scope, isStraight: false } : scope, node);
    case "AndOr": {
      if (node.commands.length > 1) scope.input = undefined;
      // Only the first is sure to run.
      for (const element of node.commands) {
        walk.visit(scope, element);
        scope.isStraight = false;
      }
      return;
    }
    case "CompoundList":
      // Who reads how much of the input is not followed.
      if (node.commands.length > 1) scope.input = undefined;
      return visitChildren(walk, scope, node);
    case "BraceGroup":
      return visitChildren(walk, scope, node);
    case "Pipeline":
      if (isForkingPipeline(node)) walk.bombs.push(textOf(scope, node));
      return visitPipeline(walk, scope, node);
    default:
      scope.isStraight = false;
      return visitRest(walk, scope, node);
  }
};

const visitChildren = (walk: Walk, scope: Scope, node: SyntaxNode): void =>
  forEachChild(node, (child) => walk.visit(scope, child));

const visitRest = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  switch (node.type) {
    case "Function":
      if (isForkingFunction(node)) walk.bombs.push(textOf(scope, node));
      walk.defined.push({ name: node.name.value, text: textOf(scope, node.body) });
      if (isReservedName(node.name.value))
        doubt(walk, `a function takes the name of ${node.name.value}`, textOf(scope, node));
      return visitFunction(walk, scope, node);
    case "For":
    case "Select":
      if (changesWhatRuns(node.name.value))
        doubt(walk, `setting ${node.name.value} can change what runs`, textOf(scope, node));
      noteLoopValues(walk, node);
      return inLoop(walk, scope, node);
    case "ArithmeticFor":
      for (const expression of [node.initialize, node.test, node.update])
        if (expression !== undefined) noteEvaluated(walk.variables, textOf(scope, expression));
      return visitLoop(walk, scope, node);
    case "While":
      return visitLoop(walk, scope, node);
    case "Coproc":
      if (node.name !== undefined && changesWhatRuns(node.name.text))
        doubt(walk, `setting ${node.name.text} can change what runs`, textOf(scope, node));
      return visitChildren(walk, { ...scope }, node);
    case "Subshell":
      return visitChildren(walk, { ...scope }, node);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (node.text.startsWith("`") && node.text.includes("\\\n"))
        doubt(walk, "a line is continued inside a substitution", node.text);
      // Only newer versions of Bash know it; others end it elsewhere.
      if (node.text.startsWith("${")) doubt(walk, "not every Bash knows this substitution", node.text);
      if (node.script === undefined || !isWhole(node.text)) doubt(walk, "a substitution could not be read", node.text);
      return visitSubstitution(walk, { ...scope, input: undefined }, node);
    case "Redirected": {
      const redirects = node.redirects.flatMap((redirect) => readRedirect(walk, scope, redirect, []));
      if (redirects.length > 0) addRedirects(walk, scope, redirects);
      return redirected(scope, () => walk.visit(scope, node.command));
    }
    case "HereDoc":
      walk.hereDocuments.push(node.body.text);
      if (node.body.parts !== undefined && node.body.text.includes("\\\n"))
        doubt(walk, "a line is continued inside a here-document", textOf(scope, node));
      if (node.closing === undefined) doubt(walk, "a here-document has no end", textOf(scope, node));
      return visitChildren(walk, scope, node);
    case "TestCommand":
    case "ArithmeticCommand":
      if (evaluatesSubscript(textOf(scope, node)))
        doubt(walk, "code may stand in an array subscript", textOf(scope, node));
      if (node.type === "ArithmeticCommand") noteEvaluated(walk.variables, node.body);
      return visitChildren(walk, scope, node);
    case "TestUnary":
      if (node.operator === "-v" || node.operator === "-R") noteEvaluated(walk.variables, node.operand.text);
      return visitChildren(walk, scope, node);
    case "TestBinary":
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
        noteEvaluated(walk.variables, node.left.text);
        noteEvaluated(walk.variables, node.right.text);
      }
      return visitChildren(walk, scope, node);
    case "Word":
      if (hidesSubstitution(node)) doubt(walk, "a word could not be read", node.text);
      return visitChildren(walk, scope, node);
    case "If":
    case "Case":
      scope.input = undefined;
      return visitChildren(walk, scope, node);
    case "ParameterExpansion":
      noteParameter(walk, node);
      return visitChildren(walk, scope, node);
    case "DoubleQuoted":
    case "LocaleString":
    case "ArithmeticExpansion":
      if (!/["\])]$/.test(node.text)) doubt(walk, "a quote or an expansion could not be read", node.text);
      if (node.type === "ArithmeticExpansion")
        noteEvaluated(walk.variables, node.text.replace(/^\$\(\(|^\$\[/, "").replace(/\)\)$|\]$/, ""));
      return visitChildren(walk, scope, node);
    default:
      return visitChildren(walk, scope, node);
  }
};

const noteParameter = (walk: Walk, node: Extract<SyntaxNode, { type: "ParameterExpansion" }>): void => {
  const { operation, text, parameter, prefix, index } = node;
  // To Bash, a brace that opens nothing is a letter; the parser looks for its end.
  const isMisread = /[^$]\{|\$\$\{/.test(text.slice(1));
  // Inside double quotes, here-documents and substitutions that Bash reads again, quotes in an expansion are letters.
  if (text.includes("'") && /[$`]|[<>]\(/.test(text.slice(2).replaceAll("$'", "'")))
    doubt(walk, "quotes in an expansion may not keep what they hold from being run", text);
  if (operation?.type === "Unknown" || (text.startsWith("${") && !text.endsWith("}")) || isMisread)
    doubt(walk, "an expansion could not be read", text);
  if (operation?.type === "Default" && operation.operator.endsWith("=")) {
    if (changesWhatRuns(parameter)) doubt(walk, `setting ${parameter} can change what runs`, text);
    noteValue(walk.variables, parameter, certainText(operation.operand));
  }
  if (operation?.type === "Transform" && operation.operand.value === "P")
    doubt(walk, "the text of a variable is expanded again", text);
  if (prefix === "!" && operation?.type !== "Names") {
    noteEvaluated(walk.variables, parameter);
    // `${!1}`: an argument names the variable, subscript and all.
    if (!/^[A-Za-z_]/.test(parameter))
      doubt(walk, "a name that is only known when the command runs is evaluated", text);
  }
  if (index !== undefined && index.text !== "@" && index.text !== "*") noteEvaluated(walk.variables, index.text);
  if (operation?.type === "Slice") {
    // `${z:}}`: to Bash, what follows is the offset.
    if (operation.offset.text.trim() === "") doubt(walk, "an expansion could not be read", text);
    noteEvaluated(walk.variables, operation.offset.text);
    if (operation.length !== undefined) noteEvaluated(walk.variables, operation.length.text);
  }
};

const noteLoopValues = (walk: Walk, node: Extract<SyntaxNode, { type: "For" | "Select" }>): void => {
  if (node.wordlist === undefined) return noteValue(walk.variables, node.name.value, undefined);
  for (const word of node.wordlist) noteValue(walk.variables, node.name.value, certainText(word));
};

// In the body, the variable has one of the values of the list.
const inLoop = (walk: Walk, scope: Scope, node: Extract<SyntaxNode, { type: "For" | "Select" }>): void => {
  const { listed, loops } = scope;
  const name = node.name.value;
  const shape =
    node.type === "For" && node.wordlist !== undefined
      ? loopShape(name, node.wordlist, scope.source, wordScope(walk, scope))
      : undefined;
  scope.loops = new Map([...loops].filter(([other]) => other !== name));
  if (shape !== undefined) scope.loops = new Map([...scope.loops, [name, shape]]);
  const values = (node.wordlist ?? []).flatMap((word) => certainText(word) ?? []);
  scope.listed = new Map([...listed, [name, values.slice(0, 8)]]);
  visitLoop(walk, scope, node);
  scope.listed = listed;
  scope.loops = loops;
};

type Substitution = Extract<
  SyntaxNode,
  { type: "CommandExpansion" | "ProcessSubstitution" | "ArithmeticCommandExpansion" }
>;

// Bash 5.2 loses a `;` behind a here-document when it reads a substitution again: `a; b` becomes `a b`.
const visitSubstitution = (walk: Walk, scope: Scope, node: Substitution): void => {
  const from = walk.hereDocuments.length;
  visitChildren(walk, scope, node);
  const bodies = walk.hereDocuments.slice(from);
  if (bodies.length === 0 || node.text.startsWith("`")) return;
  const rest = bodies.reduce((text, body) => text.replace(body, () => ""), node.text);
  if (rest.includes(";")) doubt(walk, "a here-document stands in a substitution with several commands", node.text);
};

// The parser may end a substitution at a delimiter of the expansion around it: `${x/$(rm -rf /)/y}`.
const isWhole = (text: string): boolean =>
  text.startsWith("`") ? text.length > 1 && text.endsWith("`") : text.endsWith(text.startsWith("${") ? "}" : ")");

const visitFunction = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  const from = walk.parts.length;
  runAgain(walk, scope, node);
  walk.functions.push({ from, to: walk.parts.length });
};

// `cd ..` leads further each time.
const runAgain = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  const { moves } = scope;
  uncertainly(scope, () => visitChildren(walk, scope, node));
  if (scope.moves > moves) walk.folders = scope.folders = { ...scope.folders, isUnknown: true };
};

// What runs again may run in any folder that its own end moved to.
const visitLoop = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  const from = walk.parts.length;
  runAgain(walk, scope, node);
  widenFolders(walk, { from, to: walk.parts.length }, scope.folders);
};

const visitPipeline = (walk: Walk, scope: Scope, node: Extract<SyntaxNode, { type: "Pipeline" }>): void => {
  const ranges: Array<PartRange> = [];
  if (node.commands.length === 1) return visitChildren(walk, scope, node);
  let { input, isPiped } = scope;
  for (const element of node.commands) {
    const from = walk.parts.length;
    walk.visit({ ...scope, isPiped, input, isStraight: false }, element);
    ranges.push({ from, to: walk.parts.length });
    input = element.type === "Command" ? staticOutput(element, scope.language) : undefined;
    isPiped = true;
  }
  walk.pipelines.push(ranges);
};
