import { type CommandPart, innermost } from "./CommandPart.ts";
import { compileGlob } from "./Glob.ts";
import { isDownload } from "./isDownload.ts";
import { interpreterOf } from "./knowledge/interpreters.ts";
import { shells } from "./knowledge/shells.ts";
import { copiers } from "./knowledge/downloaders.ts";
import { partDeeds } from "./PartEffect.ts";
import { baseName } from "./PathKey.ts";
import { programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";
import { pathsOf, writtenFiles } from "./writtenScripts.ts";

/** The files that a command downloads. */
export interface DownloadedFiles {
  readonly has: (part: CommandPart, word: ShellWord) => boolean;
  /** Whether a part reads one. */
  readonly reads: (part: CommandPart) => boolean;
  /** Whether a part that runs what it is told names one, in whatever way. */
  readonly mentions: (part: CommandPart) => boolean;
  /** Whether a part is given one as its standard input. */
  readonly feeds: (part: CommandPart) => boolean;
}

/** Longer lists of names are not compared with patterns. */
const mostNames = 64;

const isNamed = (word: string, names: ReadonlySet<string>): boolean => {
  if (/^[*?.-]*$/.test(word)) return false;
  if (!/[*?]/.test(word)) return names.has(word) || names.has(word.replace(/^\.+|^-\w/, ""));
  const glob = compileGlob(word);
  return [...names].slice(0, mostNames).some(glob.matches);
};

// All of a search; of what runs a file, everything up to that file, and what is code.
const runWords = (part: CommandPart): ReadonlyArray<ShellWord> => {
  const [, ...words] = innermost(part);
  if (isFinder(part)) return words;
  const first = words.findIndex(({ text }) => !text.startsWith("-"));
  const code = (partDeeds(part).reading?.roled ?? []).flatMap(({ role, word }) => (role === "code" ? [word] : []));
  return [...words.slice(0, first < 0 ? undefined : first + 1), ...part.code, ...code];
};

const isFinder = (part: CommandPart): boolean => /^g?find$|^fd/.test(programName(innermost(part)[0]));

const runsSomething = (part: CommandPart): boolean => {
  const program = programName(innermost(part)[0]);
  const { reading } = partDeeds(part);
  return (
    reading?.entry?.isRunner === true || interpreterOf(program) !== undefined || shells.has(program) || isFinder(part)
  );
};

/** What the parts download into files, and what those files are copied to. `piped`: parts that are given a download. */
export const downloadedFiles = (parts: ReadonlyArray<CommandPart>, piped: ReadonlySet<number>): DownloadedFiles => {
  const paths = new Set<string>();
  const has = (part: CommandPart, word: ShellWord): boolean =>
    word.isStatic && pathsOf(part, word).some((path) => paths.has(path));
  const reads = (part: CommandPart): boolean =>
    paths.size > 0 &&
    partDeeds(part).effects.some(({ kind, role, word }) => (kind === "read" || role === "moves") && has(part, word));
  for (const [at, part] of parts.entries()) {
    const isCopy = copiers.has(programName(innermost(part)[0])) && reads(part);
    if (!isDownload(part) && !piped.has(at) && !isCopy) continue;
    for (const word of writtenFiles(part)) for (const path of pathsOf(part, word)) paths.add(path);
    if (!isCopy) continue;
    // Into a folder, under the same name.
    const names = innermost(part)
      .slice(1)
      .map(({ text }) => baseName(text));
    for (const word of writtenFiles(part))
      for (const path of pathsOf(part, word)) for (const name of names) paths.add(`${path}/${name}`);
  }
  const feeds = (part: CommandPart): boolean =>
    part.redirects.some(({ isWrite, target }) => !isWrite && has(part, target));
  const names = new Set([...paths].map(baseName).flatMap((name) => [name, name.replace(/\.\w+$/, "")]));
  const commands = new Set([...paths].filter((path) => /\/s?bin\/[^/]+$/.test(path)).map(baseName));
  const mentions = (part: CommandPart): boolean => {
    const argv = innermost(part);
    if (paths.size === 0 || argv.length === 0 || isDownload(part)) return false;
    if (commands.has(argv[0]?.text ?? "")) return true;
    if (!runsSomething(part)) return false;
    const words = runWords(part).map(({ text }) => text.slice(0, 4096));
    return words.some((text) => text.split(/[^\w.*?-]+/).some((word) => isNamed(word, names)));
  };
  return { has, reads, feeds, mentions };
};
