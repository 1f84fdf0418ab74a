import { type CommandAnalysis, type CommandPart, innermost } from "../CommandPart.ts";
import { downloaders } from "../knowledge/shells.ts";
import { programName } from "../Program.ts";
import type { PartRange } from "../ShellWord.ts";
import { block, type Finding } from "./HardRule.ts";

const finding = block("download-to-interpreter", "it runs what it downloads without showing it to anybody");

/**
 * Parts that run a download at once: through a pipe, a process substitution, a command substitution or standard input.
 * Gives the index of each such part.
 */
export const downloadsToInterpreter = ({ parts, pipelines }: CommandAnalysis): ReadonlyMap<number, Finding> => {
  const found = new Map<number, Finding>();
  // Prefix sums, so that a long command costs no more than its length.
  const downloads = counts(parts, isDownload);
  const within = ({ from, to }: PartRange): boolean => (downloads[to] ?? 0) > (downloads[from] ?? 0);
  for (const elements of pipelines) {
    const first = elements.findIndex(within);
    if (first < 0) continue;
    for (const { from, to } of elements.slice(first + 1))
      for (let at = from; at < to; at++) if (parts[at] !== undefined && runsInput(parts[at])) found.set(at, finding);
  }
  for (const [at, part] of parts.entries()) {
    const words = [
      ...part.code,
      ...part.levels.flatMap((level) => level.argv.slice(0, 1)),
      ...(part.runsInput ? part.redirects.map((redirect) => redirect.target) : []),
    ];
    if (words.some((word) => word.runs !== undefined && within(word.runs))) found.set(at, finding);
    if (part.levels.length > 0 && part.runsInput && readsDownload(part)) found.set(at, finding);
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

const networkFile = /^\/dev\/(?:tcp|udp)\//;

const isDownload = (part: CommandPart): boolean =>
  downloaders.has(programName(innermost(part)[0])) || readsDownload(part);

const readsDownload = (part: CommandPart): boolean =>
  part.redirects.some((redirect) => !redirect.isWrite && networkFile.test(redirect.target.text));

const runsInput = (part: CommandPart | undefined): boolean => {
  if (part === undefined) return false;
  const shellVariable = /^"?\$\{?(?:SHELL|BASH|0)\}?"?$/.test(innermost(part)[0]?.source ?? "");
  return part.readsScript || shellVariable;
};
