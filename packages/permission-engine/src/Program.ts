import type { ShellWord } from "./ShellWord.ts";
import { baseName } from "./PathKey.ts";

const systemFolder = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/;

/** The name under which a program is known: without its folder, in lower case. */
export const programName = (word: ShellWord | undefined): string =>
  word === undefined
    ? ""
    : baseName(word.text)
        .toLowerCase()
        // As a shell beside Windows calls them.
        .replace(/(?<=.)\.exe$/, "");

/**
 * The name a rule may allow: a folder of the system is dropped, any other folder stays, because a program of the same
 * name may lie there.
 */
export const allowableName = (word: ShellWord): string =>
  systemFolder.test(word.text) ? baseName(word.text) : word.text;

/** Whether a word certainly runs the program of that name as installed. */
export const isInstalled = (word: ShellWord | undefined): boolean =>
  word !== undefined && word.isStatic && allowableName(word) === programName(word);

/** Whether a word can be an option at all. */
export const isOption = (word: ShellWord): boolean => word.text.startsWith("-") && word.text !== "-";
