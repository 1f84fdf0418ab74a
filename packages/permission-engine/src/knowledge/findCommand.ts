import type { CommandEntry } from "./CommandEntry.ts";
import { knownCommands } from "./knownCommands.ts";

/** A program or sub-command, with the sub-commands below it. */
export interface CommandNode {
  /** Its words: `git log`. */
  readonly words: string;
  entry: CommandEntry | undefined;
  readonly children: Map<string, CommandNode>;
}

let tree: ReadonlyMap<string, CommandNode> | undefined;

/** What is known of a program by its name: without its folder, in lower case. */
export const findProgram = (name: string): CommandNode | undefined => {
  tree ??= plant(knownCommands);
  return tree.get(name) ?? tree.get(nameWithoutVersion(name));
};

/** The sub-command of that name. Some programs do not care for its letter case. */
export const findChild = (node: CommandNode, word: string): CommandNode | undefined => node.children.get(word);

// python3.12 is python3, mkfs.ext4 is mkfs, pip3.11 is pip3.
const nameWithoutVersion = (name: string): string =>
  /^(?:mkfs|newfs)[._-]/.test(name) ? "mkfs" : name.replace(/(?<=[a-z]\d?)[-.]?\d+(?:\.\d+)*$/, "");

const plant = (entries: ReadonlyArray<CommandEntry>): ReadonlyMap<string, CommandNode> => {
  const top = new Map<string, CommandNode>();
  for (const entry of entries)
    for (const words of entry.command.split(" | ")) {
      let level = top;
      let node: CommandNode | undefined;
      let path = "";
      for (const word of words.split(" ")) {
        path = path === "" ? word : `${path} ${word}`;
        node = level.get(word);
        if (node === undefined) level.set(word, (node = { words: path, entry: undefined, children: new Map() }));
        level = node.children;
      }
      if (node !== undefined) node.entry = entry;
    }
  return top;
};
