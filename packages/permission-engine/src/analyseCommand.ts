import {
  type Command,
  forEachChild,
  parse,
  type ParsedScript,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import { evaluatesSubscript, type Folders, followCommand, joinFolders } from "./buildPart.ts";
import type { CommandAnalysis, CommandPart, PartRedirect } from "./CommandPart.ts";
import { isForkingFunction, isForkingPipeline } from "./forkBomb.ts";
import { hasMark } from "./internal/marks.ts";
import { changesWhatRuns } from "./knowledge/environment.ts";
import { programName } from "./Program.ts";
import { type PartRange, plainWord, resolveWord, type ShellWord } from "./ShellWord.ts";
import { ownInput, staticOutput } from "./standardInput.ts";
import type { ScriptSource } from "./Unwrapped.ts";
import {
  changeFolder,
  doubt,
  mostCharacters,
  mostDepth,
  mostParts,
  mostRedirects,
  mostScripts,
  mostWords,
  type Scope,
  textOf,
  type Walk,
  widenFolders,
} from "./Walk.ts";

/** What a command is read with: relative paths start at `cwd`, `~` is `home`. Both absolute. */
export interface AnalysisScope {
  readonly cwd: string;
  readonly home: string;
}

/**
 * Takes a Bash command apart. Never throws: what cannot be read, is too long or too deep becomes a doubt, and the parts
 * found nevertheless are still given, so that a disaster among them is seen.
 */
export const analyseCommand = (command: string, { cwd, home }: AnalysisScope): CommandAnalysis => {
  const folders: Folders = { known: [cwd], isUnknown: false };
  const walk: Walk = {
    home,
    cwd,
    parts: [],
    pipelines: [],
    bombs: [],
    doubts: [],
    functions: [],
    folders,
    isFull: false,
  };
  if (command.length > mostCharacters) {
    doubt(walk, `it is longer than ${mostCharacters} characters`, `${command.slice(0, 80)}…`);
    return found(walk, false);
  }
  const script = parseScript(walk, command, { depth: 0, scripts: 0, folders });
  for (const range of walk.functions) widenFolders(walk, range, walk.folders);
  const statement = script.commands[0];
  const isSimple =
    script.commands.length === 1 &&
    statement?.command.type === "Command" &&
    statement.background !== true &&
    walk.parts.length === 1 &&
    walk.doubts.length === 0 &&
    walk.parts.every((part) => part.levels.length === 1 && part.assigns.length + part.redirects.length === 0) &&
    statement.command.redirects.length === 0;
  return found(walk, isSimple);
};

const found = ({ parts, pipelines, bombs, doubts }: Walk, isSimple: boolean): CommandAnalysis => ({
  parts,
  pipelines,
  bombs,
  doubts,
  isSimple,
});

const parseScript = (walk: Walk, text: string, scope: Omit<Scope, "source">): ParsedScript => {
  if (text.includes("\0")) doubt(walk, "it holds a NUL character", text.slice(0, text.indexOf("\0")));
  if (hasMark(text)) doubt(walk, "it holds private-use characters", text.slice(0, 80));
  const script = parse(text);
  visit(walk, { ...scope, source: text }, script);
  return script;
};

const runScript = (walk: Walk, scope: Scope, { text, isStatic }: ScriptSource): void => {
  if (!isStatic) doubt(walk, "a script is only known when the command runs", text.slice(0, 200));
  if (scope.scripts >= mostScripts)
    return doubt(walk, `more than ${mostScripts} scripts are nested`, text.slice(0, 80));
  if (text.length > mostCharacters) return doubt(walk, "a nested script is too long", text.slice(0, 80));
  const { input: _input, ...rest } = scope;
  parseScript(walk, text, { ...rest, scripts: scope.scripts + 1 });
};

const visit = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  if (walk.isFull) return;
  if (walk.parts.length >= mostParts || scope.depth >= mostDepth) {
    walk.isFull = true;
    return doubt(walk, "it has too many parts or is nested too deeply", textOf(scope, node).slice(0, 80));
  }
  scope.depth++;
  visitNode(walk, scope, node);
  scope.depth--;
};

const visitChildren = (walk: Walk, scope: Scope, node: SyntaxNode): void =>
  forEachChild(node, (child) => visit(walk, scope, child));

const visitNode = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  switch (node.type) {
    case "Script": {
      for (const error of node.errors ?? [])
        doubt(walk, `Bash could not read it: ${error.message}`, scope.source.slice(0, 200));
      return visitChildren(walk, { ...scope, source: node.source ?? scope.source }, node);
    }
    case "Command":
      return visitCommand(walk, scope, node);
    case "Statement":
      return visitChildren(walk, node.background === true ? { ...scope } : scope, node);
    case "Pipeline":
      if (isForkingPipeline(node)) walk.bombs.push(textOf(scope, node));
      return visitPipeline(walk, scope, node);
    case "Function":
      if (isForkingFunction(node)) walk.bombs.push(textOf(scope, node));
      return visitFunction(walk, scope, node);
    case "For":
    case "Select":
      if (changesWhatRuns(node.name.value))
        doubt(walk, `setting ${node.name.value} can change what runs`, textOf(scope, node));
      return visitLoop(walk, scope, node);
    case "While":
    case "ArithmeticFor":
      return visitLoop(walk, scope, node);
    case "Subshell":
    case "Coproc":
      return visitChildren(walk, { ...scope }, node);
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (node.script === undefined || !isWhole(node.text))
        doubt(walk, "a substitution could not be read", node.text.slice(0, 200));
      return visitChildren(walk, { ...scope }, node);
    case "Redirected": {
      const redirects = node.redirects.flatMap((redirect) => readRedirect(walk, scope, redirect, []));
      if (redirects.length > 0) addRedirects(walk, scope, redirects);
      return visit(walk, scope, node.command);
    }
    case "HereDoc":
      if (node.closing === undefined) doubt(walk, "a here-document has no end", textOf(scope, node).slice(0, 200));
      return visitChildren(walk, scope, node);
    case "TestCommand":
    case "ArithmeticCommand":
      if (evaluatesSubscript(textOf(scope, node)))
        doubt(walk, "code may stand in an array subscript", textOf(scope, node).slice(0, 200));
      return visitChildren(walk, scope, node);
    case "ParameterExpansion":
      if (node.operation?.type === "Unknown" || (node.text.startsWith("${") && !node.text.endsWith("}")))
        doubt(walk, "an expansion could not be read", node.text.slice(0, 200));
      if (
        node.operation?.type === "Default" &&
        node.operation.operator.endsWith("=") &&
        changesWhatRuns(node.parameter)
      )
        doubt(walk, `setting ${node.parameter} can change what runs`, node.text);
      if (node.operation?.type === "Transform" && node.operation.operand.value === "P")
        doubt(walk, "the text of a variable is expanded again", node.text);
      return visitChildren(walk, scope, node);
    case "DoubleQuoted":
    case "LocaleString":
    case "ArithmeticExpansion":
      if (!/["\])]$/.test(node.text)) doubt(walk, "a quote or an expansion could not be read", node.text.slice(0, 200));
      return visitChildren(walk, scope, node);
    default:
      return visitChildren(walk, scope, node);
  }
};

// The parser may end a substitution at a delimiter of the expansion around it: `${x/$(rm -rf /)/y}`.
const isWhole = (text: string): boolean =>
  text.startsWith("`")
    ? text.length > 1 && text.endsWith("`")
    : text.startsWith("${")
      ? text.endsWith("}")
      : text.endsWith(")");

const visitFunction = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  const from = walk.parts.length;
  visitChildren(walk, scope, node);
  walk.functions.push({ from, to: walk.parts.length });
};

// What runs again may run in any folder that its own end moved to.
const visitLoop = (walk: Walk, scope: Scope, node: SyntaxNode): void => {
  const from = walk.parts.length;
  visitChildren(walk, scope, node);
  widenFolders(walk, { from, to: walk.parts.length }, scope.folders);
};

const visitPipeline = (walk: Walk, scope: Scope, node: Extract<SyntaxNode, { type: "Pipeline" }>): void => {
  const ranges: Array<PartRange> = [];
  let input = scope.input;
  let isPiped = scope.isPiped ?? false;
  for (const element of node.commands) {
    const from = walk.parts.length;
    const { input: _input, ...rest } = scope;
    const inner = { ...rest, isPiped, ...(input === undefined ? {} : { input }) };
    visit(walk, inner, element);
    ranges.push({ from, to: walk.parts.length });
    input = element.type === "Command" ? staticOutput(element) : undefined;
    isPiped = true;
    if (node.commands.length === 1) scope.folders = inner.folders;
  }
  if (ranges.length > 1) walk.pipelines.push(ranges);
};

const visitCommand = (walk: Walk, scope: Scope, node: Command): void => {
  const words: Array<ShellWord> = [];
  const assigns: Array<string> = [];
  const outputs: Array<PartRange> = [];
  const doubts: Array<string> = [];
  const redirects: Array<PartRedirect> = [];
  for (const item of node.prefix)
    if (item.type === "Assignment") {
      visitChildren(walk, scope, item);
      assigns.push(item.name);
      if (changesWhatRuns(item.name)) doubts.push(`setting ${item.name} can change what runs`);
    } else redirects.push(...readRedirect(walk, scope, item, outputs));
  if (node.name !== undefined) words.push(...readWord(walk, scope, node.name, outputs));
  for (const item of node.suffix)
    if (item.type === "Word") words.push(...readWord(walk, scope, item, outputs));
    else if (item.type === "Assignment") words.push(readAssignment(walk, scope, item));
    else redirects.push(...readRedirect(walk, scope, item, outputs));
  if (words.length > mostWords || redirects.length > mostRedirects) {
    doubt(walk, "a command has too many words or redirections", textOf(scope, node).slice(0, 80));
    words.length = Math.min(words.length, mostWords);
    redirects.length = Math.min(redirects.length, mostRedirects);
  }
  if (node.name !== undefined && words.length === 0)
    doubts.push("which program runs is only known when the command runs");
  addCommand(walk, scope, {
    words,
    source: textOf(scope, node),
    assigns,
    outputs,
    doubts,
    redirects,
    input: ownInput(node.redirects),
  });
};

interface Draft {
  readonly words: ReadonlyArray<ShellWord>;
  readonly source: string;
  readonly assigns: ReadonlyArray<string>;
  readonly outputs: ReadonlyArray<PartRange>;
  readonly redirects: ReadonlyArray<PartRedirect>;
  readonly doubts: ReadonlyArray<string>;
  /** What its own redirections put on standard input. */
  readonly input: ScriptSource | "file" | undefined;
  readonly isImplied?: boolean;
  readonly isRecursive?: boolean;
}

const addCommand = (walk: Walk, scope: Scope, draft: Draft): void => {
  if (walk.parts.length >= mostParts)
    return doubt(walk, `it has more than ${mostParts} parts`, draft.source.slice(0, 80));
  const piped = scope.input === undefined ? undefined : { text: scope.input, isStatic: true };
  const input = draft.input ?? piped;
  const inputWords =
    input === undefined || input === "file" || !input.isStatic
      ? undefined
      : input.text
          .split(/\s+/)
          .filter((word) => word !== "")
          .slice(0, 64)
          .map(plainWord);
  const followed = followCommand(draft.words, inputWords, scope.folders);
  const doubts = [...draft.doubts, ...followed.doubts];
  const readsUnknown = followed.readsScript && input === undefined && scope.isPiped === true;
  if (readsUnknown) doubts.push("a script is read from a pipe");
  const part: CommandPart = {
    source: draft.source,
    levels: followed.levels,
    assigns: [...draft.assigns, ...followed.assigns],
    redirects: draft.redirects,
    folders: followed.folders.known,
    isFolderUnknown: followed.folders.isUnknown,
    code: followed.code,
    outputs: draft.outputs,
    runsInput: followed.readsScript,
    readsScript: followed.readsScript && draft.input === undefined,
    carriesScript: followed.scripts.length > 0 && followed.levels.every((level) => level.isTransparent),
    isImplied: draft.isImplied ?? false,
    isRecursive: draft.isRecursive ?? false,
    doubts,
  };
  walk.parts.push(part);
  const inner = { ...scope, folders: followed.folders };
  const from = walk.parts.length;
  for (const script of followed.scripts) runScript(walk, inner, script);
  const program = programName(followed.levels.at(-1)?.argv[0]);
  // A trap runs wherever the command has got to by then; `eval` runs in this shell, so its `cd` stays.
  if (program === "trap") walk.functions.push({ from, to: walk.parts.length });
  if (program === "eval") scope.folders = joinFolders(scope.folders, walk.folders);
  if (followed.readsScript && input !== undefined && input !== "file") runScript(walk, inner, input);
  for (const { argv, isImplied, isRecursive } of followed.started)
    startCommand(walk, inner, { ...draft, words: argv, isImplied, isRecursive });
  changeFolder(walk, scope, part);
};

const startCommand = (walk: Walk, scope: Scope, draft: Draft): void => {
  if (scope.depth >= mostDepth) return doubt(walk, "it is nested too deeply", draft.source.slice(0, 80));
  const source = draft.words.map((word) => word.text).join(" ");
  addCommand(
    walk,
    { ...scope, depth: scope.depth + 8 },
    { ...draft, source, assigns: [], redirects: [], outputs: [], doubts: [] },
  );
};

const readWord = (walk: Walk, scope: Scope, word: Word, outputs: Array<PartRange>): ReadonlyArray<ShellWord> => {
  const parts = word.parts;
  if (parts === undefined) return resolveWord(word, walk);
  const from = walk.parts.length;
  for (const piece of parts) {
    const start = walk.parts.length;
    visit(walk, scope, piece);
    if (piece.type === "ProcessSubstitution" && piece.operator === ">")
      outputs.push({ from: start, to: walk.parts.length });
  }
  const runs = from === walk.parts.length ? {} : { runs: { from, to: walk.parts.length } };
  return resolveWord(word, { home: walk.home, cwd: walk.cwd, ...runs });
};

const readAssignment = (walk: Walk, scope: Scope, node: Extract<SyntaxNode, { type: "Assignment" }>): ShellWord => {
  const from = walk.parts.length;
  visitChildren(walk, scope, node);
  const runs = from === walk.parts.length ? {} : { runs: { from, to: walk.parts.length } };
  const isStatic = node.value.type === "Word" && node.value.parts === undefined && node.index === undefined;
  return { ...plainWord(node.text), isStatic, isExpanded: !isStatic, ...runs };
};

const readRedirect = (
  walk: Walk,
  scope: Scope,
  redirect: Redirection,
  outputs: Array<PartRange>,
): ReadonlyArray<PartRedirect> => {
  if (redirect.type !== "Redirect" || redirect.target === undefined) {
    visit(walk, scope, redirect);
    return [];
  }
  const { operator, target } = redirect;
  const words = readWord(walk, scope, target, outputs);
  if (/^[<>]&$/.test(operator) && /^(?:\d+-?|-)$/.test(target.value)) return [];
  const isWrite = operator !== "<" && operator !== "<&";
  const source = textOf(scope, redirect);
  return words.map((word) => ({ operator, source, target: word, isWrite, isSubstitution: isSubstitution(target) }));
};

// `> >(command)`: the command is a part of its own, no file is opened.
const isSubstitution = (word: Word): boolean =>
  word.parts?.length === 1 && word.parts[0]?.type === "ProcessSubstitution";

const addRedirects = (walk: Walk, scope: Scope, redirects: ReadonlyArray<PartRedirect>): void => {
  const source = redirects.map((redirect) => redirect.source).join(" ");
  addCommand(walk, scope, {
    words: [],
    source,
    assigns: [],
    outputs: [],
    redirects,
    doubts: [],
    input: undefined,
    isImplied: true,
  });
};
