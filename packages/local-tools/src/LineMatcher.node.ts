import { type Context, createContext, Script, constants } from "node:vm";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode } from "./fileFailure.ts";
import { requiredTexts } from "./RequiredTexts.ts";

/** Where a line matches: its index among the lines, and the column where the match begins. */
export interface LineMatch {
  readonly line: number;
  readonly column: number;
}

/** Finds the lines that a pattern matches. */
export interface LineMatcher {
  /**
   * The text that every match holds, where the pattern is nothing but text and case counts: files without it need not be
   * decoded.
   */
  readonly literal: Buffer | undefined;
  /** Texts of which a match holds at least one, where that is known. */
  readonly required: { readonly texts: ReadonlyArray<string>; readonly ignoreCase: boolean } | undefined;
  /**
   * The matches in several texts, at most `limit` in each. Fails with a `ToolFailed` when the pattern takes too long:
   * `names` says which texts were searched.
   */
  readonly find: (
    texts: ReadonlyArray<ReadonlyArray<string>>,
    names: ReadonlyArray<string>,
    limit: number,
  ) => FoundMatches;
}

/** The matches of each text. */
interface FoundMatches {
  readonly of: ReadonlyArray<ReadonlyArray<LineMatch>>;
  /** Whether long lines were searched only up to {@link maxLineCharacters}: as a whole, they would have taken too long. */
  readonly isCut: boolean;
}

/** Where whole lines take too long, they are searched up to here, in characters; only machines write longer ones. */
export const maxLineCharacters = 20_000;

/**
 * Time one call of `find` may take. An honest pattern needs a few milliseconds for the texts of one call (at most some
 * megabytes); a hostile or careless one, such as `(a+)+$`, would need years and shows as a failure that names it.
 */
const maxMillis = 500;

/**
 * Compiles a pattern: JavaScript's regular expressions, with a leading `(?i)` as elsewhere. Fails with a `ToolFailed`
 * that says what is wrong.
 *
 * Regular expressions backtrack, and nothing in the language stops them. So they run inside a script with a time limit,
 * which the engine enforces even within one match; the process goes on, and only this search fails.
 */
export const lineMatcher = (pattern: string, ignoreCase: boolean): LineMatcher => {
  const inlineFlag = pattern.startsWith("(?i)");
  const source = inlineFlag ? pattern.slice(4) : pattern;
  const regex = compile(source, ignoreCase || inlineFlag);
  const isLiteral = !ignoreCase && !inlineFlag && /^[^\\^$.*+?()[\]{}|\n]+$/.test(source);
  return {
    literal: isLiteral && source.isWellFormed() ? Buffer.from(source, "utf8") : undefined,
    required: requiredOf(source, ignoreCase || inlineFlag),
    find: (texts, names, limit) => {
      // Looking for a text never takes long.
      if (isLiteral) return { of: texts.map((lines) => findText(lines, source, limit)), isCut: false };
      const search = (most: number) => () => texts.map((lines) => findPattern(lines, regex, limit, most));
      const whole = withinTime(search(Number.POSITIVE_INFINITY));
      if (whole !== undefined) return { of: whole, isCut: false };
      const hasLong = texts.some((lines) => lines.some(({ length }) => length > maxLineCharacters));
      const cut = hasLong ? withinTime(search(maxLineCharacters)) : undefined;
      if (cut !== undefined) return { of: cut, isCut: true };
      throw tooSlow(pattern, names);
    },
  };
};

// What is not UTF-8 in a file reads as U+FFFD, and case is folded by other rules outside of ASCII.
const requiredOf = (source: string, ignoreCase: boolean): LineMatcher["required"] => {
  const texts = requiredTexts(source);
  const isKnown = texts?.every((text) => !/[\0\n\r\ufffd]/.test(text) && (!ignoreCase || /^[ -~\t]+$/.test(text)));
  return texts === undefined || isKnown !== true ? undefined : { texts, ignoreCase };
};

const compile = (source: string, ignoreCase: boolean): RegExp => {
  const flags = `${ignoreCase ? "i" : ""}${/\\[pP]\{|\\u\{/.test(source) ? "u" : ""}`;
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw invalidPattern(error);
  }
};

const invalidPattern = (error: unknown): ToolFailed => {
  const problem = error instanceof Error ? error.message.replace(/^Invalid regular expression: /, "") : String(error);
  return new ToolFailed({
    kind: "validation",
    detail: `the pattern is no valid regular expression: ${problem}.`,
    hint: "JavaScript syntax; escape ( ) [ ] { } . * + ? ^ $ | \\ with a backslash to look for them.",
  });
};

const findText = (lines: ReadonlyArray<string>, text: string, limit: number): ReadonlyArray<LineMatch> => {
  const found: Array<LineMatch> = [];
  for (let line = 0; line < lines.length && found.length < limit; line++) {
    const column = lines[line]?.indexOf(text) ?? -1;
    if (column >= 0) found.push({ line, column });
  }
  return found;
};

const findPattern = (
  lines: ReadonlyArray<string>,
  regex: RegExp,
  limit: number,
  most: number,
): ReadonlyArray<LineMatch> => {
  const found: Array<LineMatch> = [];
  for (let line = 0; line < lines.length && found.length < limit; line++) {
    const text = lines[line] ?? "";
    const column = (text.length > most ? text.slice(0, most) : text).search(regex);
    if (column >= 0) found.push({ line, column });
  }
  return found;
};

let guard: { readonly context: Context; readonly script: Script } | undefined;

// Undefined: it takes too long.
const withinTime = <A>(run: () => A): A | undefined => {
  guard ??= { context: createContext(constants.DONT_CONTEXTIFY), script: new Script("run()") };
  const { context, script } = guard;
  let result: { readonly value: A } | undefined;
  context["run"] = () => {
    result = { value: run() };
  };
  try {
    script.runInContext(context, { timeout: maxMillis });
  } catch (error) {
    // The engine compiles a pattern when it is first used, and refuses some only then.
    if (errorCode(error) !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw invalidPattern(error);
  } finally {
    delete context["run"];
  }
  return result?.value;
};

const tooSlow = (pattern: string, names: ReadonlyArray<string>): ToolFailed => {
  const [first = "", last] = [names[0], names.at(-1)];
  return new ToolFailed({
    kind: "validation",
    detail: `the pattern ${JSON.stringify(pattern)} takes too long (more than ${maxMillis} ms between ${first} and ${last ?? first}); the search was stopped.`,
    hint: "Repetitions within repetitions, such as (a+)+, are the usual cause: write a simpler pattern.",
  });
};
