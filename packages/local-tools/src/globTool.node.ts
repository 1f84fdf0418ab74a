import { stat } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { fileFailure } from "./fileFailure.ts";
import { type Glob, glob } from "./Glob.ts";
import { rulesFor } from "./ignoreRules.node.ts";
import { abortable } from "./internal/abortable.ts";
import { absolutePath, fileResource, fromBase } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { walk, type WalkReport } from "./walk.node.ts";

const defaultResults = 200;
const maxResults = 2000;

const Input = Schema.Struct({
  pattern: Schema.String.annotate({ description: "Such as **/*.ts, src/**, *.{md,txt}." }),
  path: Schema.optionalKey(Schema.String.annotate({ description: "Folder to look in. Default: the working folder." })),
  max_results: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxResults })).annotate({
      description: `Default ${defaultResults}.`,
    }),
  ),
});

/** The tool `glob`; relative paths start at the run's folder. */
export const globTool = (): Tool =>
  defineTool({
    name: "glob",
    description:
      "Lists files whose path fits a pattern, sorted, one a line, relative to the working folder. * and ? stay within a " +
      "name, ** spans folders, {a,b} and [a-z] work; a pattern without / fits at any depth. Skips .git, node_modules and " +
      `what .gitignore names (unless path names it); does not enter symbolic links. At most ${maxResults} results.`,
    input: Input,
    risk: "read",
    cacheable: true,
    resources: ({ path = "." }, cwd) => [fileResource(cwd, path, "read")],
    execute: ({ pattern, path = ".", max_results: limit = defaultResults }, { cwd }) =>
      abortable((signal) => list({ pattern, path, limit, base: cwd, signal })),
  });

interface Wanted {
  readonly pattern: string;
  readonly path: string;
  readonly limit: number;
  readonly base: string;
  readonly signal: AbortSignal;
}

const list = async ({ pattern, path, limit, base, signal }: Wanted): Promise<string> => {
  const fits = compiledGlob(pattern, "pattern");
  const folder = absolutePath(base, path);
  await requireFolder(folder, shownPath(path));
  const report: WalkReport = { unreadableFolders: 0, isTruncated: false, isPlain: true };
  const found: Array<string> = [];
  let hasMore = false;
  search: for await (const batch of walk(folder, await rulesFor(folder, base), report, signal))
    for (const entry of batch) {
      if (!fits(entry.path)) continue;
      hasMore = found.length === limit;
      if (hasMore) break search;
      found.push(shownPath(fromBase(base, join(folder, entry.path))));
    }
  const notes = [
    ...(found.length === 0 ? ["(no files match)"] : []),
    ...(hasMore ? [`(stopped after ${limit} results; narrow the pattern or the path, or raise max_results)`] : []),
    ...walkNotes(report),
  ];
  return [...found, ...notes].join("\n");
};

/** The glob of a tool's argument; a malformed one fails the call and says why. */
export const compiledGlob = (pattern: string, argument: string): Glob => {
  const result = glob(pattern);
  if (Result.isSuccess(result)) return result.success;
  throw new ToolFailed({ kind: "validation", detail: `${argument} ${JSON.stringify(pattern)}: ${result.failure}.` });
};

const requireFolder = async (absolute: string, path: string): Promise<void> => {
  const stats = await stat(absolute).catch((error: unknown) => {
    throw fileFailure(error, path);
  });
  if (!stats.isDirectory())
    throw new ToolFailed({
      kind: "validation",
      detail: `${path}: it is no folder.`,
      hint: "Give a folder as path, or leave it out.",
    });
};

/** What a search could not look at, in words. */
export const walkNotes = ({ unreadableFolders, isTruncated }: WalkReport): ReadonlyArray<string> => [
  ...(unreadableFolders === 0
    ? []
    : [`(${unreadableFolders} ${unreadableFolders === 1 ? "folder" : "folders"} could not be read)`]),
  ...(isTruncated ? ["(stopped: there are too many files; name a folder as path)"] : []),
];
