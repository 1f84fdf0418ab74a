import type { Command, Redirection, Word } from "unbash";
import type { ScriptSource } from "./Unwrapped.ts";

/** What a command's own redirections put on its standard input; undefined: it keeps the one it was given. */
export const ownInput = (redirects: ReadonlyArray<Redirection>): ScriptSource | "file" | undefined => {
  let input: ScriptSource | "file" | undefined;
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    if (descriptor !== undefined && !(descriptor.type === "FileDescriptor" && descriptor.value === 0)) continue;
    if (redirect.type === "HereDoc") input = { text: redirect.body.text, isStatic: redirect.body.parts === undefined };
    else if (redirect.type === "HereString") {
      const literal = redirect.target === undefined ? "" : literalText(redirect.target);
      input = { text: literal ?? redirect.target?.value ?? "", isStatic: literal !== undefined };
    } else if (["<", "<&", "<>"].includes(redirect.operator)) input = "file";
  }
  return input;
};

/**
 * What a command certainly prints: `echo` and `printf` of literal words, `cat` of a here-document. Undefined where that
 * is not certain.
 */
export const staticOutput = (node: Command): string | undefined => {
  const program = node.name === undefined ? undefined : literalText(node.name);
  if (program === "cat" && node.args.length === 0) {
    const [only, ...others] = node.redirects;
    return only?.type === "HereDoc" && others.length === 0 && only.body.parts === undefined
      ? only.body.text
      : undefined;
  }
  if ((program !== "echo" && program !== "printf") || node.redirects.length > 0) return undefined;
  const words: Array<string> = [];
  for (const argument of node.args) {
    const text = argument.type === "Word" ? literalText(argument) : undefined;
    if (text === undefined) return undefined;
    words.push(text);
  }
  return program === "echo" ? echoed(words) : printed(words);
};

const literalText = (word: Word): string | undefined => {
  const isLiteral =
    word.parts?.every(
      (part) =>
        part.type === "Literal" ||
        part.type === "SingleQuoted" ||
        part.type === "AnsiCQuoted" ||
        (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
    ) ?? true;
  return isLiteral ? word.value : undefined;
};

const echoed = (words: ReadonlyArray<string>): string | undefined => {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const options = first < 0 ? words : words.slice(0, first);
  const text = first < 0 ? "" : words.slice(first).join(" ");
  return options.some((option) => option.includes("e")) && text.includes("\\") ? undefined : text;
};

const printed = ([format, ...values]: ReadonlyArray<string>): string | undefined => {
  if (format === undefined || format.startsWith("-")) return undefined;
  if (/^%s(?:\\n| )?$/.test(format)) return values.join(format === "%s" ? "" : "\n");
  const text = format.replace(/\\n$/, "");
  return /[%\\]/.test(text) ? undefined : text;
};
