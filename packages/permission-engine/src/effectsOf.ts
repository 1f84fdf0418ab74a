import { type CommandEffect, type Resource, type Risk, worseRisk } from "@kumiko/plugin-api";
import type { CommandAnalysis, CommandPart } from "./CommandPart.ts";
import { hostOf } from "./hostOf.ts";
import { shorten, shortenMiddle } from "./internal/visible.ts";
import { isMark, mark } from "./internal/marks.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { isHarmlessFile } from "./opensNothing.ts";
import { type PartEffect, partDeeds } from "./PartEffect.ts";
import { resolvePath } from "./PathKey.ts";
import { remoteHost } from "./remoteHost.ts";

/** More effects or resources than this are not listed; the risk counts all parts. */
export const mostListed = 128;
/** Longer targets, of what is no file of a known name, are cut. */
const mostOfTarget = 512;

/** What a command would do, as far as it is known. */
export interface CommandEffects {
  readonly risk: Risk;
  readonly resources: ReadonlyArray<Resource>;
  readonly effects: ReadonlyArray<CommandEffect>;
  /** There are more files or hosts than are listed. */
  readonly isCut: boolean;
}

/** Adds up what the parts would do. A part that is not understood counts as `remote-write`. */
export const effectsOf = (analysis: CommandAnalysis): CommandEffects => {
  let risk: Risk = analysis.doubts.length > 0 ? "remote-write" : "read";
  const resources = new Map<string, Resource>();
  const effects = new Map<string, CommandEffect>();
  let isCut = false;
  for (const part of analysis.parts) {
    const deeds = partDeeds(part);
    risk = worseRisk(risk, deeds.risk);
    for (const effect of deeds.effects)
      for (const { key, mode, target: named } of touched(part, effect)) {
        const target = shown(named, key);
        if (effects.size < mostListed) effects.set(`${effect.kind} ${target}`, { kind: effect.kind, target });
        if (key === undefined || resources.has(`${mode} ${key}`)) continue;
        if (resources.size < mostListed) resources.set(`${mode} ${key}`, { key, mode });
        else isCut = true;
      }
  }
  return { risk, resources: [...resources.values()], effects: [...effects.values()], isCut };
};

/** More effects of one part are not counted. */
const mostCounted = 4096;

/** The gravest effects of one part, each of at most so many characters, and how many others there are. */
export const listedEffects = (
  part: CommandPart,
  most: number,
  mostCharacters: number,
): { readonly effects: ReadonlyArray<CommandEffect>; readonly moreEffects?: number } => {
  const found = new Map<string, CommandEffect>();
  for (const isGrave of [true, false])
    for (const effect of partDeeds(part).effects) {
      if ((effect.kind !== "read") !== isGrave) continue;
      for (const { target } of touched(part, effect)) {
        if (found.size >= mostCounted) break;
        found.set(`${effect.kind} ${target}`, { kind: effect.kind, target });
      }
    }
  const effects = [...found.values()]
    .slice(0, most)
    .map(({ kind, target }): CommandEffect => ({ kind, target: shortenMiddle(target, mostCharacters) }));
  return found.size > most ? { effects, moreEffects: found.size - most } : { effects };
};

// A file's name is what others go by: it stays whole.
const shown = (target: string, key: string | undefined): string =>
  key === undefined || key !== `file:${target}` ? shorten(target, mostOfTarget) : target;

interface Touched {
  readonly target: string;
  readonly mode: Resource["mode"];
  readonly key?: string;
}

const fileRoles: ReadonlySet<Role> = new Set([
  "reads",
  "lists",
  "targets",
  "writes",
  "touches",
  "links",
  "chmods",
  "deletes",
  "moves",
  "mirrors",
  "mounts",
  "may-write",
  "formats",
  "wipes",
]);

/** Whether a role is about a file. `remote-reads` and `remote-writes` may be. */
export const isFileRole = (role: Role): boolean => fileRoles.has(role);

const touched = (part: CommandPart, effect: PartEffect): ReadonlyArray<Touched> => {
  const { role, word } = effect;
  if (effect.isLanding === true) return [];
  const host = role === "connects" ? hostOf(word.text) : undefined;
  if (role === "connects")
    return [
      host === undefined || !word.isStatic || /\s/.test(word.text)
        ? { target: word.text, mode: "write" }
        : { target: host, mode: "write", key: `net:${host}` },
    ];
  if (role === "remote-reads" || role === "remote-writes") {
    const remote = remoteHost(word.text);
    const mode = role === "remote-writes" ? "write" : "read";
    return remote === undefined ? filesOf(part, effect, mode) : [{ target: word.text, mode, key: `net:${remote}` }];
  }
  if (role === "kills") return [{ target: `process ${word.text}`, mode: "write" }];
  if (!isFileRole(role)) return [{ target: word.text, mode: "write" }];
  if (effect.isElsewhere) return [{ target: `elsewhere:${word.text}`, mode: "write" }];
  return filesOf(part, effect, effect.kind === "read" ? "read" : "write");
};

const filesOf = (
  { folders, isFolderUnknown }: CommandPart,
  { word }: PartEffect,
  mode: Resource["mode"],
): ReadonlyArray<Touched> => {
  const shape = word.shape.replaceAll(mark.blank, " ");
  const isPlaced = shape.startsWith("/") || !isFolderUnknown;
  if (word.isStatic && isPlaced)
    return placesOf(word.text, folders)
      .filter((path) => !isHarmlessFile(path))
      .map((path) => ({ target: path, mode, key: `file:${path}` }));
  const places = isPlaced ? placesOf(certainFolder(shape), folders) : ["/"];
  return places.map((path) => ({ target: word.source, mode, key: `file:${path}` }));
};

/** The absolute paths a name may have, by the folders the command may run in. */
export const placesOf = (path: string, folders: ReadonlyArray<string>): ReadonlyArray<string> =>
  path.startsWith("/") && (folders.length === 0 || !path.includes("/cwd"))
    ? [resolvePath("/", path)]
    : folders.map((folder) => resolvePath(folder, path));

// The folder that certainly holds what a pattern finds; an unknown piece may lead anywhere.
const certainFolder = (shape: string): string => {
  if (shape.includes(mark.unknown) || /(?:^|\/)\.\.(?:\/|$)/.test(shape)) return "/";
  const open = [...shape].findIndex(isMark);
  return open < 0 ? shape : shape.slice(0, shape.slice(0, open).lastIndexOf("/") + 1);
};
