import { grepHit, type GrepHit } from "./internal/grepHits.ts";

/** What a template may use. */
export interface RehearsalScope {
  readonly prompt: string;
  /** Results of the calls made since the prompt, in order. */
  readonly results: ReadonlyArray<RehearsalResult>;
  /** The last of them; absent before the first. */
  readonly last?: RehearsalResult;
  /** In `otherwise` only: the first result that is not `ok`. */
  readonly failed?: RehearsalResult;
}

/** A tool's result, as templates see it. */
export interface RehearsalResult {
  readonly tool: string;
  readonly status: string;
  /** `status` as a verb phrase: "succeeded", "was denied", … */
  readonly outcome: string;
  readonly text: string;
  /** Lines of the text that are not empty. */
  readonly lines: ReadonlyArray<string>;
}

/** Renders the templates of parts. */
export interface RehearsalTemplates {
  /** What is wrong with a template's syntax; `undefined`: nothing. */
  readonly problemOf: (template: string) => string | undefined;
  /** Throws an `Error` that says what went wrong: an unknown variable, a limit. */
  readonly render: (template: string, scope: RehearsalScope) => string;
}

/** Characters of one template: a screenful of them is two thousand. */
const maxTemplateCharacters = 100_000;
/** Objects one rendering may make; a report of a thousand lines makes some ten thousand. */
const maxObjects = 10_000_000;
/** Tags and outputs one rendering may run. */
const maxSteps = 1_000_000;

/**
 * Loads Liquid, the template language: strict about variables and filters, without access to files, bounded in time and
 * memory. Filters beside Liquid's own: `hits` and `notes` (of a search's lines), `comment` (from a marker to the
 * comment's end), `code` and `prose` (Markdown), `plain` (without control characters), `count` (a number with its noun).
 */
export const loadRehearsalTemplates = async (): Promise<RehearsalTemplates> => {
  const { Liquid } = await import("liquidjs");
  const engine = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    lenientIf: true,
    // An empty set of templates in memory: includes find nothing and never look at the disk.
    templates: {},
    parseLimit: maxTemplateCharacters,
    memoryLimit: maxObjects,
  });
  for (const [name, filter] of Object.entries(filters)) engine.registerFilter(name, filter);
  const parsed = new Map<string, ReturnType<typeof engine.parse>>();
  const parse = (template: string): ReturnType<typeof engine.parse> => {
    const known = parsed.get(template);
    if (known !== undefined) return known;
    const compiled = engine.parse(template);
    parsed.set(template, compiled);
    return compiled;
  };
  return {
    problemOf: (template) => {
      try {
        parse(template);
        return undefined;
      } catch (error) {
        return firstLine(error);
      }
    },
    render: (template, scope) => {
      try {
        return String(engine.renderSync(parse(template), { ...scope }, { templateLimit: maxSteps }));
      } catch (error) {
        throw new Error(firstLine(error), { cause: error });
      }
    },
  };
};

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";

const filters: Readonly<Record<string, (value: unknown, ...options: ReadonlyArray<unknown>) => unknown>> = {
  hits: (value) =>
    linesOf(value).flatMap((line): ReadonlyArray<GrepHit> => {
      const hit = grepHit(line);
      return hit === undefined ? [] : [hit];
    }),
  notes: (value) => linesOf(value).filter((line) => grepHit(line) === undefined),
  comment: (value, marker) => commentFrom(String(value), String(marker ?? "")),
  code: (value) => codeSpan(String(value)),
  plain: (value) => visible(String(value)),
  prose: (value) => escapeMarkdown(String(value)),
  count: (value, noun) => `${String(value)} ${String(noun)}${value === 1 ? "" : "s"}`,
};

const linesOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((line) => typeof line === "string") : [];

const commentFrom = (line: string, marker: string): string =>
  line
    .slice(Math.max(0, line.indexOf(marker)))
    .replace(/(?:\*\/|-->|#\})\s*$/, "")
    .trim();

const visible = (text: string): string =>
  text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1).replace("\u007f", "\\u007f"));

// A span is fenced by more backticks than it holds in a row.
const codeSpan = (text: string): string => {
  const shown = visible(text);
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${shown}${fence}` : `${fence} ${shown} ${fence}`;
};

const escapeMarkdown = (text: string): string => visible(text).replace(/[\\`*[\]<]/g, String.raw`\$&`);
