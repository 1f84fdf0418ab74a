import { type CommandPart, innermost } from "./CommandPart.ts";
import { isDownload } from "./isDownload.ts";
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
  /** Whether a part is given one as its standard input. */
  readonly feeds: (part: CommandPart) => boolean;
}

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
  return { has, reads, feeds };
};
