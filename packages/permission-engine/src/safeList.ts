import type { CommandAnalysis } from "./CommandPart.ts";
import { innermost } from "./CommandPart.ts";
import { type SafeCommand, safeCommands } from "./knowledge/safeCommands.ts";
import { expandHome, isInside, resolvePath } from "./PathKey.ts";
import { sensitiveRule } from "./SensitivePath.ts";
import type { Argv } from "./Unwrapped.ts";

const byProgram = new Map<
  string,
  ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly command: SafeCommand }>
>();
for (const command of safeCommands) {
  const words = command.words.split(" ");
  const program = words[0] ?? "";
  byProgram.set(program, [...(byProgram.get(program) ?? []), { words, command }]);
}

/** Where a command reads without asking. All absolute. */
export interface SafePlace {
  readonly home: string;
  readonly cwd: string;
  readonly roots: ReadonlyArray<string>;
}

/** The entry of the safe list that lets a command run, or undefined. Only a simple command can have one. */
export const safeEntry = (analysis: CommandAnalysis, place: SafePlace): SafeCommand | undefined => {
  const [part] = analysis.parts;
  if (!analysis.isSimple || part === undefined || part.doubts.length > 0) return undefined;
  const argv = innermost(part);
  return argv.some((word) => word.isExpanded) ? undefined : safeEntryOf(argv, place);
};

/** The entry of the safe list that an argument list is within, wherever it stands: tells its risk. */
export const safeEntryOf = (argv: Argv, place: SafePlace): SafeCommand | undefined => {
  if (argv.some((word) => !word.isStatic)) return undefined;
  const texts = argv.map((word) => word.text);
  return byProgram
    .get(texts[0] ?? "")
    ?.find(
      ({ words, command }) =>
        words.every((word, index) => texts[index] === word) && isWithinBounds(argv.slice(words.length), command, place),
    )?.command;
};

const isWithinBounds = (argv: Argv, command: SafeCommand, place: SafePlace): boolean => {
  const operands: Array<string> = [];
  for (let at = 0; at < argv.length; at++) {
    const text = argv[at]?.text ?? "";
    if (text === "--" || (text === "-args" && command.only?.includes("-args") === true)) {
      // Behind it, test runners take options of the tests; everybody else takes operands.
      if (command.operands !== "targets") operands.push(...argv.slice(at + 1).map((word) => word.text));
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      operands.push(text);
      continue;
    }
    if (command.never !== undefined && isAmong(text, command.never)) return false;
    if (command.only === undefined) continue;
    const use = allowedUse(text, command.only);
    if (use === "no") return false;
    if (use === "value") at++;
  }
  const isMentioned = operands.some((operand) => command.neverMentions?.some((word) => operand.includes(word)));
  return (
    !isMentioned && operands.length <= (command.mostOperands ?? Infinity) && areHarmless(operands, argv, command, place)
  );
};

const isAmong = (option: string, never: ReadonlyArray<string>): boolean => {
  const name = option.replace(/=.*$/s, "");
  return never.some((refused) =>
    refused.startsWith("--") && name.startsWith("--")
      ? refused.startsWith(name)
      : option === refused ||
        (refused.length === 2 && !option.startsWith("--") && option.slice(1).includes(refused[1] ?? "")),
  );
};

const allowedUse = (option: string, only: ReadonlyArray<string>): "flag" | "value" | "no" => {
  const name = option.replace(/=.*$/s, "");
  if (only.includes(name)) return "flag";
  if (only.includes(`${name}=`)) return name === option ? "value" : "flag";
  if (!/^-[A-Za-z0-9]+$/.test(option)) return "no";
  for (const [index, letter] of Array.from(option.slice(1)).entries()) {
    if (only.includes(`-${letter}=`)) return index === option.length - 2 ? "value" : "flag";
    if (!only.includes(`-${letter}`) && !(index > 0 && /\d/.test(letter))) return "no";
  }
  return "flag";
};

const areHarmless = (
  operands: ReadonlyArray<string>,
  argv: Argv,
  { operands: use }: SafeCommand,
  place: SafePlace,
): boolean => {
  switch (use) {
    case "none":
      return operands.length === 0;
    case "text":
      return true;
    case "format":
      return operands.every((operand) => operand.startsWith("+"));
    case "names":
      return operands.every((operand) => sensitiveRule(absolute(operand, place), "read") === undefined);
    case "files":
      return operands.every((operand) => isOpenFile(operand, place));
    case "pattern-files": {
      const hasPattern = argv.some((word) => /^(?:-[A-Za-z]*e|--regexp)/.test(word.text));
      return operands.slice(hasPattern ? 0 : 1).every((operand) => isOpenFile(operand, place));
    }
    case "targets":
      return operands.every(
        (operand) => /^[\w./:*-]+$/.test(operand) && isInWorkspace(absolute(operand, place), place),
      );
  }
};

const absolute = (path: string, { cwd, home }: SafePlace): string => resolvePath(cwd, expandHome(path, home));

const isInWorkspace = (path: string, { roots }: SafePlace): boolean => roots.some((root) => isInside(path, root));

const isOpenFile = (operand: string, place: SafePlace): boolean => {
  if (operand === "-") return true;
  const path = absolute(operand, place);
  return isInWorkspace(path, place) && sensitiveRule(path, "read") === undefined;
};
