import { remoteHost } from "./remoteHost.ts";
import { mark } from "./internal/marks.ts";
import type { Role } from "./knowledge/CommandEntry.ts";
import { baseName } from "./PathKey.ts";
import type { CommandReading, RoledWord } from "./readCommand.ts";
import { plainWord, type ShellWord } from "./ShellWord.ts";

const targets: ReadonlySet<Role> = new Set(["writes", "touches", "remote-writes", "mirrors"]);
const sources: ReadonlySet<Role> = new Set(["reads", "lists", "links", "moves", "remote-reads"]);
/** More are not looked at. */
const mostLandings = 128;

/**
 * The files that a copy makes in a folder, each under the name that it has where it comes from. `may-write`: the target
 * may be no folder.
 */
export const landings = ({ entry, roled }: CommandReading): ReadonlyArray<RoledWord> => {
  if (entry?.lands === undefined) return [];
  const isPacked = entry.lands === "paths";
  const folders = roled.filter(({ role, word }) => targets.has(role) && remoteHost(word.text) === undefined);
  const copied = roled.filter(({ role }) => (isPacked ? role === "text" : sources.has(role)));
  const found: Array<RoledWord> = [];
  const isFolder = isPacked || copied.length > 1;
  for (const { word: folder } of isPacked && folders.length === 0 ? [here] : folders) {
    const role = isFolder || /(?:^|\/)\.{0,2}$/.test(folder.text) ? "writes" : "may-write";
    const names = copied.map(({ word }) => (isPacked ? word : lastOf(word)));
    // Which names they have is not known.
    if (isPacked || names.some(({ isStatic, text }) => !isStatic || isAll(text)))
      found.push({ role, word: inside(folder, everything) });
    for (const name of names)
      if (!isAll(name.text) && /[^\uE000-\uE006]/.test(name.shape)) found.push({ role, word: inside(folder, name) });
    if (found.length > mostLandings) break;
  }
  return found;
};

const here = { role: "writes", word: plainWord(".") } as const;
const everything = plainWord("*");

// All that is in a folder: `folder/`, `folder/.`
const isAll = (name: string): boolean => /^\.{0,2}$/.test(name);

// `host:name`, too.
const lastOf = (word: ShellWord): ShellWord => {
  const last = (text: string): string => baseName(text.replace(/(?<=[^/])\/+$/, "")).replace(/^.*:/s, "");
  return { ...word, text: last(word.text), shape: last(word.shape) };
};

const inside = (folder: ShellWord, name: ShellWord): ShellWord => ({
  source: `${folder.source}/${name.source}`,
  text: `${folder.text}/${name.text}`,
  shape: `${folder.shape}/${name.shape.replaceAll(mark.split, mark.blank)}`,
  isStatic: folder.isStatic && name.isStatic,
  isExpanded: folder.isExpanded || name.isExpanded,
});
