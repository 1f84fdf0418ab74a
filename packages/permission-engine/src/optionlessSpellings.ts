import type { ShellWord } from "./ShellWord.ts";
import type { Argv } from "./Unwrapped.ts";

/** More options before a sub-command are not taken apart: what is left is looked at as it stands. */
const mostOptions = 5;

/**
 * What a command may come to once the options before its sub-command are read: `gh pr -R o/r merge 3` is `gh pr merge 3`
 * where `-R` takes a value, and `gh pr o/r merge 3` where it takes none. Only the options among the first words are
 * taken apart, and at most five.
 */
export const optionlessSpellings = (argv: Argv): ReadonlyArray<Argv> => {
  const [name, ...rest] = argv;
  if (name === undefined) return [];
  const places = rest.flatMap((word, at) => (isOption(word) ? [at] : [])).slice(0, mostOptions);
  if (places.length === 0) return [];
  const found: Array<Argv> = [];
  for (let choice = 0; choice < 2 ** places.length; choice++) {
    const dropped = new Set<number>();
    for (const [index, at] of places.entries()) {
      dropped.add(at);
      const value = rest[at + 1];
      const takesNext = (choice & (1 << index)) !== 0;
      if (takesNext && value !== undefined && !isOption(value)) dropped.add(at + 1);
    }
    found.push([name, ...rest.filter((_, at) => !dropped.has(at))]);
  }
  return found;
};

const isOption = ({ text }: ShellWord): boolean => text.startsWith("-") && text.length > 1;
