/** A place that a search found, read back from a line `path:line: text`. */
export interface GrepHit {
  readonly path: string;
  readonly line: number;
  /** `path:line`. */
  readonly place: string;
  readonly text: string;
  /** The first two folders of the path, such as `src/auth`; `(root)` for files in none. */
  readonly module: string;
}

/**
 * Reads one line of a search's output. `undefined`: the line is no hit but a note. Paths that a line could not hold as
 * they are (line breaks, or text that looks like a line number) come as JSON strings.
 */
export const grepHit = (line: string): GrepHit | undefined => {
  const quoted = /^("(?:[^"\\]|\\.)*"):(\d+): ?(.*)$/s.exec(line);
  const [, written, number, text] = quoted ?? /^([^"].*?):(\d+): ?(.*)$/s.exec(line) ?? [];
  if (written === undefined || number === undefined || text === undefined) return undefined;
  const path = (quoted === null ? written : unquoted(written))?.replace(/^\.\//, "");
  if (path === undefined) return undefined;
  const folders = path.split("/").slice(0, -1).slice(0, 2).join("/");
  return { path, line: Number(number), place: `${path}:${number}`, text, module: folders === "" ? "(root)" : folders };
};

const unquoted = (written: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};
