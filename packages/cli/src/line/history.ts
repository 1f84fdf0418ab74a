import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { looksSecret } from "@kumiko/settings";
import { stateFolder } from "../stateFolder.ts";
import { mostHistory } from "./Editor.ts";

/** What is read of the file at most: its end. */
const mostBytes = 512 * 1024;
/** A longer entry is no line that somebody types again. */
const longestEntry = 10_000;

/** What was written at the prompt, kept from one `kumiko` to the next. */
export interface History {
  readonly entries: ReadonlyArray<string>;
  /** Keeps an entry. What looks like a key, or begins with a blank, is not kept. Never fails: it is a help, not a need. */
  readonly add: (text: string) => void;
}

/** The history of the user: a line of JSON an entry, readable by them only, the last 1 000 kept. */
export const openHistory = (path: string = join(stateFolder(), "history.jsonl")): History => {
  const { entries, size } = readHistory(path);
  if (size > mostBytes) rewrite(path, entries);
  return {
    entries,
    add: (text) => {
      if (text.length > longestEntry || /^\s/.test(text) || text.split(/\s+/).some(looksSecret)) return;
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
        const file = openSync(path, flag, 0o600);
        try {
          if (fstatSync(file).isFile()) appendFileSync(file, `${JSON.stringify(text)}\n`);
        } finally {
          closeSync(file);
        }
      } catch {
        // A folder that cannot be written has been told about where it matters: at the session.
      }
    },
  };
};

const readHistory = (path: string): { readonly entries: ReadonlyArray<string>; readonly size: number } => {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return { entries: [], size: 0 };
      const from = Math.max(stats.size - mostBytes, 0);
      const buffer = Buffer.alloc(Math.min(stats.size, mostBytes));
      const bytesRead = readSync(file, buffer, 0, buffer.length, from);
      const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
      // The first line may be half of one.
      return {
        entries: lines
          .slice(from > 0 ? 1 : 0)
          .flatMap(entryOf)
          .slice(-mostHistory),
        size: stats.size,
      };
    } finally {
      closeSync(file);
    }
  } catch {
    return { entries: [], size: 0 }; // there is none yet, or none that can be read
  }
};

const entryOf = (line: string): ReadonlyArray<string> => {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === "string" && entry.trim() !== "" ? [entry] : [];
  } catch {
    return []; // a torn line
  }
};

const rewrite = (path: string, entries: ReadonlyArray<string>): void => {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
    renameSync(draft, path);
  } catch {
    rmSync(draft, { force: true });
  }
};
