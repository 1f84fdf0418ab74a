import { defineTool, type Tool, type ToolFailed } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";

const defaultHits = 20;
const maxHits = 100;
const maxSnippetCharacters = 300;

/** A place in an earlier session. */
export interface SessionHit {
  readonly sessionKey: string;
  /** 1 for the session's first run. */
  readonly run: number;
  readonly where: "prompt" | "answer" | "call" | "result";
  readonly snippet: string;
}

/** What is looked for in earlier sessions. */
export interface SessionSearch {
  readonly text: string;
  /** Of all folders, not only of the run's. */
  readonly all: boolean;
  readonly cwd: string;
  /** The session that asks, which knows itself. */
  readonly sessionKey: string;
  readonly limit: number;
}

/** What was found: at most as many hits as were asked for, and how many more there are. */
export interface SessionHits {
  readonly hits: ReadonlyArray<SessionHit>;
  readonly more: number;
  /** Sessions that nobody could read. */
  readonly unreadable: number;
}

/** How {@link sessionSearchTool} is set up. */
export interface SessionSearchOptions {
  /** Absolute path of the folder that the sessions are kept in: those of other folders are the gate's to allow. */
  readonly folder: string;
  readonly search: (wanted: SessionSearch) => Effect.Effect<SessionHits, ToolFailed>;
}

const Input = Schema.Struct({
  text: Schema.String.check(
    Schema.isMaxLength(200),
    Schema.makeFilter((text: string) => text.trim() !== "" || "the text is empty"),
  ).annotate({ description: "Looked for whatever its case." }),
  all: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "In the sessions of all folders, not only of this one." }),
  ),
  max_hits: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxHits })).annotate({
      description: `Default ${defaultHits}.`,
    }),
  ),
});

/**
 * The tool `session_search`: looks for a text in the user's earlier sessions. Whoever keeps the sessions says how, by
 * `search`. Those of other folders count as files outside of the workspace: asked about.
 *
 * @example
 * ```ts
 * const tool = sessionSearchTool({ folder: "/home/u/sessions", search: () => Effect.succeed({ hits: [], more: 0, unreadable: 0 }) })
 * ```
 */
export const sessionSearchTool = ({ folder, search }: SessionSearchOptions): Tool =>
  defineTool({
    name: "session_search",
    description:
      "Looks for a text in earlier sessions with this user: prompts, answers, calls and results. Shows the session, the run " +
      "and the text around each hit.",
    input: Input,
    risk: "read",
    resources: ({ all = false }) => (all ? [{ key: `file:${folder}`, mode: "read" }] : []),
    execute: ({ all = false, max_hits: limit = defaultHits, text }, { cwd, sessionKey }) =>
      Effect.map(search({ text, all, cwd, sessionKey, limit }), shownHits),
  });

const shownHits = ({ hits, more, unreadable }: SessionHits): string =>
  [
    ...hits.map(({ run, sessionKey, snippet, where }) => `${sessionKey} run ${run}, ${where}: ${printable(snippet)}`),
    ...(hits.length === 0 ? ["(nothing found)"] : []),
    ...(more > 0 ? [`(${more} more; look for a longer text)`] : []),
    ...(unreadable > 0 ? [`(${unreadable === 1 ? "a session" : `${unreadable} sessions`} could not be read)`] : []),
  ].join("\n");

const printable = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ").slice(0, maxSnippetCharacters);
