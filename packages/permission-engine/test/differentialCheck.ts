import { analyseCommand } from "../src/analyseCommand.ts";
import type { CommandAnalysis } from "../src/CommandPart.ts";
import { type CommandPolicy, decideCommand } from "../src/index.ts";
import { isMark, mark } from "../src/internal/marks.ts";
import type { ShellWord } from "../src/ShellWord.ts";
import type { Argv } from "../src/Unwrapped.ts";
import type { Ran, Sandbox } from "./differentialSandbox.ts";

/** A script that did what its analysis did not say. */
export interface Fault {
  readonly script: string;
  /** The calls that no part stands for. */
  readonly unlisted: ReadonlyArray<string>;
  /** The calls that ran although a rule denies them. */
  readonly denied: ReadonlyArray<string>;
}

/** What came of one script: judged `allow` and hence run, or not. */
export interface Checked {
  readonly isRun: boolean;
  readonly isCut: boolean;
  readonly calls: number;
  readonly fault?: Fault;
}

/** The rules under which whatever may be allowed is. */
export const allowAllIn = ({ cwd, home }: Sandbox): CommandPolicy => ({ allow: ["*"], deny: [], cwd, home });

/**
 * Runs a script that the gate allows and compares. One that the gate does not allow is not run: nothing that it does
 * can be a fault, as a denial never makes a verdict milder.
 */
export const checkScript = async (script: string, sandbox: Sandbox): Promise<Checked> => {
  const policy = allowAllIn(sandbox);
  if (decideCommand(script, policy).verdict !== "allow") return { isRun: false, isCut: false, calls: 0 };
  const { ran, isCut } = await sandbox.run(script);
  const analysis = analyseCommand(script, policy);
  // A stub is a script: `bash one` finds it on PATH. Files are not looked into.
  const scripts = new Set(analysis.parts.flatMap(({ code }) => code.map(scriptName)));
  const own = ran.filter((call) => !(scripts.has("f1") && shown(call) === inFile));
  const unlisted = own.filter((call) => !isListed(call, analysis)).map(shown);
  const denied = own
    .filter(({ name }) => !scripts.has(name))
    .filter((call) => denialsOf(call).some((deny) => decideCommand(script, { ...policy, deny }).verdict === "allow"))
    .map(shown);
  const base = { isRun: true, isCut, calls: ran.length };
  return unlisted.length + denied.length === 0 ? base : { ...base, fault: { script, unlisted, denied } };
};

// What the file `f1` of the sandbox runs.
const inFile = JSON.stringify(["one", "from", "file"]);

const shown = ({ name, args }: Ran): string => JSON.stringify([name, ...args]);

// Rules that forbid the program, and this very call where a glob can say so.
const denialsOf = ({ name, args }: Ran): ReadonlyArray<ReadonlyArray<string>> => {
  const exact = [name, ...args].join(" ");
  return [[name, `${name} *`], ...(/[*?]/.test(exact) ? [] : [[exact]])];
};

const isListed = ({ name, args }: Ran, { parts }: CommandAnalysis): boolean => {
  const called = [name, ...args].map((word) => `\0${word}`).join("");
  return parts.some(
    ({ levels, code }) =>
      levels.some(({ argv }) => patternOf(argv).test(called)) || code.some((file) => scriptName(file) === name),
  );
};

// A stub writes down its own name, without the folder it was started from.
const scriptName = ({ text }: ShellWord): string => text.split("/").at(-1) ?? "";

const patternOf = (argv: Argv): RegExp =>
  new RegExp(`^${argv.map((word, index) => wordPattern(word, index === 0)).join("")}$`, "s");

const wordPattern = (word: ShellWord, isName: boolean): string => {
  const folder = isName ? "\0(?:.*/)?" : "\0";
  if (word.isStatic) return folder + escaped(isName ? (word.text.split("/").at(-1) ?? "") : word.text);
  // Splitting and patterns make several words of one, or none; without a user of that name, `~name` stays as it is.
  const pattern = Array.from(word.shape, (letter) =>
    letter === mark.blank ? " " : isMark(letter) ? ".*" : escaped(letter),
  ).join("");
  const forms = `(?:${pattern}|${escaped(word.text)})`;
  return /^(?:\.\*)+$/.test(pattern) ? `(?:${folder}.*)?` : folder + forms;
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
