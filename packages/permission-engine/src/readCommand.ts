import { type Risk, worseRisk } from "@kumiko/plugin-api";
import { isMark, mark } from "./internal/marks.ts";
import { withoutPrefix } from "./internal/withoutPrefix.ts";
import type { Also, Change, CommandEntry, Role } from "./knowledge/CommandEntry.ts";
import { compileEntry, type KnownCommand, type KnownOption, operandRoles } from "./knowledge/compileEntry.ts";
import { type CommandNode, findChild, findProgram } from "./knowledge/findCommand.ts";
import { programName } from "./Program.ts";
import { readScripts } from "./readScripts.ts";
import { plainWord, type ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** A word, with what the command does to it. */
export interface RoledWord {
  readonly role: Role;
  readonly word: ShellWord;
}

/** The arguments of a command, read by what is known of it. */
export interface CommandReading {
  /** The words it is known by: `git log`. */
  readonly words: string;
  /** Undefined: the program, or its sub-command, is not known. */
  readonly entry: CommandEntry | undefined;
  readonly risk: Risk;
  readonly roled: ReadonlyArray<RoledWord>;
  readonly also: Also;
  /** Words that count as values of options which only change how something is shown. */
  readonly values: Argv;
  /** Takes everything below its operands. */
  readonly isRecursive: boolean;
  /** Every option is listed, spelled in full, and none changes the risk. */
  readonly isPlain: boolean;
  /** Its sub-command is only known when the command runs. */
  readonly isOpen: boolean;
  /** The first option that makes a command which only reads write a file, run something or take something away. */
  readonly beyond: ShellWord | undefined;
  /** The arguments without what stands between the program and its sub-command. */
  readonly direct: Argv;
}

/** Reads an argument list. Pure and total; what is not known gets the role `unknown`. */
export const readCommand = (argv: Argv): CommandReading => {
  const before = seen.get(argv);
  if (before !== undefined) return before;
  const found = findProgram(programName(argv[0]));
  const made = found === undefined ? nothingKnown(argv) : new Reader(argv, found).read();
  seen.set(argv, made);
  return made;
};

const seen = new WeakMap<Argv, CommandReading>();

/** Stands for the folder that a command runs in, where it names none. */
export const workingFolder: ShellWord = plainWord(".");

const nothingKnown = (argv: Argv): CommandReading => ({
  words: argv[0]?.text ?? "",
  entry: undefined,
  risk: "remote-write",
  roled: argv.slice(1).map((word) => ({ role: "unknown", word })),
  also: {},
  values: [],
  isRecursive: false,
  isPlain: false,
  isOpen: false,
  beyond: undefined,
  direct: argv,
});

class Reader {
  private at = 1;
  private node: CommandNode;
  private known: KnownCommand | undefined;
  private path: Argv;
  private readonly argv: Argv;
  private readonly roled: Array<RoledWord> = [];
  private readonly changes: Array<NonNullable<KnownOption["change"]>> = [];
  private readonly operands: Array<ShellWord> = [];
  private readonly values: Array<ShellWord> = [];
  private risk: Risk = "read";
  private isRecursive = false;
  private isPlain = true;
  private isPassing = false;
  private beyond: ShellWord | undefined;
  private folder: ShellWord | undefined;

  constructor(argv: Argv, node: CommandNode) {
    this.argv = argv;
    this.node = node;
    this.path = argv.slice(0, 1);
    this.known = node.entry === undefined ? undefined : compileEntry(node.entry);
  }

  read(): CommandReading {
    const start = this.readWords();
    const entry = this.node.entry;
    if (entry === undefined) this.worsen("remote-write");
    else this.finish(entry);
    return {
      words: this.node.words,
      entry,
      risk: this.risk,
      roled: this.roled,
      also: this.changes.findLast((change) => change.also !== undefined)?.also ?? entry?.also ?? {},
      values: this.values,
      isRecursive: this.isRecursive || entry?.recursive === "always",
      isPlain: this.isPlain && entry !== undefined,
      isOpen: this.operands[0]?.isStatic === false && hasCommands(this.node),
      beyond: this.beyond,
      direct: [...this.path, ...this.argv.slice(start)],
    };
  }

  // Gives the place where the arguments of the sub-command start.
  private readWords(): number {
    let start = 1;
    let onlyOperands = false;
    for (; this.at < this.argv.length; this.at++) {
      const word = this.argv[this.at];
      if (word === undefined) break;
      if (this.isPassing) this.roled.push({ role: "passed", word });
      else if (onlyOperands) this.operands.push(word);
      else if (this.descend(word)) start = this.at + 1;
      else if (word.text === "--" && word.isStatic) {
        onlyOperands = true;
        this.isPassing = this.known?.entry.passesRest === true;
      } else if (word.shape.startsWith(mark.unknown)) {
        // It may be any option, or more than one word.
        this.operands.push(word);
        if (!isQuietlyOpen(this.known)) this.worsen("remote-write");
        this.isPlain = false;
      } else if (isOptionWord(word)) this.readOption(word, word.text);
      else if (this.isBare(word)) this.readBare(word);
      else if (!this.readPair(word)) this.operands.push(word);
    }
    return start;
  }

  // Follows the words of a sub-command as far as something is known of it.
  private descend(word: ShellWord): boolean {
    if (this.operands.length > 0 || this.node.children.size === 0) return false;
    let node: CommandNode | undefined = this.node;
    let found: { readonly node: CommandNode; readonly entry: CommandEntry; readonly at: number } | undefined;
    for (let at = this.at, next: ShellWord | undefined = word; next?.isStatic === true; next = this.argv[++at]) {
      node = findChild(node, next.text) ?? findChild(node, next.text.toLowerCase());
      if (node === undefined) break;
      if (node.entry !== undefined) found = { node, entry: node.entry, at };
    }
    if (found === undefined) return false;
    const words = this.argv.slice(this.at, found.at + 1);
    // What was said before the sub-command was said to another one: `git config -f file --get name`.
    if (this.roled.some(({ role }) => role !== "text")) this.isPlain = false;
    if (!found.node.words.endsWith(words.map(({ text }) => text).join(" "))) this.isPlain = false;
    this.node = found.node;
    this.known = compileEntry(found.entry);
    this.path = [...this.path, ...words];
    this.at = found.at;
    return true;
  }

  private isBare(word: ShellWord): boolean {
    return this.at === 1 && this.known?.entry.hasBareOptions === true && /^[A-Za-z]+$/.test(word.text);
  }

  // `tar xfC a.tar folder`: the values follow in the order of the letters.
  private readBare(word: ShellWord): void {
    for (const letter of word.text) {
      if (this.at >= this.argv.length) break;
      const option = this.known?.options.get(`-${letter}`);
      if (option === undefined) this.noteUnknown(word);
      else this.use(option, option.takes === "value" ? this.argv[++this.at] : undefined);
    }
  }

  // `of=disk` and `!`: options without a dash.
  private readPair(word: ShellWord): boolean {
    // `less +!command`
    const plus = word.shape.startsWith("+") ? this.known?.options.get("+") : undefined;
    if (plus !== undefined) {
      this.use(plus, withoutPrefix(word, 1));
      return true;
    }
    const bare = this.known?.options.get(word.shape);
    if (bare?.takes === "none") {
      this.use(bare, undefined);
      return true;
    }
    const equals = word.shape.indexOf("=");
    const option = equals < 1 ? undefined : this.known?.options.get(word.shape.slice(0, equals));
    if (option === undefined) return false;
    this.use(option, withoutPrefix(word, equals + 1));
    return true;
  }

  private readOption(word: ShellWord, text: string): void {
    const { known } = this;
    if (known === undefined || [...nameOf(text)].some(isMark)) return this.noteUnknown(word);
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const exact = known.options.get(name) ?? (isGoStyle(known, name) ? known.options.get(name.slice(1)) : undefined);
    if (exact !== undefined) return this.take(exact, word, equals < 0 ? undefined : equals + 1);
    if (!text.startsWith("--") && this.readCluster(word, text, known)) return undefined;
    const cut = name.startsWith("--") && name.length > 3 ? [...known.options.values()] : [];
    const meant = cut.filter((option) => option.name.startsWith(name));
    if (meant.length === 0) return this.noteUnknown(word);
    this.isPlain = false;
    // A long name cut short: all that it may mean.
    for (const option of meant) this.use(option, equals < 0 ? this.argv[this.at + 1] : withoutPrefix(word, equals + 1));
    if (equals < 0 && meant.some((option) => option.takes === "value")) this.at++;
    return undefined;
  }

  // Letters that are known count even beside one that is not.
  private readCluster(word: ShellWord, text: string, known: KnownCommand): boolean {
    if (known.entry.clusters?.test(text) === false) return false;
    const taken: Array<readonly [option: KnownOption, valueAt: number | undefined]> = [];
    let isWhole = true;
    for (let at = 1; at < text.length; at++) {
      const letter = text.charAt(at);
      const option = known.options.get(`-${letter}`) ?? (/\d/.test(letter) ? known.options.get("-#") : undefined);
      if (option === undefined) {
        isWhole = false;
        continue;
      }
      const isLast = at === text.length - 1;
      taken.push([option, isLast ? undefined : at + 1]);
      if (isWhole && option.takes !== "none" && !isLast) break;
    }
    const shift = text.length - word.text.length;
    for (const [option, valueAt] of taken)
      if (isWhole)
        this.take(option, word, option.takes === "none" || valueAt === undefined ? undefined : valueAt - shift);
      else if (known.recursive.has(option.name)) this.isRecursive = true;
      // … and so does what the last of them would run.
      else if (option.use === "script" && option.takes === "value" && valueAt === undefined)
        this.use(option, this.argv[this.at + 1]);
    return isWhole && taken.length > 0;
  }

  private take(option: KnownOption, word: ShellWord, valueAt: number | undefined): void {
    const value = valueAt === undefined ? undefined : withoutPrefix(word, valueAt);
    switch (option.takes) {
      case "none":
        // `--short=x`, where `--short` takes nothing, is another option.
        return value === undefined ? this.use(option, undefined) : this.noteUnknown(word);
      case "attached":
        return this.use(option, value);
      case "value":
        return this.use(option, value ?? this.nextValue(option));
      case "two":
        this.at += 2;
        return this.use(option, this.argv[this.at]);
      case "first":
        this.at += 2;
        return this.use(option, this.argv[this.at - 1]);
      case "command": {
        const end = this.argv.findIndex((other, index) => index > this.at && /^[;+]$/.test(other.text));
        this.at = end < 0 ? this.argv.length : end;
        return this.use(option, word);
      }
      case "rest":
        this.use(option, word);
        for (const passed of this.argv.slice(this.at + 1)) this.roled.push({ role: "passed", word: passed });
        this.at = this.argv.length;
        return undefined;
    }
  }

  private nextValue({ use }: KnownOption): ShellWord | undefined {
    const word = this.argv[++this.at];
    if (use !== undefined || word === undefined) return word;
    this.values.push(word);
    // Where the one before takes no value after all, it is an option of its own.
    if (this.known?.entry.isSafe === true && /^-\D/.test(word.text)) {
      this.noteUnknown(word);
      const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(word.text) ?? [];
      const option = name === undefined ? undefined : this.known.options.get(name);
      if (option !== undefined) this.use(option, withoutPrefix(word, word.text.length - (value ?? "").length));
    }
    return word;
  }

  private use({ name, use, change }: KnownOption, value: ShellWord | undefined): void {
    if (this.known?.recursive.has(name) === true) this.isRecursive = true;
    if (this.known?.folders.has(name) === true) this.folder = value;
    if (change !== undefined) this.changes.push(change);
    const special = this.known?.entry.byValue?.[name];
    if (special !== undefined && value?.isStatic === true && special.fits.test(value.text)) {
      this.worsen(riskOfRole(special.role));
      this.roled.push({ role: special.role, word: value });
      return;
    }
    if (use === undefined) return;
    if (this.known?.entry.risk === "read" && isBeyond(use)) this.beyond ??= plainWord(name);
    if (use === "local-write" || use === "remote-write" || use === "irreversible") {
      this.isPlain = false;
      this.worsen(use);
      return;
    }
    this.worsen(riskOfRole(use));
    this.roled.push({ role: use, word: value ?? plainWord(use === "redefines" ? name : ".") });
  }

  private noteUnknown(word: ShellWord): void {
    if (this.known?.takesAnyFlag === true) {
      // Taken by a program whose sub-command may be on the safe list, it is not harmless.
      if (this.known.entry.isSafe !== true) this.isPlain = false;
      this.roled.push({ role: runningName.test(word.text) || writingName.test(word.text) ? "unknown" : "text", word });
      return;
    }
    this.isPlain = false;
    this.worsen("remote-write");
    this.roled.push({ role: this.known?.entry.redefinedBy?.test(word.text) === true ? "redefines" : "unknown", word });
  }

  private finish(entry: CommandEntry): void {
    // The one that stands last in the entry wins.
    this.changes.sort((a, b) => a.order - b.order);
    const last = <Key extends "risk" | "operands">(key: Key): Change[Key] | undefined =>
      this.changes.findLast((change) => change[key] !== undefined)?.[key];
    this.worsen(last("risk") ?? entry.risk);
    const { first, many, last: ending } = operandRoles(last("operands") ?? entry.operands ?? "");
    const { operands } = this;
    const count = operands.length;
    if (count <= (many === undefined ? 0 : first.length) && entry.here !== undefined)
      this.roled.push({ role: entry.here, word: workingFolder });
    if (entry.hereIfRecursive !== undefined && this.isRecursive && count <= first.length)
      this.roled.push({ role: entry.hereIfRecursive, word: workingFolder });
    for (const [index, named] of operands.entries()) {
      const word = this.folder === undefined ? named : inFolder(this.folder, named);
      const fromEnd = index - Math.max(count - ending.length, first.length);
      const role = first[index] ?? (fromEnd >= 0 ? ending[fromEnd] : many) ?? "unknown";
      if (entry.redefinedBy?.test(word.text) === true) {
        this.worsen("remote-write");
        this.roled.push({ role: "redefines", word });
        continue;
      }
      if (entry.codeIf?.test(word.text) === true) {
        this.worsen("remote-write");
        this.roled.push({ role: "code", word });
        continue;
      }
      const isPlainCode = role === "code" && word.isStatic && entry.plainCode?.test(word.text) === true;
      if (!isPlainCode) this.worsen(riskOfRole(role));
      this.roled.push({ role: isPlainCode ? "text" : role, word });
      if (entry.edits === true && role === "writes") this.roled.push({ role: "reads", word });
    }
    if (entry.codeIs === "sed") this.roled.push(...readScripts(this.roled));
  }

  private worsen(risk: Risk): void {
    this.risk = worseRisk(this.risk, risk);
  }
}

// … or that they name what is written.
const writingName = /^--?(?:[a-z]+-)*(?:out|output|outdir|outfile|dest|destination|dist|save|report)(?:-[a-z]+)*=/i;

const isBeyond = (use: NonNullable<KnownOption["use"]>): boolean =>
  use === "writes" || use === "script" || use === "remote-write" || use === "irreversible";

// Options that nobody listed, but whose names say that they run something.
const runningName =
  /^--?(?:[a-z]+-)*(?:exec|execute|command|cmd|run|shell|script|eval|program|invoke|hook)(?:-[a-z]+)*(?:=|$)/;

const hasCommands = ({ children, entry }: CommandNode): boolean =>
  (entry === undefined || operandRoles(entry.operands ?? "").many === "unknown") &&
  [...children.keys()].some((name) => !name.startsWith("-"));

const inFolder = (folder: ShellWord, word: ShellWord): ShellWord =>
  word.shape.startsWith("/")
    ? word
    : {
        ...word,
        text: `${folder.text}/${word.text}`,
        shape: `${folder.shape}/${word.shape}`,
        isStatic: folder.isStatic && word.isStatic,
      };

const isOptionWord = ({ shape }: ShellWord): boolean => shape.startsWith("-") && shape !== "-";

const nameOf = (text: string): string => text.replace(/=.*$/s, "");

const isGoStyle = ({ entry }: KnownCommand, name: string): boolean =>
  entry.hasSingleDashNames === true && name.startsWith("--");

// Whether a word of unknown value can do no harm, whatever option it may be.
const isQuietlyOpen = (known: KnownCommand | undefined): boolean =>
  known !== undefined && (known.takesAnyFlag || (known.entry.options === undefined && known.entry.when === undefined));

const riskOfRole = (role: Role): Risk => {
  switch (role) {
    case "writes":
    case "touches":
    case "links":
    case "chmods":
    case "deletes":
    case "moves":
    case "mirrors":
    case "may-write":
    case "makes":
      return "local-write";
    case "runs":
    case "code":
    case "script":
    case "redefines":
    case "unknown":
    case "formats":
    case "wipes":
      return "remote-write";
    default:
      return "read";
  }
};
