import type { Wrapper } from "./knowledge/wrappers.ts";
import { isOption } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { type Argv, type ScriptSource, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

/** Follows a wrapper's own options up to the command it runs. `isInstalled`: it is the real one, not a namesake. */
export const unwrapWrapper = (argv: Argv, wrapper: Wrapper, isInstalled: boolean): Unwrapped => {
  const name = argv[0]?.text ?? "";
  const assigns: Array<string> = [];
  const doubts: Array<string> = [];
  const scripts: Array<ShellWord> = [];
  let folder: ShellWord | undefined;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined) break;
    const assigned = wrapper.assigns === true ? /^([A-Za-z_]\w*)=/.exec(word.text)?.[1] : undefined;
    if (assigned !== undefined) {
      assigns.push(assigned);
      continue;
    }
    if (word.text === "--") {
      at++;
      break;
    }
    if (!isOption(word) && wrapper.flags?.includes(word.text) !== true) break;
    const step = readOption(word.text, wrapper);
    if (step === "query") return unwrappedNothing;
    if (step === "unknown") doubts.push(`${name} has an option that is not known here: ${word.text}`);
    const value = step === "folder" || step === "script" ? attached(word, argv[at + 1], step) : undefined;
    if (step === "folder") folder = value;
    if (step === "script" && value !== undefined) scripts.push(value);
    if (step !== "flag" && step !== "unknown" && !hasAttachedValue(word.text, step)) at++;
  }
  at += wrapper.operands ?? 0;
  const late = argv[at];
  if (late !== undefined && wrapper.scripts?.includes(late.text) === true) {
    const script = argv[at + 1];
    if (script !== undefined) scripts.push(script);
    at = argv.length;
  }
  const rest = argv.slice(at);
  const sources: ReadonlyArray<ScriptSource> =
    wrapper.joins === true && rest.length > 0
      ? [joined(rest)]
      : scripts.map(({ text, isStatic }) => ({ text, isStatic }));
  return {
    ...unwrappedNothing,
    ...(rest.length > 0 && wrapper.joins !== true ? { inner: rest } : {}),
    ...(folder === undefined ? {} : { folder }),
    scripts: sources,
    code: wrapper.joins === true ? rest : scripts,
    isTransparent: wrapper.isTransparent && isInstalled && scripts.length === 0 && folder === undefined,
    assigns,
    doubts,
  };
};

/** Words as one script, the way `eval` joins them. */
export const joined = (words: Argv): ScriptSource => ({
  text: words.map((word) => word.text).join(" "),
  isStatic: words.every((word) => word.isStatic),
});

type Step = "flag" | "value" | "folder" | "script" | "query" | "unknown";

const readOption = (option: string, wrapper: Wrapper): Step => {
  const name = option.startsWith("--") ? option.replace(/=.*$/s, "") : option;
  const exact = kindOf(name, wrapper);
  if (exact !== "unknown" || name.startsWith("--")) return exact;
  if (/^-\d+$/.test(option) && wrapper.flags?.includes("-0-9") === true) return "flag";
  // A cluster of short options, or one with its value attached.
  for (let at = 1; at < option.length; at++) {
    const kind = kindOf(`-${option.charAt(at)}`, wrapper);
    if (kind === "query" || kind === "unknown") return kind;
    if (kind !== "flag") return at === option.length - 1 ? kind : kind === "value" ? "flag" : at > 1 ? "unknown" : kind;
  }
  return "flag";
};

const kindOf = (option: string, wrapper: Wrapper): Step => {
  if (wrapper.queries?.includes(option) === true) return "query";
  if (wrapper.folder?.includes(option) === true) return "folder";
  if (wrapper.scripts?.includes(option) === true) return "script";
  if (wrapper.values?.includes(option) === true) return "value";
  return wrapper.flags?.includes(option) === true ? "flag" : "unknown";
};

const hasAttachedValue = (option: string, step: Step): boolean =>
  option.startsWith("--") ? option.includes("=") : step !== "value" && option.length > 2;

const attached = (word: ShellWord, next: ShellWord | undefined, step: Step): ShellWord | undefined => {
  if (!hasAttachedValue(word.text, step)) return next;
  const isLong = word.text.startsWith("--");
  const skip = (text: string): string => text.slice(isLong ? text.indexOf("=") + 1 : 2);
  return { ...word, text: skip(word.text), shape: skip(word.shape) };
};
