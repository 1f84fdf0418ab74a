import { type CommandPart, innermost } from "./CommandPart.ts";
import type { Glob } from "./Glob.ts";
import { shorten } from "./internal/visible.ts";
import { mayRunArguments } from "./mayRunArguments.ts";

/** More places are not looked at: the rule counts as being about one of them. */
const mostPlaces = 32;

/**
 * A rule about a command that stands among the arguments of a program which may run it, word for word: `./run deploy x`
 * for the rule `deploy *`.
 */
export const namedAmong = (
  part: CommandPart,
  rules: ReadonlyArray<Glob>,
): { readonly glob: Glob; readonly source: string } | undefined => {
  if (!mayRunArguments(part)) return undefined;
  const argv = innermost(part);
  const words = [...argv.slice(1), ...part.code.filter((word) => !argv.includes(word))];
  const joined = [...words.map(({ text }) => text), ...(part.input === undefined ? [] : [part.input])].join(" ");
  // `run(["git", "push"])`
  const plain = joined.replaceAll(/[^\w./~@:+=*?$-]+/g, " ");
  // `s/.*/git push/e`
  const bare = plain.replaceAll("/", " ");
  const texts = [...new Set([plain, joined, bare])];
  for (const glob of rules) {
    const head = /^[^\s*?]+/.exec(glob.source)?.[0] ?? "";
    if (head === "") continue;
    for (const text of texts) {
      let count = 0;
      for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, at + 1)) {
        if (at > 0 && /[\w.-]/.test(text.charAt(at - 1))) continue;
        const rest = text.slice(at, at + 4096);
        if (++count > mostPlaces || glob.matches(rest) || glob.matches(`${rest} `))
          return { glob, source: shorten(rest, 120) };
      }
    }
  }
  return undefined;
};
