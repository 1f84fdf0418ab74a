import { opendirSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { printable } from "../printable.ts";
import type { Completion } from "./Editor.ts";

/** What is looked at of a folder: a longer one is told by more letters of the name. */
const mostEntries = 2_000;

/** What completes the piece before the cursor: a slash command at the start, a path after `@`, or anywhere after `!`. */
export const complete = (
  text: string,
  cursor: number,
  { commands, cwd }: { readonly commands: ReadonlyArray<string>; readonly cwd: string },
): Completion | undefined => {
  const before = text.slice(0, cursor);
  if (/^\/\w*$/.test(before)) {
    const items = commands.filter((name) => `/${name}`.startsWith(before)).map((name) => `/${name} `);
    return { from: 0, to: cursor, items };
  }
  const [, at, typed] =
    /(?:^|\s)(@)(\S*)$/.exec(before) ?? (before.startsWith("!") ? (/()([^\s!]*)$/.exec(before) ?? []) : []);
  if (typed === undefined) return undefined;
  const from = cursor - typed.length;
  return { from, to: cursor, items: pathsLike(typed, cwd, at === "@") };
};

const pathsLike = (typed: string, cwd: string, isMention: boolean): ReadonlyArray<string> => {
  const isFolder = typed === "" || typed.endsWith("/");
  const folder = isFolder
    ? typed
    : dirname(typed) === "." && !typed.startsWith("./")
      ? ""
      : `${dirname(typed)}/`.replace("//", "/");
  const start = isFolder ? "" : basename(typed);
  const path = folder.startsWith("~/") ? join(homedir(), folder.slice(2)) : resolve(cwd, folder === "" ? "." : folder);
  return namesIn(path, start).map(({ isFolder: isInner, name }) => {
    const whole = folder + name;
    return isInner ? `${whole}/` : isMention ? `${whole} ` : whole;
  });
};

const namesIn = (path: string, start: string): ReadonlyArray<{ readonly name: string; readonly isFolder: boolean }> => {
  const found: Array<{ readonly name: string; readonly isFolder: boolean }> = [];
  try {
    const folder = opendirSync(path);
    try {
      for (let count = 0; count < mostEntries; count++) {
        const entry = folder.readSync();
        if (entry === null) break;
        const { name } = entry;
        // A name with a blank or a control character in it could not be told from the text around it.
        const isPlain = !/\s/.test(name) && printable(name) === name;
        if (name.startsWith(start) && isPlain && (start !== "" || !name.startsWith(".")))
          found.push({ name, isFolder: entry.isDirectory() });
      }
    } finally {
      folder.closeSync();
    }
  } catch {
    return []; // there is no such folder, or it may not be read: nothing completes it
  }
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
};
