import { realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { defineTool, type Tool } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { fileFailure } from "./fileFailure.ts";
import type { Glob } from "./Glob.ts";
import { compiledGlob, walkNotes } from "./globTool.node.ts";
import { makeGrepOutput } from "./GrepOutput.ts";
import { fileFilter, maxFileBytes, type Search, searchFiles, type Target } from "./grepSearch.node.ts";
import { type IgnoreRules, rulesFor } from "./ignoreRules.node.ts";
import { abortable } from "./internal/abortable.ts";
import { absolutePath, fileResource, fromBase } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { lineMatcher, maxLineCharacters } from "./LineMatcher.node.ts";
import { requireFile } from "./TextFile.node.ts";
import { walk, type WalkReport } from "./walk.node.ts";

const defaultMatches = 200;
const maxMatches = 2000;
const maxContext = 10;
const maxPatternCharacters = 1000;
/** Files searched before ripgrep is asked, which takes some milliseconds to start. */
const defaultRipgrepFrom = 48;

const optional = (schema: Schema.Codec<number>, description: string) =>
  Schema.optionalKey(schema.annotate({ description }));

const Input = Schema.Struct({
  pattern: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxPatternCharacters)).annotate({
    description: "Regular expression (JavaScript), looked for in each line.",
  }),
  path: Schema.optionalKey(Schema.String.annotate({ description: "File or folder. Default: the working folder." })),
  include: Schema.optionalKey(Schema.String.annotate({ description: "Only files that fit this glob, such as *.ts." })),
  exclude: Schema.optionalKey(Schema.String.annotate({ description: "No files that fit this glob." })),
  ignore_case: Schema.optionalKey(Schema.Boolean),
  context: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxContext })),
    "Lines shown before and after each match. Default 0.",
  ),
  show: Schema.optionalKey(
    Schema.Literals(["lines", "files", "counts"]).annotate({
      description:
        "The lines (default), only the files, or how many lines match in each; max_matches is then of files.",
    }),
  ),
  max_matches: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxMatches })),
    `Default ${defaultMatches}.`,
  ),
});

/** How {@link grepTool} is set up. */
export interface GrepOptions {
  /**
   * Where ripgrep is at hand and the pattern says enough, it is asked which files to read once so many were searched
   * without it. Default: 48; `Infinity`: never. Results are the same either way.
   */
  readonly ripgrepFrom?: number;
}

/**
 * The tool `grep`; relative paths start at the run's folder. A pattern is a JavaScript regular expression, with ripgrep
 * and without: of ripgrep it only wants to know which files hold the plain texts that every match has to hold.
 */
export const grepTool = ({ ripgrepFrom = defaultRipgrepFrom }: GrepOptions = {}): Tool =>
  defineTool({
    name: "grep",
    description:
      "Searches text files line by line. Prints path:line: text, sorted by path and line; with context, other lines as " +
      "path-line- text. Skips .git, node_modules, binary files, files over 5 MB, symbolic links, and what .gitignore names " +
      "(unless path names it). Notes stand in parentheses at the end. A pattern that backtracks without end is refused.",
    input: Input,
    risk: "read",
    cacheable: true,
    resources: ({ path = "." }, cwd) => [fileResource(cwd, path, "read")],
    execute: (input, { cwd, permits }) =>
      abortable((signal) =>
        grep(input, { base: cwd, ripgrepFrom, signal }, (absolute) =>
          Effect.runPromise(permits({ key: `file:${absolute}`, mode: "read" })),
        ),
      ),
  });

interface Place {
  readonly base: string;
  readonly ripgrepFrom: number;
  readonly signal: AbortSignal;
}

const grep = async (
  input: typeof Input.Type,
  { base, ripgrepFrom, signal }: Place,
  permits: Search["permits"],
): Promise<string> => {
  const { pattern, path = ".", ignore_case: ignoreCase = false, context = 0, show = "lines" } = input;
  const { max_matches: limit = defaultMatches } = input;
  const top = absolutePath(base, path);
  const named = await namedFile(top, base, path);
  const report: WalkReport = { unreadableFolders: 0, isTruncated: false, isPlain: true };
  const rules = named === undefined ? await rulesFor(top, base) : undefined;
  const search: Search = {
    matcher: lineMatcher(pattern, ignoreCase),
    folder: top,
    // One match more than is shown tells that there are more.
    mostOf: (output) =>
      show === "lines" ? limit - output.matchCount() + 1 : show === "files" ? 1 : Number.POSITIVE_INFINITY,
    output: makeGrepOutput(limit, context, show),
    counts: { files: 0, binary: 0, tooLarge: 0, unreadable: 0, longLines: 0, withheld: 0 },
    ripgrepFrom,
    below: rules === undefined || input.include !== undefined ? undefined : lookingBelow(rules, report),
    permits,
  };
  const fits = fileFilter(
    input.include === undefined ? undefined : compiledGlob(input.include, "include"),
    input.exclude === undefined ? undefined : compiledGlob(input.exclude, "exclude"),
  );
  const files =
    named === undefined ? targets(top, base, fits, rules ?? { segments: [], levels: [] }, report, signal) : only(named);
  await searchFiles(search, files, signal);
  const unit = show === "lines" ? (limit === 1 ? "match" : "matches") : limit === 1 ? "file" : "files";
  return resultOf(search, report, { limit: `${limit} ${unit}`, isNamed: named !== undefined });
};

// Ripgrep reads the rules above a folder up to that of the repository; elsewhere it would go on to the root.
const lookingBelow = ({ isRepository = false, levels, segments }: IgnoreRules, report: WalkReport): Search["below"] => {
  const hasRulesAbove = segments.length > 0 && levels.length > 0;
  const isSure = (): boolean => report.isPlain && !report.isTruncated;
  return hasRulesAbove && !isRepository ? undefined : { rules: { hasRulesAbove }, isSure };
};

async function* only(target: Target): AsyncGenerator<ReadonlyArray<Target>, void> {
  yield [target];
}

// Undefined: a folder was named.
const namedFile = async (top: string, base: string, path: string): Promise<Target | undefined> => {
  const stats = await stat(top).catch((error: unknown) => {
    throw fileFailure(error, shownPath(path));
  });
  if (stats.isDirectory()) return undefined;
  requireFile(stats, shownPath(path));
  // A link that was named is meant; those that are met on the way are not.
  return { path: "", absolute: await realpath(top), shown: shownPath(fromBase(base, top)) };
};

async function* targets(
  top: string,
  base: string,
  fits: Glob,
  rules: IgnoreRules,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<ReadonlyArray<Target>, void> {
  const below = fromBase(base, top);
  // The folder is the run's or below it, or else each path has to be looked at.
  const prefix = isAbsolute(below) ? undefined : below === "" ? "" : `${below}/`;
  const absolute = top.endsWith("/") ? top : `${top}/`;
  for await (const batch of walk(top, rules, report, signal))
    yield batch.flatMap(({ isLink, path }) => {
      if (isLink || !fits(path)) return [];
      const shown = prefix === undefined ? fromBase(base, absolute + path) : prefix + path;
      return [{ path, absolute: absolute + path, shown: shownPath(shown) }];
    });
}

const resultOf = (
  { output, counts }: Search,
  report: WalkReport,
  { isNamed, limit }: { readonly isNamed: boolean; readonly limit: string },
): string => {
  const stoppedBy = output.stoppedBy();
  const notes = [
    ...(output.matchCount() === 0 ? [`(no matches in ${files(counts.files - (isNamed ? counts.binary : 0))})`] : []),
    ...(stoppedBy === "matches" ? [`(stopped after ${limit}; narrow the search, or raise max_matches)`] : []),
    ...(stoppedBy === "size" ? ["(stopped: the output is full; narrow the search)"] : []),
    ...(isNamed && counts.binary > 0 ? [`(${files(counts.binary)} not searched: binary)`] : []),
    ...(counts.tooLarge === 0
      ? []
      : [`(${files(counts.tooLarge)} over ${maxFileBytes / 1024 / 1024} MB not searched)`]),
    ...(counts.withheld === 0 ? [] : [`(matches in ${files(counts.withheld)} withheld: reading them is not allowed)`]),
    ...(counts.unreadable === 0 ? [] : [`(${files(counts.unreadable)} could not be read)`]),
    ...(counts.longLines === 0
      ? []
      : [`(lines over ${maxLineCharacters} characters searched only up to there, in ${files(counts.longLines)})`]),
    ...walkNotes(report),
  ];
  return [...output.lines(), ...notes].join("\n");
};

const files = (count: number): string => `${count} ${count === 1 ? "file" : "files"}`;
