import type { ShellWord } from "./ShellWord.ts";

/** A program and its arguments. */
export type Argv = ReadonlyArray<ShellWord>;

/** Which shell reads a script; `posix` is `sh`, which may or may not be Bash. */
export type Language = "bash" | "posix" | "other";

/** Shell source found in an argument or on standard input. */
export interface ScriptSource {
  readonly text: string;
  /** The text is exactly what will run. */
  readonly isStatic: boolean;
}

/** A command started beside the one that names it: by `find -exec` and the like. */
export interface StartedCommand {
  readonly argv: Argv;
  /** Stands for what an option does (`find -delete`): fixed rules apply, configured ones do not. */
  readonly isImplied: boolean;
  /** It is given every file below the operands. */
  readonly isRecursive: boolean;
  /** What it is given may be the harness's own configuration, by the names that are looked for. */
  readonly mayFindConfig?: true;
}

/** What the arguments of one command would run besides the program itself. */
export interface Unwrapped {
  /** The command this one becomes (`nice -n 5 make` becomes `make`). */
  readonly inner?: Argv;
  readonly started: ReadonlyArray<StartedCommand>;
  readonly scripts: ReadonlyArray<ScriptSource>;
  /** Words whose contents are run as code. */
  readonly code: ReadonlyArray<ShellWord>;
  /** Runs what it reads from standard input. */
  readonly readsScript: boolean;
  /** What the scripts are written in; absent: in the language of the command itself. */
  readonly language?: Language | "no shell";
  /** A rule for what is inside is enough. */
  readonly isTransparent: boolean;
  /** Variables set for the inner command. */
  readonly assigns: ReadonlyArray<string>;
  /** The folder the inner command starts in. */
  readonly folder?: ShellWord;
  /** It starts in another folder, which is not known. */
  readonly isMoved?: boolean;
  /** Why the inner command may be another than it seems. */
  readonly doubts: ReadonlyArray<string>;
}

/** A command that runs nothing but itself. */
export const unwrappedNothing: Unwrapped = {
  started: [],
  scripts: [],
  code: [],
  readsScript: false,
  isTransparent: false,
  assigns: [],
  doubts: [],
};
