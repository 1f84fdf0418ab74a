import type { Language } from "../Unwrapped.ts";
import { wrappers } from "./wrappers.ts";

const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  ...["bash", "rbash"].map((name) => [name, "bash"] as const),
  ...["sh", "dash", "ash"].map((name) => [name, "posix"] as const),
  ...["zsh", "ksh", "ksh93", "mksh", "fish", "csh", "tcsh", "yash"].map((name) => [name, "other"] as const),
]);

/** Programs that run shell scripts. */
export const shells: ReadonlySet<string> = new Set(languages.keys());

/** What a shell reads. */
export const shellLanguage = (program: string): Language => languages.get(program) ?? "other";

/** Letters of a shell's options, and of `set`, that change nothing of what a script means to the parser. */
export const harmlessShellOptions = "aBbCcEefhilmnpPrstTuvx";

/** Names behind `-o` that change nothing of it either. */
export const harmlessSettings: ReadonlySet<string> = new Set(
  (
    "allexport braceexpand emacs errexit errtrace functrace hashall ignoreeof interactive-comments monitor noclobber noexec " +
    "noglob nolog notify nounset onecmd physical pipefail privileged verbose vi xtrace"
  ).split(" "),
);

/** Builtins that evaluate array subscripts inside their arguments, quoted ones too. */
export const subscriptBuiltins: ReadonlySet<string> = new Set([
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "printf",
  "test",
  "[",
  "let",
  "wait",
  "getopts",
]);

/** Builtins whose operands name variables they set. */
export const assigningBuiltins: ReadonlySet<string> = new Set([
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "unset",
  "read",
  "mapfile",
  "readarray",
  "printf",
  "getopts",
]);

/** Builtins that change what later commands mean, or run what they are told; they are never allowed by a rule. */
export const meaningBuiltins: ReadonlySet<string> = new Set([
  "alias",
  "unalias",
  "enable",
  "hash",
  "shopt",
  "bind",
  "fc",
  "complete",
  "compgen",
  "compopt",
]);

const reserved: ReadonlySet<string> = new Set(
  (
    ". : [ break builtin cat cd chdir command continue dirs echo eval exec exit false find gfind jobs let popd printf pushd pwd " +
    "return set shift source test times trap true umask xargs gxargs fd fdfind parallel"
  ).split(" "),
);

/** Whether a function of this name would take the place of something whose meaning is relied upon. */
export const isReservedName = (name: string): boolean =>
  reserved.has(name) ||
  shells.has(name) ||
  wrappers.has(name) ||
  subscriptBuiltins.has(name) ||
  assigningBuiltins.has(name) ||
  meaningBuiltins.has(name);
