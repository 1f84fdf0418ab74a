import { compileGlob } from "./Glob.ts";
import { findNarrowing, findRunners } from "./knowledge/wrappers.ts";
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
  // For the fixed rules, a file is the folder it is looked for in.
  const places = isNarrow ? starts.map((start) => found(start, "/")) : starts;
  const mayFindConfig = findsConfig(words) ? ({ mayFindConfig: true } as const) : {};
  const started: Array<StartedCommand> = [];
  for (let at = 0; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (text === "-delete") {
      const argv = [plainWord("rm"), plainWord("-r"), ...places];
      started.push({ argv, isImplied: true, isRecursive: !isNarrow, ...mayFindConfig });
    }
    if (!findRunners.has(text)) continue;
    const end = words.findIndex((word, index) => index > at && endsCommand(word, words[index - 1]));
    const command = words.slice(at + 1, end < 0 ? undefined : end);
    const [start = plainWord("."), ...others] = starts;
    const file = text.endsWith("dir") ? found(plainWord("./"), "") : found(start, "");
    const files = [others.length === 0 ? file : unknownWord("{}")];
    for (const isImplied of [false, true])
      started.push({
        argv: filled(command, isImplied ? places : files),
        isImplied,
        isRecursive: isImplied && !isNarrow,
        ...(isImplied ? mayFindConfig : {}),
      });
    at = end < 0 ? words.length : end;
  }
  const isOpen = words.some((word) => word.isMany === true);
  return { ...unwrappedNothing, started, doubts: isOpen ? ["what find runs is only known when the command runs"] : [] };
};

const configNames = ["config.yaml", "config.local.yaml", ".kumiko"];
const configPaths = ["./.kumiko/config.yaml", ".kumiko/config.yaml"];

// Whether none of the names and paths that are asked for keeps the harness's own configuration out.
const findsConfig = (words: Argv): boolean =>
  words.every((word, index) => {
    const test = words[index - 1]?.text ?? "";
    const isNegated = /^(?:!|-not)$/.test(words[index - 2]?.text ?? "");
    if (!word.isStatic || !/^-i?(?:name|path|wholename)$/.test(test)) return true;
    const glob = compileGlob(word.text.replaceAll(/\[[^\]]*\]/g, "?"));
    const fits = (test.endsWith("name") && !test.includes("whole") ? configNames : configPaths).some((name) =>
      glob.matches(name),
    );
    return isNegated ? !fits : fits;
  });

// `+` ends a command only behind `{}`.
const endsCommand = ({ text }: ShellWord, before: ShellWord | undefined): boolean =>
  text === ";" || (text === "+" && before?.text === "{}");

const startFolders = (argv: Argv): Argv => {
  const found: Array<ShellWord> = [];
  for (const word of argv.slice(1)) {
    if (/^-[HLP]$|^-O\d$|^-D$/.test(word.text)) continue;
    if (isOption(word) || word.text === "(" || word.text === "!") break;
    found.push(word);
  }
  return found.length === 0 ? [plainWord(".")] : found;
};

// What a search finds: the start itself or something below it; with a slash, only below.
const found = (start: ShellWord, slash: string): ShellWord => ({
  source: "{}",
  text: "{}",
  shape: `${slash === "" ? start.shape : start.shape.replace(/\/+$/, "")}${slash}${mark.found}`,
  isStatic: false,
  isExpanded: true,
});

const filled = (command: Argv, files: Argv): Argv =>
  command.flatMap((word, index) => (index === 0 ? [filledName(word)] : fill(word, files)));

const filledName = (word: ShellWord): ShellWord => (word.text.includes("{}") ? unknownPart(word) : word);

const isUniversalName = (pattern: string): boolean => /^[*?.]*\*[*?.]*$/.test(pattern);

const fill = (word: ShellWord, files: Argv): Argv =>
  !word.isStatic ? [word] : word.text === "{}" ? files : word.text.includes("{}") ? [unknownPart(word)] : [word];

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
