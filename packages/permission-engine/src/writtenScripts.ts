import { type CommandPart, innermost } from "./CommandPart.ts";
import { downloaders } from "./knowledge/downloaders.ts";
import { interpreterOf } from "./knowledge/interpreters.ts";
import { shells } from "./knowledge/shells.ts";
import { operandsOf, writtenWords } from "./Operands.ts";
import { partDeeds } from "./PartEffect.ts";
import { baseName, resolvePath } from "./PathKey.ts";
import { programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";

// They change what a file is, not what is in it.
const keepsContents: ReadonlySet<string> = new Set(
  "chmod chown chgrp setfacl chattr touch mkdir rm rmdir unlink trash".split(" "),
);

/**
 * Doubts the parts that run a file which another part of the same command writes: its contents were never seen, and no
 * rule for the program's name was made for it.
 */
export const noteWrittenScripts = (parts: Array<CommandPart>): void => {
  const runners = parts.map((part) =>
    interpreterOf(programName(innermost(part)[0])) === undefined ? runFiles(part) : [],
  );
  if (runners.every((files) => files.length === 0)) return;
  const written = new Set(parts.flatMap((part) => writtenFiles(part).flatMap((word) => pathsOf(part, word))));
  if (written.size === 0) return;
  for (const [index, part] of parts.entries())
    if (runners[index]?.some((word) => pathsOf(part, word).some((path) => written.has(path))) === true)
      parts[index] = { ...part, doubts: [...part.doubts, "it runs a file that the same command writes"] };
};

/** The paths that a word may name. */
export const pathsOf = ({ folders }: CommandPart, { text }: ShellWord): ReadonlyArray<string> =>
  folders.map((folder) => resolvePath(folder, text));

/** The files that a part writes, by name. */
export const writtenFiles = (part: CommandPart): ReadonlyArray<ShellWord> => {
  const argv = innermost(part);
  const program = programName(argv[0]);
  if (keepsContents.has(program)) return part.redirects.flatMap(({ isWrite, target }) => (isWrite ? [target] : []));
  if (!downloaders.has(program)) return writtenWords(part);
  // `curl -O` and `wget` take the name from the address.
  const isNamed =
    namesFiles.test(program) ||
    (program.startsWith("curl") && argv.some(({ text }) => /^-[A-Za-z]*[OJ]|^--remote/.test(text)));
  const names = isNamed
    ? operandsOf(argv).map((word) => ({ ...word, text: baseName(word.text.replace(/[?#].*$/s, "")) }))
    : [];
  const written = [...writtenWords(part), ...names];
  const folders = argv.flatMap(({ text }, index) =>
    downloadFolder.test(text)
      ? [argv[index + 1]?.text ?? "."]
      : (/^--(?:output-dir|directory-prefix|dir)=(.*)$/s.exec(text)?.[1] ?? []),
  );
  return [
    ...written,
    ...folders.flatMap((folder) => written.map((word) => ({ ...word, text: `${folder}/${word.text}` }))),
  ];
};

const namesFiles = /^(?:wget2?|aria2c|axel|fetch|lwp-download|lftp|yt-dlp)$/;
const downloadFolder = /^(?:--(?:output-dir|directory-prefix|dir)|-P|-d)$/;

/** The files that a part runs: a program named by a path, a script, a sourced file, standard input. */
export const runFiles = (part: CommandPart): ReadonlyArray<ShellWord> => {
  const programs = part.levels.flatMap(({ argv }) => argv.slice(0, 1)).filter(({ text }) => text.includes("/"));
  const program = programName(innermost(part)[0]);
  if (!shells.has(program) && program !== "source" && program !== ".")
    return [...programs, ...part.code, ...runWords(part)];
  const input = part.runsInput ? part.redirects.filter(({ isWrite }) => !isWrite).map(({ target }) => target) : [];
  return [...programs, ...part.code, ...input];
};

const runWords = (part: CommandPart): ReadonlyArray<ShellWord> =>
  (partDeeds(part).reading?.roled ?? []).flatMap(({ role, word }) => (role === "runs" ? [word] : []));
