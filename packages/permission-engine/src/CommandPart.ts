import type { PartRange, ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** A file that Bash itself opens for a command. */
export interface PartRedirect {
  readonly operator: string;
  /** As written. */
  readonly source: string;
  readonly target: ShellWord;
  readonly isWrite: boolean;
  /** The target is a process substitution: its command is a part of its own. */
  readonly isSubstitution: boolean;
}

/** One name under which a part runs: as written, then as each wrapper passes it on. */
export interface PartLevel {
  readonly argv: Argv;
  /** What follows needs no rule for this level. */
  readonly isTransparent: boolean;
}

/**
 * One simple command of a compound, wherever it stands: in a list, a loop, a substitution, a script given to a shell.
 * Wrappers are unfolded into levels: the last level is what runs in the end.
 */
export interface CommandPart {
  /** As written, assignments and redirections included. */
  readonly source: string;
  /** Outermost first; empty for a part of assignments or redirections only. */
  readonly levels: ReadonlyArray<PartLevel>;
  /** Names of the variables it sets. */
  readonly assigns: ReadonlyArray<string>;
  /** Variables that it gives what other parts print. */
  readonly fills: ReadonlyArray<{ readonly name: string; readonly by: PartRange }>;
  readonly redirects: ReadonlyArray<PartRedirect>;
  /** The folders it may run in. */
  readonly folders: ReadonlyArray<string>;
  /** It may also run in a folder that is not known. */
  readonly isFolderUnknown: boolean;
  /** Words whose contents are run as code. */
  readonly code: ReadonlyArray<ShellWord>;
  /** Output process substitutions that are given its output. */
  readonly outputs: ReadonlyArray<PartRange>;
  /** What it is given may be the harness's own configuration. */
  readonly mayFindConfig?: true;
  /** What its standard input certainly is, where that is not its script. */
  readonly input?: string;
  /** Its standard input is what the part before it in a pipeline prints. */
  readonly isPiped?: true;
  /** Words of its own assignments: `NAME=value`. */
  readonly settings?: ReadonlyArray<ShellWord>;
  /** It runs its standard input as a script, */
  readonly runsInput: boolean;
  /** … and has it from the part before it in the pipeline. */
  readonly readsScript: boolean;
  /** It only passes a script on, whose commands are parts of their own: no rule is needed for itself. */
  readonly carriesScript: boolean;
  /** Stands for what an option or a redirection of another part does: only the fixed rules apply. */
  readonly isImplied: boolean;
  /** Its operands stand for everything below them. */
  readonly isRecursive: boolean;
  /** What runs in the end runs on another machine, or in a container. */
  readonly isRemote?: boolean;
  /** Why it is never allowed without asking. */
  readonly doubts: ReadonlyArray<string>;
}

/** Something about the whole command that forbids allowing it. */
export interface Doubt {
  readonly reason: string;
  readonly source: string;
}

/** A command taken apart. */
export interface CommandAnalysis {
  readonly parts: ReadonlyArray<CommandPart>;
  /** For each pipeline, the parts of its elements in order. */
  readonly pipelines: ReadonlyArray<ReadonlyArray<PartRange>>;
  /** Sources of functions and pipelines that start themselves without end. */
  readonly bombs: ReadonlyArray<string>;
  readonly doubts: ReadonlyArray<Doubt>;
  /** One command with its arguments: no operator, wrapper, substitution, redirection or assignment. */
  readonly isSimple: boolean;
}

/** What runs in the end; empty where nothing does. */
export const innermost = (part: CommandPart): Argv => part.levels.at(-1)?.argv ?? [];
