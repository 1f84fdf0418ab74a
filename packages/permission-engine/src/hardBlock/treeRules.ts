import type { Role } from "../knowledge/CommandEntry.ts";
import type { PartEffect } from "../PartEffect.ts";
import { rootness, targetsOf } from "../TargetPath.ts";
import { block, type Finding, grave, type HardRule, type Suspect } from "./HardRule.ts";

const deletion = "recursive-delete-of-root";

const destroyers: Readonly<Partial<Record<Role, string>>> = {
  deletes: "it deletes everything below",
  mirrors: "it mirrors another folder onto",
  moves: "it moves away",
};

/** Recursive deletion of `/`, a home or a system folder, whatever deletes it; moving one away is only doubted. */
export const recursiveDeletion: HardRule = (suspect) => {
  let doubt: Finding | undefined;
  for (const effect of suspect.effects) {
    const what = verbOf(suspect, effect);
    const found = what === undefined ? undefined : judge(suspect, effect, deletion, what);
    const isPartial = effect.role === "moves" || (!effect.isRecursive && !suspect.part.isRecursive);
    if (isPartial) doubt ??= found?.kind === "block" ? { ...found, kind: "doubt" } : undefined;
    else if (found?.kind === "block") return found;
    else doubt ??= found;
  }
  return doubt;
};

// A search hands on every file below its start; a pattern stands for every file of a folder.
const verbOf = ({ part }: Suspect, { isRecursive, role, word }: PartEffect): string | undefined => {
  if (isRecursive && destroyers[role] !== undefined) return destroyers[role];
  if (role === "writes" && part.isRecursive) return "it overwrites everything below";
  return (role === "deletes" || role === "writes") && /[\uE000\uE001][^/]*\/?$/.test(word.shape)
    ? "it takes away every file in"
    : undefined;
};

/** Recursive change of mode or owner of such a folder. */
export const recursivePermissions: HardRule = (suspect) => {
  let doubt: Finding | undefined;
  for (const effect of suspect.effects) {
    if (effect.role !== "chmods" || !effect.isRecursive) continue;
    const what = "it changes the permissions of everything below";
    const found = judge(suspect, effect, "recursive-permissions-of-root", what);
    if (found?.kind === "block") return found;
    doubt ??= found;
  }
  return doubt;
};

const engineSocket = /(?:docker|podman|containerd|crio)\.sock\b/;

/** A root, laid open to a container: what runs in there can do anything to it. */
export const mountedRoot: HardRule = (suspect) => {
  // Whoever talks to the container engine can lay open what they like.
  if (!/^(?:docker|podman|nerdctl)/.test(suspect.program) && suspect.argv.some(({ text }) => engineSocket.test(text)))
    return grave("mounted-root", "it talks to the container engine behind its client");
  const mounted = suspect.effects.find(
    (effect) => effect.role === "mounts" && judge(suspect, effect, "mounted-root", "")?.kind === "block",
  );
  return mounted === undefined ? undefined : grave("mounted-root", `it lays ${mounted.word.text} open to a container`);
};

const judge = ({ part, home }: Suspect, { word }: PartEffect, rule: string, what: string): Finding | undefined => {
  let doubt: Finding | undefined;
  for (const target of targetsOf(word, { known: part.folders, isUnknown: part.isFolderUnknown })) {
    const found = rootness(target, home);
    if (found === "root") return block(rule, `${what} ${word.text}`);
    if (found === "maybe") doubt = grave(rule, `${what} a place that is only known when it runs: ${word.text}`);
  }
  if (part.isFolderUnknown && !word.shape.startsWith("/"))
    doubt ??= grave(rule, `${what} ${word.text}, in a folder that is only known when it runs`);
  return doubt;
};
