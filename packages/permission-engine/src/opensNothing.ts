import type { ShellWord } from "./ShellWord.ts";

const harmlessFile = /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+|stdin)$/;

/** Whether a path is the null device, the terminal or an open descriptor. */
export const isHarmlessFile = (path: string): boolean => harmlessFile.test(path);

/** Whether a redirection opens no file. */
export const opensNothing = (word: ShellWord): boolean => isHarmlessFile(word.text);
