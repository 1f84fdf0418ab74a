import type { Command, HereDoc, Redirection, Word } from "unbash";
import { resolvePath } from "./PathKey.ts";
import { isPlainText } from "./internal/isPlainText.ts";
import type { Language, ScriptSource } from "./Unwrapped.ts";

/**
 * What a command's own redirections put on its standard input: a text, a `file` that is named, or something that is
 * not known. Undefined: it keeps the one it was given.
 */
export const ownInput = (redirects: ReadonlyArray<Redirection>): ScriptSource | "file" | "unknown" | undefined => {
  let input: ReturnType<typeof ownInput>;
  for (const redirect of redirects) {
    const { descriptor } = redirect;
    if (descriptor !== undefined && !(descriptor.type === "FileDescriptor" && descriptor.value === 0)) continue;
    if (redirect.type === "HereDoc") input = hereDocument(redirect);
    else if (redirect.type === "HereString") {
      const literal = redirect.target === undefined ? "" : certainText(redirect.target);
      input = { text: literal ?? redirect.target?.value ?? "", isStatic: literal !== undefined };
    } else if (["<", "<&", "<>"].includes(redirect.operator)) {
      const file = redirect.target === undefined ? undefined : certainText(redirect.target);
      input =
        redirect.operator === "<" && file !== undefined && !/^\/(?:dev|proc)\//.test(resolvePath("/", file))
          ? "file"
          : "unknown";
    }
  }
  return input;
};

/**
 * What a command certainly prints: `echo` and `printf` of literal words, `cat` of a here-document. Undefined where that
 * is not certain.
 */
export const staticOutput = (node: Command, language: Language): string | undefined => {
  const program = node.name === undefined || node.prefix.length > 0 ? undefined : certainText(node.name);
  if (program === "cat" && node.args.length === 0) {
    const [only, ...others] = node.redirects;
    if (only?.type !== "HereDoc" || only.descriptor !== undefined || others.length > 0) return undefined;
    const { text, isStatic } = hereDocument(only);
    return isStatic ? text : undefined;
  }
  if ((program !== "echo" && program !== "printf") || node.redirects.length > 0) return undefined;
  const words: Array<string> = [];
  for (const argument of node.args) {
    const text = argument.type === "Word" ? certainText(argument) : undefined;
    if (text === undefined) return undefined;
    words.push(text);
  }
  return program === "echo" ? echoed(words, language) : printed(words);
};

// Without quotes around its end, backslashes in it are escapes.
const hereDocument = ({ operator, body, delimiter }: HereDoc): ScriptSource => ({
  text: operator === "<<-" ? body.text.replaceAll(/^\t+/gm, "") : body.text,
  isStatic: body.parts === undefined && (delimiter?.quoted === true || !body.text.includes("\\")),
});

/** The text of a word that is one word and nothing else, or undefined. */
export const certainText = (word: Word): string | undefined => {
  const isLiteral =
    word.parts?.every(
      (part) =>
        part.type === "Literal" ||
        part.type === "SingleQuoted" ||
        (part.type === "AnsiCQuoted" && isPlainText(part.value)) ||
        (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
    ) ?? true;
  return isLiteral && !/^~|=~|:~/.test(word.text) ? word.value : undefined;
};

// Shells differ in what they make of backslashes and options.
const echoed = (words: ReadonlyArray<string>, language: Language): string | undefined => {
  const first = words.findIndex((word) => !/^-[neE]+$/.test(word));
  const text = first < 0 ? "" : words.slice(first).join(" ");
  return text.includes("\\") || (language !== "bash" && first !== 0) ? undefined : text;
};

const printed = ([format, ...values]: ReadonlyArray<string>): string | undefined => {
  if (format === undefined || format.startsWith("-")) return undefined;
  if (/^%s(?:\\n| )?$/.test(format))
    return values.length === 0 ? "" : values.join(format === "%s" ? "" : format === "%s " ? " " : "\n");
  const text = format.replace(/\\n$/, "");
  return /[%\\]/.test(text) || values.length > 0 ? undefined : text;
};
