import { mark } from "./internal/marks.ts";

/** What a script of sed does besides changing text. */
export interface SedScript {
  /** Commands that it runs (`e`), and what a line may become that it runs (`s///e`). */
  readonly commands: ReadonlyArray<string>;
  readonly reads: ReadonlyArray<string>;
  readonly writes: ReadonlyArray<string>;
  /** What it runs depends on the text it is given, or the script cannot be read. */
  readonly isOpen: boolean;
}

// Versions of sed differ in whether a bracket hides a delimiter, and in where a label ends.
const dialects = [false, true].flatMap((hasBrackets) =>
  [false, true].map((hasLongLabels) => ({ hasBrackets, hasLongLabels })),
);

/** Reads a script as any version of sed may read it. Pure and total: what cannot be read is `isOpen`. */
export const sedScript = (text: string): SedScript => {
  const commands = new Set<string>();
  const reads = new Set<string>();
  const writes = new Set<string>();
  let isOpen = false;
  let isReadable = false;
  for (const dialect of dialects) {
    const reader = new SedReader(text.replaceAll(mark.blank, " "), dialect);
    isReadable = reader.read() || isReadable;
    isOpen ||= reader.isOpen;
    for (const command of reader.commands) commands.add(command);
    for (const file of reader.reads) reads.add(file);
    for (const file of reader.writes) writes.add(file);
  }
  return { commands: [...commands], reads: [...reads], writes: [...writes], isOpen: isOpen || !isReadable };
};

const endOfCommand = /[ \t]*(?:[;\n]|(?=[}#])|$)/y;
const address = /(?:\d+(?:~\d+)?|\$|[+~]\d+)/y;
const outputs = /^\/dev\/std(?:out|err|in)$/;

class SedReader {
  readonly commands: Array<string> = [];
  readonly reads: Array<string> = [];
  readonly writes: Array<string> = [];
  isOpen = false;
  private at = 0;
  private readonly text: string;
  private readonly dialect: (typeof dialects)[number];

  constructor(text: string, dialect: (typeof dialects)[number]) {
    this.text = text;
    this.dialect = dialect;
  }

  /** Whether all of it can be read. */
  read(): boolean {
    for (;;) {
      this.take(/[\s;]*/y);
      if (this.at >= this.text.length) return true;
      if (!this.takeAddresses() || !this.takeCommand()) return false;
    }
  }

  private takeAddresses(): boolean {
    for (let isFirst = true; ; isFirst = false) {
      const hadOne = this.takeAddress();
      if (hadOne === undefined || (!isFirst && !hadOne)) return false;
      this.take(/[ \t]*/y);
      if (!hadOne || this.take(/,[ \t]*/y) === undefined) break;
    }
    this.take(/[! \t]*/y);
    return true;
  }

  private takeAddress(): boolean | undefined {
    if (this.take(address) !== undefined) return true;
    const open = this.take(/\/|\\[^\n\\]/y);
    if (open === undefined) return false;
    if (this.takeUntil(open.slice(-1), true) === undefined) return undefined;
    this.take(/[IM]*/y);
    return true;
  }

  private takeCommand(): boolean {
    const name = this.text.charAt(this.at++);
    if ("{}".includes(name) && name !== "") return true;
    if ("=dDgGhHnNpPxFz".includes(name) && name !== "") return this.take(endOfCommand) !== undefined;
    switch (name) {
      case "#":
        this.take(/[^\n]*/y);
        return true;
      case "q":
      case "Q":
      case "l":
      case "L":
        this.take(/[ \t]*\d*/y);
        return this.take(endOfCommand) !== undefined;
      case "a":
      case "i":
      case "c":
        // Where more of it stands in the next part of the script, what follows is not sure.
        return this.take(/[ \t]*(?:\\[ \t]*\n?)?(?:[^\\\n]|\\[^])*(?:\n|$)/y) !== undefined;
      case ":":
      case "b":
      case "t":
      case "T":
      case "v":
        this.take(this.dialect.hasLongLabels ? /[^\n]*/y : /[ \t]*[^\s;}]*/y);
        return this.take(endOfCommand) !== undefined;
      case "r":
      case "R":
        this.file(this.reads);
        return true;
      case "w":
      case "W":
        this.file(this.writes);
        return true;
      case "e":
        this.command();
        return true;
      case "s":
        return this.takeSubstitution();
      case "y":
        return this.takeTwo() !== undefined && this.take(endOfCommand) !== undefined;
      default:
        return false;
    }
  }

  private takeTwo(): string | undefined {
    const delimiter = this.take(/[^\n\\]/y);
    if (delimiter === undefined || this.takeUntil(delimiter, true) === undefined) return undefined;
    return this.takeUntil(delimiter, false);
  }

  private takeSubstitution(): boolean {
    const replacement = this.takeTwo();
    if (replacement === undefined) return false;
    const flags = this.take(/(?:[gpIiMme\d]|[ \t]+(?=[^ \t]))*/y) ?? "";
    if (flags.includes("e")) {
      this.commands.push(replacement);
      this.isOpen = true;
    }
    if (this.take(/w/y) === undefined) return this.take(endOfCommand) !== undefined;
    this.file(this.writes);
    return true;
  }

  private command(): void {
    const command = (this.take(/[^\n]*/y) ?? "").trim();
    if (command === "") this.isOpen = true;
    else this.commands.push(command);
  }

  private file(files: Array<string>): void {
    const file = (this.take(/[^\n]*/y) ?? "").replace(/^[ \t]+/, "");
    if (file !== "" && !outputs.test(file)) files.push(file);
  }

  // Up to a delimiter, which is taken as well; its escapes are removed.
  private takeUntil(delimiter: string, isPattern: boolean): string | undefined {
    let found = "";
    while (this.at < this.text.length) {
      const character = this.text.charAt(this.at++);
      if (character === delimiter) return found;
      if (character === "\n" && isPattern) return undefined;
      if (character === "\\") {
        const next = this.text.charAt(this.at++);
        found += next === "n" ? "\n" : next;
      } else if (character === "[" && isPattern && this.dialect.hasBrackets)
        found += character + (this.take(/\^?\]?(?:\[[:.=][^\]\n]*[:.=]\]|[^\]\n])*\]/y) ?? "");
      else found += character;
    }
    return undefined;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}
