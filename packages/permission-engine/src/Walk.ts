import type { SyntaxNode } from "unbash";
import { type Folders, joinFolders, withFolder } from "./buildPart.ts";
import { type CommandPart, type Doubt, innermost } from "./CommandPart.ts";
import type { Constants } from "./Constants.ts";
import type { CallingFunction } from "./forkBomb.ts";
import type { LoopShape } from "./loopShape.ts";
import { programName } from "./Program.ts";
import { type PartRange, plainWord, type WordScope } from "./ShellWord.ts";
import type { Language, ScriptSource } from "./Unwrapped.ts";
import type { Variables } from "./Variables.ts";

/** Longer commands are not read. A heredoc of a long file fits; a pasted binary does not. */
export const mostCharacters = 65_536;
/** More commands in one are not followed. Long generated scripts reach it: put them into a file. */
export const mostParts = 256;
/** More words in one command, or redirections, are not followed. A long list of files fits. */
export const mostWords = 4096;
export const mostRedirects = 64;
/** Deeper syntax is not followed. No hand-written command comes near it. */
export const mostDepth = 128;
/** Scripts in scripts (`bash -c` in `bash -c`) beyond this are not followed. */
export const mostScripts = 6;

/** What is found on a walk through a command. */
export interface Walk {
  readonly home: string;
  readonly cwd: string;
  readonly parts: Array<CommandPart>;
  readonly pipelines: Array<ReadonlyArray<PartRange>>;
  readonly bombs: Array<string>;
  readonly doubts: Array<Doubt>;
  /** Bodies of functions: they may run anywhere the command goes. */
  readonly functions: Array<PartRange>;
  readonly defined: Array<CallingFunction>;
  readonly variables: Variables;
  /** Bodies of here-documents passed so far. */
  readonly hereDocuments: Array<string>;
  /** All folders the command may ever be in. */
  folders: Folders;
  isFull: boolean;
  /** Code was run that is not seen, and may have set variables. */
  hasUnseenCode: boolean;
  /** Goes on with a node below. */
  readonly visit: (scope: Scope, node: SyntaxNode) => void;
  /** Goes on with a script found in a text. */
  readonly run: (scope: Scope, script: NestedScript) => void;
}

/** A script that a command runs. */
export interface NestedScript extends ScriptSource {
  readonly language: Language;
  /** A shell of its own runs it: variables set in it stay in it. */
  readonly isOwnShell: boolean;
}

/** Where the walk stands. `folders` changes as `cd` commands are passed, hence one scope per subshell. */
export interface Scope {
  depth: number;
  folders: Folders;
  /** Changes of folder so far that start from where it is, or lead to where nobody knows: run twice, they lead on. */
  moves: number;
  readonly scripts: number;
  readonly source: string;
  /** The shell that reads this. */
  readonly language: Language;
  /** Home and variables are not those of the harness. */
  readonly isForeign: boolean;
  /** It runs on another machine, or in a container. */
  readonly isRemote: boolean;
  /** What is passed here certainly runs, once, before all that follows. */
  isStraight: boolean;
  /** Absent where a value may be another at another time: in loops and functions. */
  constants: Constants | undefined;
  /** The variables of the loops around. */
  loops: ReadonlyMap<string, LoopShape>;
  /** What is written in the lists of the loops around, by the name of the variable. */
  listed: ReadonlyMap<string, ReadonlyArray<string>>;
  /** Text on standard input, where it is known and one command alone reads it. */
  input: string | undefined;
  /** Standard input comes from another command. */
  readonly isPiped: boolean;
}

/** Notes why the whole command is never allowed. The first 32 are kept: one is enough. */
export const doubt = (walk: Walk, reason: string, source: string): void => {
  if (walk.doubts.length < 32) walk.doubts.push({ reason, source: source.slice(0, 200) });
};

/** What words refer to, where the walk stands. */
export const wordScope = (
  walk: Walk,
  { folders, isForeign, constants, loops }: Scope,
  runs?: PartRange,
): WordScope => ({
  home: walk.home,
  cwd: constants !== undefined && folders.known.length === 1 && !folders.isUnknown ? folders.known[0] : undefined,
  isForeign,
  ...(loops.size === 0 || walk.hasUnseenCode ? {} : { loops }),
  ...(constants === undefined || constants.values.size === 0 ? {} : { constants: constants.values }),
  ...(runs === undefined || runs.from === runs.to ? {} : { runs }),
});

/** Goes on below with nothing certain: what runs there may run again, or later, or after others have read the input. */
export const uncertainly = (scope: Scope, below: () => void): void => {
  const { constants, input } = scope;
  scope.constants = scope.input = undefined;
  below();
  scope.constants = constants;
  scope.input = input;
};

/** Goes on below with another standard input. */
export const redirected = (scope: Scope, below: () => void): void => {
  const { input } = scope;
  scope.input = undefined;
  below();
  scope.input = input;
};

/** Adds folders that parts may run in as well. */
export const widenFolders = (walk: Walk, { from, to }: PartRange, { known, isUnknown }: Folders): void => {
  for (let at = from; at < to; at++) {
    const part = walk.parts[at];
    if (part === undefined) continue;
    const folders = [...new Set([...part.folders, ...known])];
    walk.parts[at] = { ...part, folders, isFolderUnknown: part.isFolderUnknown || isUnknown };
  }
};

/** Follows a `cd` that a part may be. */
export const changeFolder = (walk: Walk, scope: Scope, part: CommandPart): void => {
  const argv = innermost(part);
  const program = programName(argv[0]);
  if (program === "popd") {
    scope.moves++;
    walk.folders = scope.folders = { ...scope.folders, isUnknown: true };
  }
  if (program !== "cd" && program !== "pushd" && program !== "chdir") return;
  const target = argv.slice(1).find((word) => !/^-[A-Za-z@-]+$|^--$/.test(word.text)) ?? plainWord(walk.home);
  if (!target.text.startsWith("/") || !target.isStatic) scope.moves++;
  scope.folders =
    target.text === "-" || target.text.startsWith("+") || !target.isStatic
      ? { ...scope.folders, isUnknown: true }
      : withFolder(scope.folders, target);
  // A variable may lead anywhere; where the list of a loop says so, there as well.
  const [, name = ""] = /^"?\$\{?(\w+)\}?"?$/.exec(target.source) ?? [];
  for (const value of scope.listed.get(name) ?? [])
    scope.folders = joinFolders(scope.folders, withFolder(scope.folders, plainWord(value)));
  walk.folders = joinFolders(walk.folders, scope.folders);
};

/** A node as written. */
export const textOf = (scope: Scope, node: SyntaxNode): string => scope.source.slice(node.pos, node.end);
