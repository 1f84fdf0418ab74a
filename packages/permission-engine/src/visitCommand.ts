import { type Command, forEachChild, type Redirection, type SyntaxNode, type Word } from "unbash";
import { followCommand, joinFolders } from "./buildPart.ts";
import { type CommandPart, innermost, type PartRedirect } from "./CommandPart.ts";
import { forgetConstants, noteConstant } from "./Constants.ts";
import { changesWhatRuns } from "./knowledge/environment.ts";
import { mark } from "./internal/marks.ts";
import { shorten } from "./internal/visible.ts";
import { isMisread } from "./isMisread.ts";
import { noteBuiltin } from "./noteBuiltin.ts";
import { programName } from "./Program.ts";
import { type PartRange, plainWord, resolveWord, type ShellWord } from "./ShellWord.ts";
import { certainText, ownInput } from "./standardInput.ts";
import type { Argv, ScriptSource } from "./Unwrapped.ts";
import { noteEvaluated, noteValue } from "./Variables.ts";
import {
  changeFolder,
  doubt,
  mostDepth,
  mostParts,
  mostRedirects,
  mostWords,
  type Scope,
  textOf,
  type Walk,
  wordScope,
} from "./Walk.ts";

type AssignmentNode = Extract<SyntaxNode, { type: "Assignment" }>;

/** A simple command, with all that its words, assignments and redirections run. */
export const visitCommand = (walk: Walk, scope: Scope, node: Command): void => {
  const words: Array<ShellWord> = [];
  const assigns: Array<string> = [];
  const outputs: Array<PartRange> = [];
  const doubts: Array<string> = [];
  const redirects: Array<PartRedirect> = [];
  const fills: Array<CommandPart["fills"][number]> = [];
  const { isStraight } = scope;
  scope.isStraight = false;
  for (const item of node.prefix)
    if (item.type === "Assignment") {
      const from = walk.parts.length;
      visitAssignment(walk, scope, item);
      if (walk.parts.length > from) fills.push({ name: item.name, by: { from, to: walk.parts.length } });
      assigns.push(assignedName(item));
      if (changesWhatRuns(item.name) && !isHarmlessViewer(item))
        doubts.push(`setting ${item.name} can change what runs`);
    } else redirects.push(...readRedirect(walk, scope, item, outputs));
  if (node.name !== undefined) words.push(...readWord(walk, scope, node.name, outputs));
  for (const item of node.suffix)
    if (item.type === "Word") words.push(...readWord(walk, scope, item, outputs));
    else if (item.type === "Assignment") words.push(readAssignment(walk, scope, item));
    else redirects.push(...readRedirect(walk, scope, item, outputs));
  // Bash takes `a<(b)` for one word, the parser for two.
  let end = node.name?.end;
  for (const item of node.suffix) {
    if (item.type === "Word" && item.pos === end) doubts.push("where a word ends is not certain");
    end = item.end;
  }
  if (words.length > mostWords || redirects.length > mostRedirects) {
    doubt(walk, "a command has too many words or redirections", textOf(scope, node));
    words.length = Math.min(words.length, mostWords);
    redirects.length = Math.min(redirects.length, mostRedirects);
  }
  // A name that is computed is not allowed, even where the value is known: that much is for denials.
  if (node.name !== undefined && (words.length === 0 || /\$(?!\{?HOME\b)/.test(unquoted(node.name))))
    doubts.push("which program runs is only known when the command runs");
  if (isStraight && node.name === undefined) noteConstants(walk, scope, node);
  addCommand(walk, scope, {
    words,
    source: textOf(scope, node),
    assigns,
    fills,
    outputs,
    doubts,
    redirects,
    settings:
      node.name === undefined
        ? []
        : node.prefix.flatMap((item) => (item.type === "Assignment" ? [plainWord(unquotedText(item))] : [])),
    input: ownInput(node.redirects),
  });
};

const unquoted = ({ text, parts }: Word): string =>
  parts?.map((part) => (part.type === "SingleQuoted" || part.type === "AnsiCQuoted" ? "" : part.text)).join("") ??
  (parts === undefined ? text.replaceAll(/\\./gs, "") : "");

const noteConstants = (walk: Walk, scope: Scope, node: Command): void => {
  for (const item of node.prefix) {
    if (item.type !== "Assignment" || item.value.type !== "Word" || item.append === true || item.index !== undefined)
      continue;
    const [value, ...others] = resolveWord(item.value, wordScope(walk, scope));
    if (
      value?.isStatic === true &&
      others.length === 0 &&
      scope.constants !== undefined &&
      !item.value.text.includes("{")
    )
      noteConstant(scope.constants, item.name, value.text, scope.source);
  }
};

// `GIT_PAGER=cat`, `GIT_EDITOR=true`: they show what they are given, or do nothing.
const isHarmlessViewer = ({ name, value }: AssignmentNode): boolean =>
  /(?:^|_)(?:PAGER|EDITOR)$/.test(name) &&
  value.type === "Word" &&
  /^(?:cat|less|more|true|false|:|)$/.test(certainText(value) ?? "?");

const unquotedText = ({ name, text, value }: AssignmentNode): string =>
  value.type === "Word" ? `${name}=${certainText(value) ?? value.text}` : text;

// What a program is told by a variable of a harmless name is harmless only as a plain word: make runs `$(shell …)`.
const assignedName = ({ name, text, value }: AssignmentNode): string =>
  /^[A-Z]/.test(name) && !(value.type === "Word" && /^[\w.,:/@%+-]*$/.test(certainText(value) ?? "$"))
    ? shorten(text, 60)
    : name;

interface Draft {
  readonly words: Argv;
  readonly source: string;
  readonly assigns: ReadonlyArray<string>;
  readonly fills: CommandPart["fills"];
  readonly outputs: ReadonlyArray<PartRange>;
  readonly redirects: ReadonlyArray<PartRedirect>;
  readonly doubts: ReadonlyArray<string>;
  /** What its own redirections put on standard input. */
  readonly input: ReturnType<typeof ownInput>;
  readonly isImplied?: boolean;
  readonly isRecursive?: boolean;
  readonly settings?: ReadonlyArray<ShellWord>;
  readonly mayFindConfig?: true;
}

const addCommand = (walk: Walk, scope: Scope, draft: Draft): void => {
  if (walk.parts.length >= mostParts) return doubt(walk, `it has more than ${mostParts} parts`, draft.source);
  const input = draft.input ?? (scope.input === undefined ? undefined : { text: scope.input, isStatic: true });
  const text = typeof input === "object" && input.isStatic ? input.text : undefined;
  const followed = followCommand(draft.words, text, scope.folders);
  const isShell = followed.readsScript && followed.language !== "no shell";
  const doubts = [...draft.doubts, ...followed.doubts];
  if (
    isShell ? input === undefined || input === "unknown" : followed.readsScript && input === undefined && scope.isPiped
  )
    doubts.push(scope.isPiped ? "a script is read from a pipe" : "a script is read from standard input");
  const part: CommandPart = {
    source: draft.source,
    levels: followed.levels,
    assigns: [...draft.assigns, ...followed.assigns],
    fills: [
      ...draft.fills,
      // `export x=$(command)`
      ...draft.words.flatMap(({ runs, text }) => {
        const name = runs === undefined ? undefined : /^([A-Za-z_]\w*)\+?=/.exec(text)?.[1];
        return name === undefined || runs === undefined ? [] : [{ name, by: runs }];
      }),
    ],
    redirects: draft.redirects,
    folders: followed.folders.known,
    isFolderUnknown: followed.folders.isUnknown,
    // What an interpreter reads there is code as well.
    code:
      followed.readsScript && !isShell && typeof input === "object"
        ? [...followed.code, inputWord(input)]
        : followed.code,
    ...(text === undefined || text === "" || followed.readsScript || draft.isImplied === true ? {} : { input: text }),
    ...(draft.settings === undefined || draft.settings.length === 0 ? {} : { settings: draft.settings }),
    ...(scope.isPiped && draft.input === undefined ? { isPiped: true } : {}),
    outputs: draft.outputs,
    runsInput: followed.readsScript,
    readsScript: followed.readsScript && draft.input === undefined,
    carriesScript: followed.scripts.length > 0 && followed.levels.every((level) => level.isTransparent),
    isImplied: draft.isImplied ?? false,
    isRecursive: draft.isRecursive ?? false,
    ...(draft.mayFindConfig === undefined ? {} : { mayFindConfig: true }),
    ...(scope.isRemote || followed.isRemote ? { isRemote: true } : {}),
    doubts: [...doubts, ...followed.levels.flatMap(({ argv }) => noteBuiltin(argv, walk, scope.constants))],
  };
  walk.parts.push(part);
  // `env x=1 bash -c …`: what runs may read it.
  for (const { argv } of followed.levels.slice(0, -1))
    for (const { isStatic, text } of argv) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
      if (name !== undefined) noteValue(walk.variables, name, isStatic ? value : undefined);
    }
  if (!part.isImplied) runScripts(walk, scope, followed, isShell && typeof input === "object" ? input : undefined);
  for (const { argv, isImplied, isRecursive, mayFindConfig } of followed.started) {
    // One reading more a level, not twice as many.
    if (part.isImplied && !isImplied) continue;
    startCommand(
      walk,
      { ...scope, folders: followed.folders },
      {
        ...draft,
        words: argv,
        isImplied,
        isRecursive,
        ...(mayFindConfig === undefined ? {} : { mayFindConfig }),
      },
    );
  }
  changeFolder(walk, scope, part);
};

const inputWord = ({ isStatic, text }: ScriptSource): ShellWord =>
  isStatic ? plainWord(text) : { ...plainWord(text), shape: mark.unknown, isStatic: false, isExpanded: true };

const runScripts = (
  walk: Walk,
  scope: Scope,
  followed: ReturnType<typeof followCommand>,
  input: ScriptSource | undefined,
): void => {
  const program = programName(followed.levels.at(-1)?.argv[0]);
  const isOwnShell = followed.language !== undefined;
  const language = followed.language === "no shell" ? undefined : followed.language;
  const inner = {
    ...scope,
    folders: followed.folders,
    isForeign: scope.isForeign || followed.isForeign,
    isRemote: scope.isRemote || followed.isRemote,
  };
  const from = walk.parts.length;
  const scripts = input === undefined ? followed.scripts : [...followed.scripts, input];
  for (const script of scripts) walk.run(inner, { ...script, language: language ?? scope.language, isOwnShell });
  if (!isOwnShell && (scripts.length > 0 || followed.code.length > 0)) {
    forgetConstants(scope.constants);
    walk.hasUnseenCode = true;
  }
  // A trap runs wherever the command has got to by then; `eval` runs in this shell, so its `cd` stays.
  if (program === "trap") {
    walk.functions.push({ from, to: walk.parts.length });
    if (walk.parts.slice(from).some((part) => /^(?:cd|pushd|popd|chdir)$/.test(programName(innermost(part)[0]))))
      doubt(walk, "a trap changes the folder, before any of the other commands", scope.source);
  }
  if (program === "eval" || program === "source" || program === ".")
    scope.folders = joinFolders(scope.folders, walk.folders);
};

const startCommand = (walk: Walk, scope: Scope, draft: Draft): void => {
  if (scope.depth >= mostDepth) return doubt(walk, "it is nested too deeply", draft.source);
  const source = draft.words.map((word) => word.text).join(" ");
  addCommand(
    walk,
    { ...scope, depth: scope.depth + 8 },
    { ...draft, source, assigns: [], fills: [], redirects: [], outputs: [], doubts: [] },
  );
};

const readWord = (walk: Walk, scope: Scope, word: Word, outputs: Array<PartRange>): ReadonlyArray<ShellWord> => {
  const parts = word.parts;
  if (isMisread(word)) doubt(walk, "a word could not be read", word.text);
  // Braces are expanded first, as text, and quotes inside backquotes do not always protect them.
  if (word.text.includes("`") && /\{.*(?:,|\.\.).*\}/s.test(word.text))
    doubt(walk, "braces beside a backquoted command may be expanded", word.text);
  // `{a[$(command)]}>file` names a variable, and the parser takes it for a word.
  if (/^\{\w+\[.*\}$/s.test(word.text) && /[<>]/.test(scope.source.charAt(word.end)))
    doubt(walk, "code may stand in an array subscript", word.text);
  if (parts === undefined) return resolveWord(word, wordScope(walk, scope));
  const from = walk.parts.length;
  // Bash takes `<(a)b` for one word, the parser for two, or for a word and a comment.
  if (parts.at(-1)?.type === "ProcessSubstitution" && !/^[\s;&|)]?$/.test(scope.source.charAt(word.end)))
    doubt(walk, "where a word ends is not certain", word.text);
  for (const piece of parts) {
    const start = walk.parts.length;
    walk.visit(scope, piece);
    if (piece.type === "ProcessSubstitution" && piece.operator === ">")
      outputs.push({ from: start, to: walk.parts.length });
  }
  return resolveWord(word, wordScope(walk, scope, { from, to: walk.parts.length }));
};

const visitAssignment = (walk: Walk, scope: Scope, node: AssignmentNode): void => {
  forEachChild(node, (child) => walk.visit(scope, child));
  const { name, value, index, append } = node;
  if (index !== undefined) noteEvaluated(walk.variables, index.text);
  if (value.type === "Word") {
    if (isMisread(value)) doubt(walk, "an assignment could not be read", node.text);
    if (!isNumber(value)) noteValue(walk.variables, name, append === true ? undefined : certainText(value));
    return;
  }
  for (const element of value.elements) {
    if (element.text.startsWith("[")) noteEvaluated(walk.variables, element.text);
    noteValue(walk.variables, name, certainText(element));
  }
};

// Arithmetic, `$#` and their like give digits.
const isNumber = ({ parts }: Word): boolean =>
  parts?.every(
    ({ type, text }) =>
      type === "ArithmeticExpansion" || /^\$[#?$!]$/.test(text) || (type === "Literal" && /^\d+$/.test(text)),
  ) === true;

const readAssignment = (walk: Walk, scope: Scope, node: AssignmentNode): ShellWord => {
  const from = walk.parts.length;
  visitAssignment(walk, scope, node);
  const runs = from === walk.parts.length ? {} : { runs: { from, to: walk.parts.length } };
  const isStatic = node.value.type === "Word" && node.value.parts === undefined && node.index === undefined;
  return { ...plainWord(node.text), isStatic, isExpanded: !isStatic, ...runs };
};

/** A redirection, with what its target runs; nothing where it opens no file. */
export const readRedirect = (
  walk: Walk,
  scope: Scope,
  redirect: Redirection,
  outputs: Array<PartRange>,
): ReadonlyArray<PartRedirect> => {
  if (redirect.descriptor?.type === "FileDescriptorVariable") noteDescriptor(walk, scope, redirect);
  if (redirect.type !== "Redirect" || redirect.target === undefined) {
    walk.visit(scope, redirect);
    return [];
  }
  const { operator, target, descriptor } = redirect;
  // To another shell, `a &> b c` runs `a` in the background, and opens `b` for `c`.
  if (scope.language !== "bash" && operator.startsWith("&>"))
    doubt(walk, "only Bash reads this as Bash does, and another shell runs it", textOf(scope, redirect));
  if (descriptor !== undefined) walk.visit(scope, descriptor);
  const words = readWord(walk, scope, target, outputs);
  if (/^[<>]&$/.test(operator)) {
    if (/^(?:\d+-?|-)$/.test(target.value)) return [];
    // Bash 5.2 expands what stands behind it twice, quotes or not; and `2>&-a` are two words.
    if (!/^[\w./$]+$/.test(target.text))
      doubt(walk, "where a redirection leads is not certain", textOf(scope, redirect));
  }
  const isWrite = operator !== "<" && operator !== "<&";
  const source = textOf(scope, redirect);
  return words.map((word) => ({ operator, source, target: word, isWrite, isSubstitution: isSubstitution(target) }));
};

// `{name}>file` sets a variable, and evaluates its subscript.
const noteDescriptor = (walk: Walk, scope: Scope, redirect: Redirection): void => {
  const text = textOf(scope, redirect);
  const name = /^\{([A-Za-z_]\w*)\}/.exec(text)?.[1];
  if (name === undefined) doubt(walk, "code may stand in an array subscript", text);
  else if (changesWhatRuns(name)) doubt(walk, `setting ${name} can change what runs`, text);
};

// `> >(command)`: the command is a part of its own, no file is opened.
const isSubstitution = (word: Word): boolean =>
  word.parts?.length === 1 && word.parts[0]?.type === "ProcessSubstitution";

/** The redirections of a compound command, as a part of their own. */
export const addRedirects = (walk: Walk, scope: Scope, redirects: ReadonlyArray<PartRedirect>): void =>
  addCommand(walk, scope, {
    words: [],
    source: redirects.map((redirect) => redirect.source).join(" "),
    assigns: [],
    fills: [],
    outputs: [],
    redirects,
    doubts: [],
    input: undefined,
    isImplied: true,
  });
