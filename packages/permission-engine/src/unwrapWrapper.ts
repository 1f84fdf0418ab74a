import type { Wrapper } from "./knowledge/Wrapper.ts";
import { isOption } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { splitEnvString } from "./splitEnvString.ts";
import { type Argv, type ScriptSource, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";
import { shorten } from "./internal/visible.ts";
import { readWrapperOption } from "./WrapperOption.ts";

/** Follows a wrapper's own options up to the command it runs. `isInstalled`: it is the real one, not a namesake. */
export const unwrapWrapper = (written: Argv, wrapper: Wrapper, isInstalled: boolean): Unwrapped => {
  const name = written[0]?.text ?? "";
  const split = wrapper.splitsStrings === true ? splitEnvString(written) : written;
  if (split === undefined)
    return { ...unwrappedNothing, doubts: [`${name} takes a string apart in a way that is not followed`] };
  const at = split.findIndex(({ text }) => wrapper.behind?.includes(text) === true);
  const prefix = at < 0 ? readPrefix(split, wrapper) : behind(split, at, wrapper);
  if (prefix.isQuery) return { ...unwrappedNothing, doubts: prefix.doubts };
  const { scripts, folder, assigns } = prefix;
  let rest = split.slice(prefix.end);
  const [late, lateScript] = rest;
  // `flock file -c 'script'`
  if (late !== undefined && lateScript !== undefined && wrapper.scripts?.includes(late.text) === true) {
    scripts.push(lateScript);
    rest = [];
  }
  const doubts = [...prefix.doubts];
  if (wrapper.isPermuted === true && rest.length > 0) {
    if (scripts.length === 0) doubts.push(`${name} starts a shell with arguments of its own`);
    rest = [];
  }
  const isJoined = wrapper.joins === true && rest.length > 0;
  return {
    ...unwrappedNothing,
    ...(rest.length > 0 && !isJoined ? { inner: rest } : {}),
    ...(folder === undefined ? {} : { folder }),
    ...(movesAway(split, prefix.end, wrapper) ? { isMoved: true } : {}),
    language: "posix",
    scripts: isJoined ? [joined(rest)] : scripts.map(({ text, isStatic }) => ({ text, isStatic })),
    code: isJoined ? rest : scripts,
    readsScript: prefix.startsShell && rest.length === 0 && scripts.length === 0,
    isTransparent: wrapper.isTransparent && isInstalled && scripts.length === 0 && folder === undefined,
    assigns,
    doubts,
  };
};

const behind = (argv: Argv, at: number, { startsShell }: Wrapper): Prefix => ({
  end: at + 1,
  isQuery: false,
  startsShell: startsShell === true,
  folder: undefined,
  scripts: [],
  assigns: [],
  doubts: argv.slice(0, at).some(({ isMany }) => isMany === true)
    ? [`what ${argv[0]?.text ?? ""} runs is only known when the command runs`]
    : [],
});

const movesAway = (argv: Argv, end: number, { moves }: Wrapper): boolean =>
  moves === true || argv.slice(1, end).some(({ text }) => moves?.some((option) => isGiven(text, option)) === true);

// Alone, with a value attached, or in a cluster.
const isGiven = (text: string, option: string): boolean =>
  text === option ||
  text.startsWith(`${option}=`) ||
  (/^-\w$/.test(option) && /^-\w+$/.test(text) && text.includes(option.charAt(1)));

/** Words as one script, the way `eval` joins them. */
export const joined = (words: Argv): ScriptSource => ({
  text: words.map((word) => word.text).join(" "),
  isStatic: words.every((word) => word.isStatic),
});

interface Prefix {
  /** Where the command starts. */
  readonly end: number;
  readonly isQuery: boolean;
  readonly startsShell: boolean;
  readonly folder: ShellWord | undefined;
  readonly scripts: Array<ShellWord>;
  readonly assigns: ReadonlyArray<string>;
  readonly doubts: ReadonlyArray<string>;
}

const readPrefix = (argv: Argv, wrapper: Wrapper): Prefix => {
  const name = argv[0]?.text ?? "";
  const assigns: Array<string> = [];
  const doubts: Array<string> = [];
  const scripts: Array<ShellWord> = [];
  let folder: ShellWord | undefined;
  let startsShell = wrapper.startsShell === true;
  let operands = wrapper.operands ?? 0;
  let at = 1;
  // What stands before the command decides which word is the command.
  const open = (word: ShellWord | undefined): void => {
    if (word !== undefined && !word.isStatic) doubts.push(`what ${name} runs is only known when the command runs`);
  };
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    const [, assigned, value = ""] = (wrapper.assigns === true && /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text)) || [];
    if (assigned !== undefined) {
      assigns.push(/^[A-Z]/.test(assigned) && !/^[\w.,:/@%+-]*$/.test(value) ? shorten(word.text, 60) : assigned);
      if (word.isMany === true) open(word);
    } else if (word.text === "--") {
      at += 1 + operands;
      break;
    } else if (isOption(word) || wrapper.flags?.includes(word.text) === true) {
      open(word);
      const { kind, value, takesNext } = readWrapperOption(word, argv[at + 1], wrapper);
      if (kind === "query") return { end: at, isQuery: true, startsShell, folder, scripts, assigns, doubts };
      if (kind === "unknown") doubts.push(`${name} has an option that is not known here: ${word.text}`);
      if (kind === "shell") startsShell = true;
      if (kind === "folder") folder = value;
      if (kind === "script" && value !== undefined) scripts.push(value);
      if (kind === "value" && value?.isMany === true) open(value);
      if ([word, value].some((text) => text !== undefined && wrapper.risks?.test(text.text) === true))
        doubts.push(`${name} may run something else because of ${word.text}`);
      if (takesNext) at++;
    } else if (operands > 0) {
      operands--;
      if (word.isMany === true) open(word);
    } else break;
  }
  return { end: at, isQuery: false, startsShell, folder, scripts, assigns, doubts };
};
