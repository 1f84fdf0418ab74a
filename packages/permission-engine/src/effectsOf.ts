import { type CommandEffect, type Resource, type Risk, worseRisk } from "@kumiko/plugin-api";
import { type CommandAnalysis, type CommandPart, innermost } from "./CommandPart.ts";
import { isKnownPath, operandsOf, readWords, writtenWords } from "./Operands.ts";
import { programs, subcommandRisks } from "./knowledge/programs.ts";
import { resolvePath } from "./PathKey.ts";
import { programName } from "./Program.ts";
import type { SafePlace } from "./safeList.ts";
import { safeEntryOf } from "./safeList.ts";
import { hostOf } from "./hostOf.ts";
import type { ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** More effects or resources than this are not listed; the risk counts all parts. */
const mostListed = 128;

/** What a command would do, as far as it is known. */
export interface CommandEffects {
  readonly risk: Risk;
  readonly resources: ReadonlyArray<Resource>;
  readonly effects: ReadonlyArray<CommandEffect>;
}

/** Adds up what the parts would do. A part that is not understood counts as `remote-write`. */
export const effectsOf = (analysis: CommandAnalysis, place: SafePlace): CommandEffects => {
  let risk: Risk = analysis.doubts.length > 0 ? "remote-write" : "read";
  const resources = new Map<string, Resource>();
  const effects: Array<CommandEffect> = [];
  const note = (kind: CommandEffect["kind"], target: string, resource?: Resource): void => {
    if (effects.length < mostListed) effects.push({ kind, target });
    if (resource === undefined) return;
    const key = `${resource.mode} ${resource.key}`;
    if (resources.size < mostListed) resources.set(key, resource);
  };
  for (const part of analysis.parts) {
    risk = worseRisk(risk, riskOf(part, place));
    const argv = innermost(part);
    const program = programs.get(programName(argv[0]));
    const isDeletion = program?.operands === "delete";
    for (const path of pathsOf(part, readWords(part))) note("read", path, { key: `file:${path}`, mode: "read" });
    for (const path of pathsOf(part, writtenWords(part)))
      note(isDeletion ? "delete" : "write", path, { key: `file:${path}`, mode: "write" });
    if (program?.operands === "connect")
      for (const host of operandsOf(argv).flatMap((word) => hostOf(word.text) ?? []))
        note("connect", host, { key: `net:${host}`, mode: "write" });
    if (argv.length > 0 && program === undefined && !part.carriesScript) note("execute", argv[0]?.text ?? part.source);
  }
  return { risk, resources: [...resources.values()], effects };
};

const harmlessFile = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+|stdin)$/;

const pathsOf = ({ folders, isFolderUnknown }: CommandPart, words: Argv): ReadonlyArray<string> =>
  words.flatMap((word) => {
    if (!isKnownPath(word) || (isFolderUnknown && !word.text.startsWith("/"))) return [];
    const paths = word.text.startsWith("/") ? [word.text] : folders.map((folder) => resolvePath(folder, word.text));
    return paths.map((path) => resolvePath("/", path)).filter((path) => !harmlessFile.test(path));
  });

/** Whether a redirection opens no file: the null device, the terminal, an open descriptor. */
export const opensNothing = (word: ShellWord): boolean => harmlessFile.test(word.text);

const riskOf = (part: CommandPart, place: SafePlace): Risk => {
  const writes = part.redirects.some(
    (redirect) => redirect.isWrite && !redirect.isSubstitution && !opensNothing(redirect.target),
  );
  const own = part.doubts.length > 0 ? worseRisk("remote-write", programRisk(part, place)) : programRisk(part, place);
  return writes ? worseRisk("local-write", own) : own;
};

const programRisk = (part: CommandPart, place: SafePlace): Risk => {
  const argv = innermost(part);
  if (argv.length === 0 || part.carriesScript) return "read";
  const safe = safeEntryOf(argv, place);
  const name = programName(argv[0]);
  const rest = argv
    .slice(1)
    .map((word) => word.text)
    .join(" ");
  const sub = subcommandRisks.get(name)?.find(([words]) => rest === words || rest.startsWith(`${words} `))?.[1];
  const risk = safe?.risk ?? sub ?? programs.get(name)?.risk ?? "remote-write";
  const isPowerful = part.levels.slice(0, -1).some((level) => !level.isTransparent);
  return isPowerful ? worseRisk("remote-write", risk) : risk;
};
