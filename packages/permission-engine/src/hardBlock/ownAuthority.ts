import { isOption, programName } from "../Program.ts";
import type { ShellWord } from "../ShellWord.ts";
import type { Argv } from "../Unwrapped.ts";
import { block, grave, type HardRule } from "./HardRule.ts";

const rule = "own-authority";

/** Options of `kumiko` whose value is the next word. */
const valued =
  /^(?:-p|-m|--(?:print|image|model|output-format|fallback|rehearsal|mode|allow|deny|cwd|max-turns|resume|fork|unattended|question-timeout|audit-log|log-level|completions))$/;

/** What only tells something. */
const telling: Readonly<Record<string, RegExp>> = {
  sessions: /^(?:list|show|search|export)$/,
  permissions: /^(?:explain|check|test)$/,
  config: /^(?:get|where)?$/,
  models: /^$/,
  usage: /^$/,
  doctor: /^$/,
  audit: /^$/,
};

/**
 * Doing with `kumiko` what is a person's to do: answering a question and changing the settings is refused; whatever
 * starts or steers an agent, or cannot be told from it, is asked about.
 */
export const ownAuthority: HardRule = ({ argv }) => {
  const at = argv.findIndex(isKumiko);
  if (at !== 0 && !(at > 0 && runtimes.test(programName(argv[0])))) return undefined;
  const words = operandsOf(argv.slice(at));
  if (words.some((word) => word === undefined)) return grave(rule, "it may do what is a person's to decide");
  const [command = "", action = "", more = ""] = words.filter((word) => word !== undefined);
  if (command === "answer" && action !== "" && more !== "")
    return block(rule, "it answers a question that is put to a person");
  if (command === "answer") return undefined;
  if (command === "config" && /^(?:set|unset|edit)$/.test(action))
    return block(rule, "it changes the harness's own configuration");
  const isTelling = telling[command]?.test(Object.hasOwn(telling, command) ? operandAction(command, action) : "");
  if (isTelling === true) return undefined;
  const asks = argv.slice(at + 1).some(({ text }) => /^(?:--help|-h|--version|-v)$/.test(text));
  return asks && command === ""
    ? undefined
    : grave(rule, "it starts or steers an agent, which does what its own gate lets it do");
};

const typists: ReadonlySet<string> = new Set("xdotool ydotool wtype dotool evemu-event".split(" "));

/** Typing where a question may stand, and ending or steering the process that asks it. */
export const ownTerminal: HardRule = ({ argv, effects, part, program }) => {
  const words = argv.slice(1).map(({ text }) => text);
  const types =
    typists.has(program) ||
    (program === "tmux" && words.some((word) => /^(?:send|send-keys|send-prefix|paste-buffer|pasteb)$/.test(word))) ||
    (program === "screen" && words.some((word) => /^(?:stuff|paste|readbuf)$/.test(word))) ||
    part.code.some(({ text }) => text.includes("TIOCSTI"));
  if (types) return grave(rule, "it types into a terminal, which may be the one where questions are answered");
  const isOwn = (source: string): boolean => /\$\{?PPID\b/.test(source) || /kumiko/i.test(source);
  const ends =
    effects.some(({ role, word }) => role === "kills" && isOwn(word.source)) ||
    (/^(?:gdb|lldb|strace|ptrace)$/.test(program) && argv.some(({ source }) => /\$\{?PPID\b/.test(source)));
  return ends ? grave(rule, "it may end, or reach into, the very process that asks for permission") : undefined;
};

const isKumiko = (word: ShellWord): boolean =>
  /^kumiko(?:\.[cm]?[jt]s)?$/.test(programName(word)) || word.text === "@kumiko/cli";

/** What runs a program that is given by its file. */
const runtimes = /^(?:node|nodejs|bun|deno|tsx|ts-node)$/;

// Of these the next word is what they are about, not what they do.
const operandAction = (command: string, action: string): string =>
  ["models", "usage", "doctor", "audit"].includes(command) ? "" : action;

// The words that are no options and no values of options; undefined: what stands there is not known.
const operandsOf = (argv: Argv): ReadonlyArray<string | undefined> => {
  const found: Array<string | undefined> = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    if (!word.isStatic) found.push(undefined);
    else if (!isOption(word)) found.push(word.text);
    else if (valued.test(word.text)) at++;
  }
  return found;
};
