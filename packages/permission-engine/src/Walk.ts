import type { SyntaxNode } from "unbash";
import { type Folders, joinFolders, withFolder } from "./buildPart.ts";
import { type CommandPart, type Doubt, innermost } from "./CommandPart.ts";
import { programName } from "./Program.ts";
import { type PartRange, plainWord } from "./ShellWord.ts";

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
  /** All folders the command may ever be in. */
  folders: Folders;
  isFull: boolean;
}

/** Where the walk stands. `folders` changes as `cd` commands are passed, hence one scope per subshell. */
export interface Scope {
  depth: number;
  folders: Folders;
  readonly scripts: number;
  readonly source: string;
  /** Text on standard input, where it is known; `isPiped`: it comes from another command. */
  readonly input?: string;
  readonly isPiped?: boolean;
}

/** Notes why the whole command is never allowed. The first 32 are kept: one is enough. */
export const doubt = (walk: Walk, reason: string, source: string): void => {
  if (walk.doubts.length < 32) walk.doubts.push({ reason, source });
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
  if (program === "popd") walk.folders = scope.folders = { ...scope.folders, isUnknown: true };
  if (program !== "cd" && program !== "pushd" && program !== "chdir") return;
  const target = argv.slice(1).find((word) => !/^-[A-Za-z@-]+$|^--$/.test(word.text)) ?? plainWord("~");
  scope.folders =
    target.text === "-" || target.text.startsWith("+")
      ? { ...scope.folders, isUnknown: true }
      : withFolder(scope.folders, target);
  walk.folders = joinFolders(walk.folders, scope.folders);
};

/** A node as written. */
export const textOf = (scope: Scope, node: SyntaxNode): string => scope.source.slice(node.pos, node.end);
