import { findNarrowing, findRunners, xargsValues } from "./knowledge/wrappers.ts";
import { mark } from "./internal/marks.ts";
import { isOption } from "./Program.ts";
import { plainWord, type ShellWord, unknownWord } from "./ShellWord.ts";
import { type Argv, type StartedCommand, type Unwrapped, unwrappedNothing } from "./Unwrapped.ts";

/** `find`: the commands of `-exec` and its kin, with the start folders for `{}`, and `-delete` as the deletion it is. */
export const unwrapFind = (argv: Argv): Unwrapped => {
  const starts = startFolders(argv);
  const words = argv.slice(1);
  const isNarrow = words.some(
    (word, index) => findNarrowing.test(word.text) && !isUniversalName(words[index + 1]?.text ?? ""),
  );
  const files = isNarrow ? starts.map(foundBelow) : starts;
  const started: Array<StartedCommand> = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "-delete") {
      const argv = [plainWord("rm"), plainWord("-r"), ...files];
      started.push({ argv, isImplied: true, isRecursive: !isNarrow });
    }
    if (!findRunners.has(text)) continue;
    const end = words.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    const argv = command.flatMap((word, index) => (index === 0 ? [filledName(word)] : fill(word, files)));
    started.push({ argv, isImplied: false, isRecursive: !isNarrow });
    at = end < 0 ? words.length : end;
  }
  return { ...unwrappedNothing, started };
};

const startFolders = (argv: Argv): Argv => {
  const found: Array<ShellWord> = [];
  for (const word of argv.slice(1)) {
    if (/^-[HLP]$|^-O\d$|^-D$/.test(word.text)) continue;
    if (isOption(word) || word.text === "(" || word.text === "!") break;
    found.push(word);
  }
  return found.length === 0 ? [plainWord(".")] : found;
};

const foundBelow = (start: ShellWord): ShellWord => ({
  source: "{}",
  text: "{}",
  shape: `${start.shape.replace(/\/+$/, "")}/${mark.found}`,
  isStatic: false,
  isExpanded: true,
});

const filledName = (word: ShellWord): ShellWord => (word.text.includes("{}") ? unknownPart(word) : word);

const isUniversalName = (pattern: string): boolean => /^[*?.]*\*[*?.]*$/.test(pattern);

const fill = (word: ShellWord, files: Argv): Argv =>
  word.text === "{}" ? files : word.text.includes("{}") ? [unknownPart(word)] : [word];

const unknownPart = (word: ShellWord): ShellWord => ({
  ...word,
  shape: word.shape.replaceAll("{}", mark.unknown),
  isStatic: false,
  isExpanded: true,
});

/** `fd -x` and `fd -X`: the command is the rest. */
export const unwrapFd = (argv: Argv): Unwrapped => {
  const at = argv.findIndex(
    (word, index) => index > 0 && /^(?:-x|-X|--exec|--exec-batch)(?:=|$)|^-[A-Za-z]*[xX]$/.test(word.text),
  );
  if (at < 0) return unwrappedNothing;
  const command = [...argv.slice(at + 1).filter((word) => word.text !== "{}"), unknownWord("{}")];
  return { ...unwrappedNothing, started: [{ argv: command, isImplied: false, isRecursive: false }] };
};

/** `xargs`: the command with what it reads (`input`, when known) as its last arguments, or in the place of `-I`. */
export const unwrapXargs = (
  argv: Argv,
  input: ReadonlyArray<ShellWord> | undefined,
  isInstalled: boolean,
): Unwrapped => {
  let placeholder: string | undefined;
  const doubts: Array<string> = [];
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at];
    if (word === undefined || !isOption(word)) break;
    const { text } = word;
    if (text === "--") {
      at++;
      break;
    }
    if (/^(?:-I|-J|--replace=|-i)./.test(text)) placeholder = text.replace(/^(?:-I|-J|--replace=|-i)/, "");
    else if (text === "-i" || text === "--replace") placeholder = "{}";
    else if (text === "-I" || text === "-J") placeholder = argv[++at]?.text;
    else if (xargsValues.includes(text)) at++;
    else if (!/^-(?:[0rtpxeloE]+|[nPLlsdESRe].+|-[a-z-]+(?:=.*)?)$/s.test(text))
      doubts.push(`xargs has an option that is not known here: ${text}`);
  }
  const rest = argv.slice(at);
  const files = input ?? [unknownWord("{}")];
  const command = rest.length === 0 ? [plainWord("echo")] : rest;
  const filled =
    placeholder === undefined ? [...command, ...files] : command.flatMap((word) => replaced(word, placeholder, input));
  return { ...unwrappedNothing, inner: filled, isTransparent: isInstalled, doubts };
};

const replaced = (word: ShellWord, placeholder: string, input: Argv | undefined): Argv =>
  !word.text.includes(placeholder)
    ? [word]
    : input === undefined
      ? [{ ...word, shape: word.shape.replaceAll(placeholder, mark.unknown), isStatic: false, isExpanded: true }]
      : input.map((file) => plainWord(word.text.replaceAll(placeholder, file.text)));

/** GNU `parallel`: the command, given the arguments behind `:::`. Too rich to follow, hence always a doubt. */
export const unwrapParallel = (argv: Argv): Unwrapped => {
  const from = argv.findIndex((word, index) => index > 0 && !isOption(word));
  if (from < 0) return { ...unwrappedNothing, doubts: ["parallel reads its commands from standard input"] };
  const rest = argv.slice(from);
  const colons = rest.findIndex((word) => /^:::[:+]*$/.test(word.text));
  const files =
    colons < 0 ? [unknownWord("{}")] : rest.slice(colons + 1).filter((word) => !word.text.startsWith(":::"));
  const command = colons < 0 ? rest : rest.slice(0, colons);
  return {
    ...unwrappedNothing,
    ...(command.length === 0 ? {} : { inner: [...command, ...files] }),
    doubts: ["what parallel runs is not followed in full"],
  };
};
