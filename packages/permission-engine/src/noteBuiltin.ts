import { type Constants, forgetConstants } from "./Constants.ts";
import { assigningBuiltins, harmlessSettings, harmlessShellOptions } from "./knowledge/shells.ts";
import { programName } from "./Program.ts";
import type { Argv } from "./Unwrapped.ts";
import { noteEvaluated, noteValue } from "./Variables.ts";
import type { Walk } from "./Walk.ts";

/** Notes what a builtin does to variables; answers with why it may do more than it seems. */
export const noteBuiltin = (
  argv: Argv,
  walk: Pick<Walk, "variables" | "hasUnseenCode">,
  constants: Constants | undefined,
): ReadonlyArray<string> => {
  const { variables } = walk;
  const program = programName(argv[0]);
  if (program === "set") return setDoubts(argv);
  if (program === "let") {
    for (const word of argv.slice(1)) noteEvaluated(variables, word.text);
    return [];
  }
  if (program === "test" || program === "[") {
    for (const [index, word] of argv.entries())
      if (word.text === "-v" || word.text === "-R") noteEvaluated(variables, argv[index + 1]?.text ?? "");
      else if (word.isMany === true) noteEvaluated(variables, word.text);
    return [];
  }
  if (!assigningBuiltins.has(program)) return [];
  const doubts: Array<string> = [];
  const isDeclaring = /^(?:declare|typeset|local)$/.test(program);
  const isPrinting = program === "printf";
  for (const [index, word] of argv.entries()) {
    if (index === 0 || (isPrinting && argv[index - 1]?.text !== "-v" && !word.text.startsWith("-v"))) continue;
    if (isDeclaring && /^[-+][A-Za-z]*[inA]/.test(word.text)) doubts.push(`${program} changes how a variable is read`);
    if (word.source !== word.text) {
      forgetConstants(constants);
      walk.hasUnseenCode = true;
    }
    if (word.text.includes("[")) noteEvaluated(variables, word.text);
    if (isDeclaring && /\$\(|`/.test(word.text) && word.runs === undefined)
      doubts.push(`${program} may evaluate the code in a value`);
    if (isPrinting && !word.isStatic) doubts.push("which variable printf sets is only known when the command runs");
    const [, name, value] = /^([A-Za-z_]\w*)(?:\+?=(.*))?$/s.exec(word.text.replace(/^-v/, "")) ?? [];
    // Without a value, `export x` leaves it as it is; `read x` does not.
    const keeps = isDeclaring || /^(?:export|readonly|unset)$/.test(program);
    if (name === undefined || (keeps && value === undefined)) continue;
    noteValue(variables, name, keeps && word.isStatic && !word.text.includes("+=") ? value : undefined);
  }
  return doubts;
};

// `set -k`, `set +B`, `set -o posix`: what follows is read in another way.
const setDoubts = (argv: Argv): ReadonlyArray<string> => {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined || !/^[-+]/.test(word.text) || word.text === "--" || word.text === "-") break;
    const letters = word.text.slice(1);
    const isKnown = [...letters].every((letter) => letter === "o" || harmlessShellOptions.includes(letter));
    const setting = letters.includes("o") ? argv[++at] : undefined;
    const isHarmless = setting === undefined || (setting.isStatic && harmlessSettings.has(setting.text));
    const stopsBraces = word.text.startsWith("+") && (letters.includes("B") || setting?.text === "braceexpand");
    if (!word.isStatic || !isKnown || !isHarmless || stopsBraces) return ["it changes how the rest is read"];
  }
  return [];
};
