import type { Risk } from "@kumiko/plugin-api";

/**
 * What a word of a command stands for, and what is done to it.
 *
 * `text` is never opened. Files: `reads`; `lists` (looked at by name); `writes`; `touches` (made, or its name or time
 * changed); `links` (given another name, by which it can be read and written); `chmods` (mode or owner); `deletes`; `moves` (away from there); `mirrors` (made the likeness of another,
 * whatever it held before); `may-write` (a name, or a file that is then written). `makes`: something local that is no file, such as a branch. Disks: `formats` (if it is one), `wipes`. `connects`: a host or address; `remote-reads` and `remote-writes`:
 * `host:path` or a file. `runs`: a program or script; `code`: source text; `script`: shell
 * text, whose commands are parts of their own; `redefines`: what makes the command another one, so that a rule has to name it. `starts`: a command that is a part of its own.
 * `kills`: a process. `mounts`: `folder:place` or `source=folder,…`, laid open to a container.
 * `passed`: an argument for what it runs. `targets`: names of what to build, inside the workspace. `finds`: a pattern of files to read; `reveals`: hidden files are read, too. `unknown`: nobody here knows.
 */
export type Role = (typeof roles)[number];

/** All roles. */
export const roles = [
  "text",
  "reads",
  "lists",
  "writes",
  "touches",
  "links",
  "chmods",
  "deletes",
  "moves",
  "mirrors",
  "may-write",
  "makes",
  "formats",
  "wipes",
  "connects",
  "remote-reads",
  "remote-writes",
  "runs",
  "code",
  "script",
  "redefines",
  "starts",
  "kills",
  "mounts",
  "passed",
  "targets",
  "reveals",
  "finds",
  "unknown",
] as const;

/** What a given option changes about the whole command. */
export interface Change {
  readonly risk?: Risk;
  readonly operands?: string;
  readonly also?: Also;
}

/** Effects that no word names. Files are relative to the working folder, the others are said in words. */
export type Also = Readonly<Partial<Record<"reads" | "writes" | "deletes" | "runs" | "connects" | "unknown", string>>>;

/**
 * What is known of a command. Data only: to teach the engine a command, add an entry with its examples.
 *
 * Lists of options are separated by blanks: `-x`; `--name=` takes a value, attached or in the next word; `--name[=]` only an
 * attached one; `--arg==` takes the next two words, of which the last is what it is about, `-x=:` the first; `-exec[;]` takes words up to `;`; `-x[*]` all the rest; `-#` is a dash and digits;
 * `of=` and `(` need no dash; `+` is any word that starts so.
 */
export interface CommandEntry {
  /** The program and its sub-command; several that are alike are separated by ` | `. */
  readonly command: string;
  /** Its worst risk within what is listed below. Options that are not listed make it `remote-write`: unknown. */
  readonly risk: Risk;
  /** The roles of its operands, in order; `role*` takes any number: `reads* writes`. Empty: it takes none. */
  readonly operands?: string;
  /** The files that it writes by their name, it also reads. */
  readonly edits?: true;
  /** The role of the working folder where none is given: no operand that any number could follow. A pipe takes its place. */
  readonly here?: Role;
  /** … and only where all below is taken. */
  readonly hereIfRecursive?: Role;
  /** Options that change what is shown or how, and nothing else; `*` at the end for any other. */
  readonly flags?: string;
  /** Options that do something: to their value (a role), or at all (a risk). */
  readonly options?: Readonly<Record<string, Role | Exclude<Risk, "read">>>;
  /** Options that change what the command is about; where two are given, the one further down here wins. */
  readonly when?: Readonly<Record<string, Change>>;
  readonly also?: Also;
  /** Options that take everything below the operands; `always`: it does so anyway. */
  readonly recursive?: string;
  /** Into a folder, it puts files under the name they have (`names`), or under the paths that it is given (`paths`). */
  readonly lands?: "names" | "paths";
  /** Options whose value is the folder that its operands start at. */
  readonly folder?: string;
  /** Values of options that make of them something else than they are otherwise. */
  readonly byValue?: Readonly<Record<string, { readonly fits: RegExp; readonly role: Role }>>;
  /** Words after `--` are for what it runs. */
  readonly passesRest?: true;
  /** Code that certainly does nothing but what the command is known for counts as text. */
  readonly plainCode?: RegExp;
  /** What its code is written in: the files and commands that are named in it count as those of its arguments. */
  readonly codeIs?: "sed";
  /** An operand that fits makes it another command: a rule has to name it. */
  readonly redefinedBy?: RegExp;
  /** An operand that fits is code. */
  readonly codeIf?: RegExp;
  /** The first word may hold options without a dash: `tar xzf`. */
  readonly hasBareOptions?: true;
  /**
   * What of several letters behind one dash it reads as options; anything else is unknown. For programs that do not take
   * a value from the rest of the word, or read such a word as a name.
   */
  readonly clusters?: RegExp;
  /** `--name` is the same as `-name`. */
  readonly hasSingleDashNames?: true;
  /**
   * It may run without a rule, as one plain command of literal words: with listed options only, as long as the files it
   * reads are in the workspace and not sensitive, and no word does anything else.
   */
  readonly isSafe?: true;
  /** On the safe list only if the first operand fits. */
  readonly firstFits?: RegExp;
  /** Not on the safe list if an operand fits. */
  readonly unless?: RegExp;
  /** A rule for it allows whatever its arguments say: it runs code or other commands, so none is proposed. */
  readonly isRunner?: true;
  /**
   * What is said of commands: a verdict (without any rule), a risk, effects as `kind:target`. All that are given must
   * hold; if there are effects, they must be all.
   */
  readonly examples: Readonly<Record<string, string>>;
}
