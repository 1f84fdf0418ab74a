import { type CommandPart, innermost } from "./CommandPart.ts";
import { withoutPrefix } from "./internal/withoutPrefix.ts";
import { operandsOf } from "./Operands.ts";
import { isInside, resolvePath } from "./PathKey.ts";
import { programName } from "./Program.ts";
import type { ShellWord } from "./ShellWord.ts";

/** A name under which another folder can be reached, because the same command makes it. */
export interface MadeLink {
  readonly name: string;
  readonly target: string;
}

/** More are not followed. */
const mostLinks = 8;

/** The links and mounts that a command makes: `ln -s / x; rm -rf x/usr`. */
export const madeLinks = (parts: ReadonlyArray<CommandPart>): ReadonlyArray<MadeLink> => {
  const found: Array<MadeLink> = [];
  for (const { folders, levels } of parts) {
    const argv = levels.at(-1)?.argv ?? [];
    const program = programName(argv[0]);
    const isBind = program === "bindfs" || (program === "mount" && argv.some(({ text }) => /bind/.test(text)));
    if (program !== "ln" && !isBind) continue;
    const [target, ...others] = operandsOf(argv).filter(({ text }) => !/^(?:bind|rbind|none)$/.test(text));
    if (target === undefined || found.length >= mostLinks) continue;
    // Without a name, or in a folder, a link is called as what it leads to.
    const own = target.text.replace(/\/+$/, "").replace(/^.*\//s, "");
    const given = others.at(-1)?.text;
    const names = given === undefined ? [own] : own === "" ? [given] : [given, `${given}/${own}`];
    for (const folder of folders)
      for (const name of names) {
        const path = resolvePath(folder, name);
        if (path === folder) continue;
        found.push({ name: path, target: resolvePath(path.slice(0, Math.max(1, path.lastIndexOf("/"))), target.text) });
      }
  }
  return found.toSorted((a, b) => b.name.length - a.name.length);
};

/** The part as it would be if what such a link leads to were named; undefined where it names none. */
export const throughLinks = (part: CommandPart, links: ReadonlyArray<MadeLink>): CommandPart | undefined => {
  let isChanged = false;
  const through = (word: ShellWord): ShellWord => {
    for (const folder of part.folders)
      for (const { name, target } of links) {
        const path = resolvePath(folder, word.shape);
        // The link itself is no way into what it leads to.
        if (!isInside(path, name) || (path === name && !/\/[^/]*$/.test(word.shape.slice(-1)))) continue;
        isChanged = true;
        const rest = withoutPrefix({ ...word, text: path, shape: path }, name.length);
        const lead = target === "/" ? "" : target;
        return { ...rest, text: `${lead}${rest.text}` || "/", shape: `${lead}${rest.shape}` || "/" };
      }
    return word;
  };
  const [name, ...words] = innermost(part);
  const argv = words.map(through);
  const redirects = part.redirects.map((redirect) => ({ ...redirect, target: through(redirect.target) }));
  if (!isChanged) return undefined;
  const levels = name === undefined ? [] : [{ argv: [name, ...argv], isTransparent: false }];
  return { ...part, levels, redirects };
};
