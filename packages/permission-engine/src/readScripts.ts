import type { RoledWord } from "./readCommand.ts";
import { sedScript } from "./sedScript.ts";
import { plainWord, type ShellWord } from "./ShellWord.ts";

/** What is named in scripts of sed: the files they read and write, and the commands they run. */
export const readScripts = (roled: ReadonlyArray<RoledWord>): ReadonlyArray<RoledWord> =>
  scriptsAmong(roled).flatMap(namedIn);

const scriptsAmong = (roled: ReadonlyArray<RoledWord>): ReadonlyArray<ShellWord> => {
  const scripts = roled.flatMap(({ role, word }) => (role === "code" ? [word] : []));
  // On macOS, `-i ''` is one option: the script comes behind it.
  const behind = scripts.some(({ isStatic, text }) => isStatic && text === "")
    ? roled.find(({ role }) => role === "writes")
    : undefined;
  return behind === undefined ? scripts : [...scripts, behind.word];
};

const namedIn = (word: ShellWord): ReadonlyArray<RoledWord> => {
  const { commands, isOpen, reads, writes } = sedScript(word.isStatic ? word.text : word.shape);
  // A script with an unknown piece asks for that reason, where it matters.
  const isHidden = isOpen && (word.isStatic || commands.length > 0);
  const piece = (text: string): ShellWord =>
    word.isStatic ? plainWord(text) : { ...word, source: word.source, text, shape: text };
  return [
    ...writes.map((file): RoledWord => ({ role: "writes", word: piece(file) })),
    ...reads.map((file): RoledWord => ({ role: "reads", word: piece(file) })),
    ...commands.map((command): RoledWord => ({ role: "script", word: piece(command) })),
    ...(isHidden ? [{ role: "redefines", word } as const] : []),
  ];
};
