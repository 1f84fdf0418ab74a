import { type CommandAnalysis, type CommandPart, innermost } from "../CommandPart.ts";
import { downloadedFiles } from "../downloadedFiles.ts";
import { isDownload, readsNetwork } from "../isDownload.ts";
import { mark } from "../internal/marks.ts";
import { isStandardInput } from "../unwrapShell.ts";
import { mayRunArguments } from "../mayRunArguments.ts";
import { assigningBuiltins } from "../knowledge/shells.ts";
import { partDeeds } from "../PartEffect.ts";
import { programName } from "../Program.ts";
import type { PartRange, ShellWord } from "../ShellWord.ts";
import { runFiles } from "../writtenScripts.ts";
import { block, type Finding, grave } from "./HardRule.ts";

const rule = "download-to-interpreter";
const finding = block(rule, "it runs what it downloads without showing it to anybody");
const named = grave(rule, "it may run a file that the same command downloads");
const possible = grave(rule, "it may run what it downloads: what it runs is only known when it runs");

/**
 * Parts that run a download at once: through a pipe, a process substitution, a command substitution, a variable, a file
 * or standard input. Gives the index of each such part.
 */
export const downloadsToInterpreter = ({ parts, pipelines }: CommandAnalysis): ReadonlyMap<number, Finding> => {
  const found = new Map<number, Finding>();
  if (!parts.some(isDownload)) return found;
  const behind = behindDownloads(parts, pipelines);
  const files = downloadedFiles(parts, behind);
  // Prefix sums, so that a long command costs no more than its length.
  const downloads = counts(parts, (part) => isDownload(part) || files.reads(part));
  const within = ({ from, to }: PartRange): boolean => (downloads[to] ?? 0) > (downloads[from] ?? 0);
  const piped = new Set(behind);
  for (const elements of pipelines) for (const at of laterParts(elements, within)) piped.add(at);
  const variables = filledVariables(parts, piped, within);
  const isFilled = ({ source }: ShellWord): boolean =>
    [...source.matchAll(/\$\{?([A-Za-z_]\w*)/g)].some(([, name]) => name !== undefined && variables.has(name));
  const hasOpenNames = parts.some(leavesOpenNames);
  for (const [at, part] of parts.entries()) {
    if (hasOpenNames && !isDownload(part) && runFiles(part).some(({ text }) => !text.startsWith("/")))
      found.set(at, possible);
    if (piped.has(at)) {
      if (runsInput(part)) found.set(at, finding);
      else if (mayRunInput(part)) found.set(at, possible);
    }
    const words = [
      ...part.code,
      ...part.levels.flatMap((level) => level.argv.slice(0, 1)),
      ...(part.runsInput ? part.redirects.map((redirect) => redirect.target) : []),
    ];
    if (words.some((word) => isFilled(word) || (word.runs !== undefined && within(word.runs)))) found.set(at, finding);
    if (runFiles(part).some((word) => files.has(part, word))) found.set(at, finding);
    if (files.mentions(part)) found.set(at, found.get(at) ?? named);
    if (part.levels.length > 0 && part.runsInput && (readsNetwork(part) || files.feeds(part))) found.set(at, finding);
    if (isDownload(part))
      for (const { from, to } of part.outputs)
        for (let index = from; index < to; index++) if (runsInput(parts[index])) found.set(index, finding);
  }
  return found;
};

const counts = (parts: ReadonlyArray<CommandPart>, test: (part: CommandPart) => boolean): ReadonlyArray<number> => {
  const sums = [0];
  for (const part of parts) sums.push((sums.at(-1) ?? 0) + (test(part) ? 1 : 0));
  return sums;
};

// The parts that are given a download through a pipe.
const behindDownloads = (
  parts: ReadonlyArray<CommandPart>,
  pipelines: CommandAnalysis["pipelines"],
): ReadonlySet<number> => {
  const sums = counts(parts, isDownload);
  const within = ({ from, to }: PartRange): boolean => (sums[to] ?? 0) > (sums[from] ?? 0);
  return new Set(pipelines.flatMap((elements) => laterParts(elements, within)));
};

const laterParts = (
  elements: ReadonlyArray<PartRange>,
  within: (range: PartRange) => boolean,
): ReadonlyArray<number> => {
  const first = elements.findIndex(within);
  if (first < 0) return [];
  return elements
    .slice(first + 1)
    .flatMap(({ from, to }) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index));
};

// `x=$(curl …)`, `curl … | while read x`, `read x < <(curl …)`
const filledVariables = (
  parts: ReadonlyArray<CommandPart>,
  piped: ReadonlySet<number>,
  within: (range: PartRange) => boolean,
): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const [at, part] of parts.entries()) {
    for (const { name, by } of part.fills) if (within(by)) names.add(name);
    const argv = innermost(part);
    if (!assigningBuiltins.has(programName(argv[0]))) continue;
    const isGiven =
      piped.has(at) || part.redirects.some(({ target }) => target.runs !== undefined && within(target.runs));
    if (isGiven) for (const { text } of argv.slice(1)) if (/^[A-Za-z_]\w*$/.test(text)) names.add(text);
  }
  return names;
};

// `wget -i list`, `gh release download`: what the files are called is not said.
const leavesOpenNames = (part: CommandPart): boolean =>
  isDownload(part) &&
  (partDeeds(part).reading?.words === "gh release download" ||
    innermost(part).some(({ text }) =>
      /^-[A-Za-z]*[irJm]|^--(?:input-file|recursive|mirror|remote-header)/.test(text),
    )) &&
  !/^nc|^netcat|^socat/.test(programName(innermost(part)[0]));

// Code that evaluates what it reads, code that is not known, and clients whose input has commands that start programs.
const mayRunInput = (part: CommandPart): boolean =>
  [...part.code, ...codeWords(part)].some(({ isStatic, shape, text }) =>
    isStatic ? evaluates.test(text) : shape.startsWith(mark.unknown),
  ) ||
  inputRunners.has(programName(innermost(part)[0])) ||
  (mayRunArguments(part) && innermost(part).slice(1).some(isStandardInput));

const codeWords = (part: CommandPart): ReadonlyArray<ShellWord> =>
  (partDeeds(part).reading?.roled ?? []).flatMap(({ role, word }) => (role === "code" ? [word] : []));

const evaluates =
  /\b(?:eval|exec|execfile|compile|system|popen|spawn|subprocess|child_process|loadstring|instance_eval|Function)\b/;
const inputRunners: ReadonlySet<string> = new Set(
  "psql mysql mariadb sqlite3 duckdb socat ansible-playbook tmux cmake".split(" "),
);

const runsInput = (part: CommandPart | undefined): boolean => {
  if (part === undefined) return false;
  const shellVariable = /^"?\$\{?(?:SHELL|BASH|0)\}?"?$/.test(innermost(part)[0]?.source ?? "");
  return part.readsScript || shellVariable;
};
