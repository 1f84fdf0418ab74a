import type { Wrapper } from "./knowledge/Wrapper.ts";
import type { ShellWord } from "./ShellWord.ts";

type OptionKind = "flag" | "value" | "folder" | "script" | "query" | "shell" | "unknown";

/** One option of a wrapper, or a cluster of them. */
export interface WrapperOption {
  readonly kind: OptionKind;
  readonly value: ShellWord | undefined;
  /** The value is the next word. */
  readonly takesNext: boolean;
}

/** Reads an option as `getopt` does: `--name=value`, `--name value`, `-n value`, `-nvalue`, `-abn value`. */
export const readWrapperOption = (word: ShellWord, next: ShellWord | undefined, wrapper: Wrapper): WrapperOption => {
  const { text } = word;
  const isLong = text.startsWith("--");
  const equals = isLong ? text.indexOf("=") : -1;
  const exact = kindOf(equals < 0 ? text : text.slice(0, equals), wrapper);
  if (exact !== "unknown" || isLong) return option(exact, equals < 0 ? undefined : tail(word, equals + 1), next);
  if (/^-\d+$/.test(text) && wrapper.flags?.includes("-0-9") === true) return option("flag", undefined, next);
  let isShell = false;
  for (let at = 1; at < text.length; at++) {
    const kind = kindOf(`-${text.charAt(at)}`, wrapper);
    if (kind === "query" || kind === "unknown") return option(kind, undefined, next);
    if (kind === "shell") isShell = true;
    else if (kind !== "flag") return option(kind, at + 1 < text.length ? tail(word, at + 1) : undefined, next);
  }
  return option(isShell ? "shell" : "flag", undefined, next);
};

const takesValue: ReadonlySet<OptionKind> = new Set(["value", "folder", "script"]);

const option = (kind: OptionKind, attached: ShellWord | undefined, next: ShellWord | undefined): WrapperOption => ({
  kind,
  value: attached ?? (takesValue.has(kind) ? next : undefined),
  takesNext: attached === undefined && takesValue.has(kind),
});

const kindOf = (name: string, wrapper: Wrapper): OptionKind => {
  if (wrapper.queries?.includes(name) === true) return "query";
  if (wrapper.folder?.includes(name) === true) return "folder";
  if (wrapper.scripts?.includes(name) === true) return "script";
  if (wrapper.values?.includes(name) === true) return "value";
  if (wrapper.shellFlags?.includes(name) === true) return "shell";
  return wrapper.flags?.includes(name) === true ? "flag" : "unknown";
};

const tail = (word: ShellWord, from: number): ShellWord => ({
  ...word,
  text: word.text.slice(from),
  shape: word.shape.slice(from),
});
