import type { CommandPart } from "./CommandPart.ts";
import { isFileRole, placesOf } from "./effectsOf.ts";
import { remoteHost } from "./remoteHost.ts";
import { type PartEffect, partDeeds } from "./PartEffect.ts";
import { goesUpAgain, isInside } from "./PathKey.ts";
import { mark } from "./internal/marks.ts";
import { findsSecretFile, type SafePlace } from "./safeList.ts";
import type { ShellWord } from "./ShellWord.ts";
import { buildFile } from "./knowledge/buildFiles.ts";
import { namedPaths } from "./namedPaths.ts";
import { patternSpellings } from "./patternSpellings.ts";
import { sensitiveRule } from "./SensitivePath.ts";

/** Why a file that a part opens is put to the user. `isDoubt`: where it leads is not known. */
export interface FileConcern {
  readonly reason: string;
  readonly isDoubt: boolean;
  /** Bash itself opens the file. */
  readonly isRedirect?: true;
}

/**
 * Files ask whatever a rule with a wildcard says of the program: a sensitive one that it reads or writes, and, opened by
 * a redirection, one outside the workspace or one that is not known.
 */
export const fileConcern = (part: CommandPart, { roots }: SafePlace): FileConcern | undefined => {
  for (const effect of partDeeds(part).effects) {
    if (!effect.isRedirect) {
      // A file of another machine, or of a container, is none of ours.
      if (effect.isElsewhere) continue;
      if ((isFileRole(effect.role) || effect.role.startsWith("remote-")) && goesUpAgain(effect.word.shape))
        return { reason: `its path goes down and up again: ${effect.word.source}`, isDoubt: true };
      const concern = mountConcern(part, effect, roots) ?? sensitiveConcern(part, effect);
      if (concern !== undefined) return concern;
      continue;
    }
    const concern = redirectConcern(part, effect, roots);
    if (concern !== undefined) return { ...concern, isRedirect: true };
  }
  return namedConcern(part);
};

// Sensitive files that stand among the words of a command in another way than as a file it is known to open.
const namedConcern = (part: CommandPart): FileConcern | undefined => {
  if (part.isRemote === true) return undefined;
  // An option that takes no value here after all leaves a file behind.
  const values = partDeeds(part).reading?.values.map(({ text }) => text) ?? [];
  for (const path of [...namedPaths(part), ...values])
    for (const place of placesOf(path, part.folders)) {
      const rule = sensitiveRule(place, "read");
      if (rule !== undefined)
        return { reason: `it may read the sensitive file ${place} (${rule.pattern})`, isDoubt: false };
      const later = partDeeds(part).risk === "read" ? undefined : sensitiveRule(place, "write");
      if (later !== undefined)
        return { reason: `it may write the sensitive file ${place} (${later.pattern})`, isDoubt: false };
    }
  return undefined;
};

const redirectConcern = (
  part: CommandPart,
  effect: PartEffect,
  roots: ReadonlyArray<string>,
): FileConcern | undefined => {
  const { kind, word } = effect;
  const source = part.redirects.find((redirect) => redirect.target === word)?.source ?? word.source;
  if (!word.isStatic || (part.isFolderUnknown && !word.text.startsWith("/")))
    return { reason: `the file it ${kind}s is only known when it runs: ${source}`, isDoubt: true };
  if (goesUpAgain(word.text)) return { reason: `its path goes down and up again: ${source}`, isDoubt: true };
  const sensitive = sensitiveConcern(part, effect);
  if (sensitive !== undefined) return sensitive;
  for (const path of placesOf(word.text, part.folders)) {
    if (path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/"))
      return { reason: `it opens a network connection: ${path}`, isDoubt: false };
    if (kind === "write" && !roots.some((root) => isInside(path, root)))
      return { reason: `it writes outside the workspace: ${path}`, isDoubt: false };
    // The safe list runs what is in there, or takes its folder for a repository.
    if (kind === "write" && buildFile.test(path))
      return { reason: `what it writes is run by builds, which need no rule: ${path}`, isDoubt: false };
  }
  return undefined;
};

// What a container is given to write, everything in it can change.
const mountConcern = (
  part: CommandPart,
  { role, word }: PartEffect,
  roots: ReadonlyArray<string>,
): FileConcern | undefined => {
  if (role !== "mounts") return undefined;
  if (!word.isStatic || (part.isFolderUnknown && !word.text.startsWith("/")))
    return {
      reason: `the folder it lays open to a container is only known when it runs: ${word.source}`,
      // In the container, the folder it was started from is no longer known here.
      isDoubt: !word.isStatic,
    };
  const outside = placesOf(word.text, part.folders).find((path) => !roots.some((root) => isInside(path, root)));
  return outside === undefined
    ? undefined
    : { reason: `it lays a folder outside the workspace open to a container: ${outside}`, isDoubt: false };
};

const sensitiveConcern = (
  { folders, isFolderUnknown }: CommandPart,
  { isUnnamed, kind, role, word }: PartEffect,
): FileConcern | undefined => {
  if (isUnnamed === true) return undefined;
  // Looking at names shows no contents.
  const isFile = isFileRole(role) || (role.startsWith("remote-") && remoteHost(word.text) === undefined);
  if (!isFile || role === "lists" || role === "targets") return undefined;
  if (!word.isStatic && !isPatternOnly(word)) return undefined;
  const mode = kind === "read" ? "read" : "write";
  const names = kind === "read" ? patternSpellings(word.text) : [word.text];
  for (const path of names.flatMap((name) => placesOf(name, isFolderUnknown ? [...folders, "/"] : folders))) {
    const rule = sensitiveRule(path, mode);
    if (rule !== undefined)
      return { reason: `it ${mode}s the sensitive file ${path} (${rule.pattern})`, isDoubt: false };
    if (!word.isStatic && mode === "read" && findsSecretFile(path))
      return { reason: `its pattern may find a sensitive file: ${word.source}`, isDoubt: false };
  }
  return undefined;
};

// Nothing but what Bash expands itself: `.en?`, `~/.ssh/*`.
const isPatternOnly = ({ shape }: ShellWord): boolean => !shape.includes(mark.unknown) && !shape.includes(mark.blank);
