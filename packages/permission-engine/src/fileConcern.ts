import { type CommandPart, innermost } from "./CommandPart.ts";
import { opensNothing } from "./effectsOf.ts";
import { isKnownPath, writtenWords } from "./Operands.ts";
import { isInside, resolvePath } from "./PathKey.ts";
import type { SafePlace } from "./safeList.ts";
import { sensitiveRule } from "./SensitivePath.ts";
import type { ShellWord } from "./ShellWord.ts";

/** Why a file that a part opens is put to the user. `isDoubt`: where it leads is not known. */
export interface FileConcern {
  readonly reason: string;
  readonly isDoubt: boolean;
}

/**
 * A redirection opens a file whatever the rules say of the program: writing outside the workspace, to a sensitive file
 * or to an unknown one asks, and so does reading a sensitive one. A sensitive file that the program itself writes asks
 * as well.
 */
export const fileConcern = (part: CommandPart, { roots }: SafePlace): FileConcern | undefined => {
  for (const { target, isWrite, isSubstitution, source } of part.redirects) {
    if (isSubstitution || opensNothing(target)) continue;
    const mode = isWrite ? "write" : "read";
    if (!isKnownPath(target) || (part.isFolderUnknown && !target.text.startsWith("/")))
      return { reason: `the file it ${mode}s is only known when it runs: ${source}`, isDoubt: true };
    // `link/..` is the folder above where the link leads, not the one that holds it.
    if (/[^./][^/]*\/+\.\.(?:\/|$)/.test(target.text))
      return { reason: `its path goes down and up again: ${source}`, isDoubt: true };
    for (const path of pathsOf(part, target)) {
      const concern = sensitiveConcern(path, mode);
      if (concern !== undefined) return concern;
      if (path.startsWith("/dev/tcp/") || path.startsWith("/dev/udp/"))
        return { reason: `it opens a network connection: ${path}`, isDoubt: false };
      if (isWrite && !roots.some((root) => isInside(path, root)))
        return { reason: `it writes outside the workspace: ${path}`, isDoubt: false };
    }
  }
  if (innermost(part).length === 0) return undefined;
  for (const word of writtenWords(part))
    for (const path of pathsOf(part, word)) {
      const concern = sensitiveConcern(path, "write");
      if (concern !== undefined) return concern;
    }
  return undefined;
};

const pathsOf = ({ folders }: CommandPart, { text }: ShellWord): ReadonlyArray<string> =>
  text.startsWith("/") ? [resolvePath("/", text)] : folders.map((folder) => resolvePath(folder, text));

const sensitiveConcern = (path: string, mode: "read" | "write"): FileConcern | undefined => {
  const rule = sensitiveRule(path, mode);
  return rule === undefined
    ? undefined
    : { reason: `it ${mode}s the sensitive file ${path} (${rule.pattern})`, isDoubt: false };
};
