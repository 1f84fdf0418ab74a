import type { LineMatch } from "./LineMatcher.node.ts";

/** Characters of a line that are shown: around the match where it is longer. */
const shownCharacters = 400;

/** Characters of one result; beyond, the model is told to narrow the search. */
const maxOutputCharacters = 100_000;

/** What a search shows: the lines that match, only the files, or how many lines match in each. */
export type GrepMode = "lines" | "files" | "counts";

/** Gathers the lines a search shows, within its bounds. */
export interface GrepOutput {
  /** Shows the matches of a file, as its mode says. False: the output is full. */
  readonly add: (path: string, lines: ReadonlyArray<string>, matches: ReadonlyArray<LineMatch>) => boolean;
  /** Matches shown, or files where only those are. */
  readonly matchCount: () => number;
  /** The lines shown; `undefined` where nothing was left out, else why the output is full. */
  readonly lines: () => ReadonlyArray<string>;
  readonly stoppedBy: () => "matches" | "size" | undefined;
}

/**
 * Makes an output of at most `limit` matches, each with `context` lines around it: `path:line: text` for a match,
 * `path-line- text` for context, `--` between groups that do not touch. In the mode `files` it is `path`, in `counts`
 * `path:matches`, for at most `limit` files.
 */
export const makeGrepOutput = (limit: number, context: number, mode: GrepMode = "lines"): GrepOutput => {
  const shown: Array<string> = [];
  let matchCount = 0;
  let characters = 0;
  let stoppedBy: "matches" | "size" | undefined;
  let isFirstGroup = true;

  const push = (line: string): void => {
    shown.push(line);
    characters += line.length + 1;
  };

  // What has no room stops the search.
  const hasRoom = (): boolean => {
    if (matchCount === limit) stoppedBy = "matches";
    else if (characters > maxOutputCharacters) stoppedBy = "size";
    return stoppedBy === undefined;
  };

  return {
    add: (path, lines, matches) => {
      if (mode !== "lines") {
        if (matches.length === 0) return true;
        if (!hasRoom()) return false;
        matchCount++;
        push(mode === "files" ? path : `${path}:${matches.length}`);
        return true;
      }
      const columns = new Map(matches.map(({ line, column }) => [line, column]));
      // Lines of this file up to here are shown.
      let done = -1;
      for (const { line } of matches) {
        if (!hasRoom()) return false;
        matchCount++;
        const from = Math.max(done + 1, line - context);
        if (context > 0 && (done < 0 || from > done + 1) && !isFirstGroup) push("--");
        isFirstGroup = false;
        const to = Math.min(lines.length - 1, line + context);
        for (let at = from; at <= to; at++) {
          const column = columns.get(at);
          // A later match within the context comes with its own turn.
          if (at > line && column !== undefined) break;
          const mark = at === line ? ":" : "-";
          push(`${path}${mark}${at + 1}${mark} ${cutAround(lines[at] ?? "", column ?? 0)}`);
          done = at;
        }
      }
      return true;
    },
    matchCount: () => matchCount,
    lines: () => shown,
    stoppedBy: () => stoppedBy,
  };
};

const cutAround = (line: string, column: number): string => {
  if (line.length <= shownCharacters) return line;
  const from = Math.max(0, Math.min(column - shownCharacters / 4, line.length - shownCharacters));
  const to = from + shownCharacters;
  const after = line.length - to;
  return `${from === 0 ? "" : "… "}${line.slice(from, to)}${after === 0 ? "" : ` … (cut: ${after} more characters)`}`;
};
