/**
 * What a reply claims although it made no call. `call-as-text`: it writes a call out as text, which runs nothing; `result`:
 * it tells of a result or a change that no call has made; `refused-result`: it reports success of a call that was refused.
 */
export type ClaimedCall = "call-as-text" | "result" | "refused-result";

interface Names {
  readonly size: number;
  readonly has: (name: string) => boolean;
}

/** What is known when a reply without calls is looked at. */
export interface ReplyFacts {
  /** The tools there are, by name. */
  readonly toolNames: Names;
  /** A call has run in this conversation. */
  readonly hasWorked: boolean;
  /** The last results held a refusal. */
  readonly wasRefused: boolean;
}

/** Longest text that is looked at; a call written as text, or a claim, stands at the beginning or the end. */
const maxLength = 20_000;

/**
 * Finds out whether a reply without calls claims one. Text *about* calls is none of it: inline code, quotes, and examples
 * that are introduced as such or that more text follows. Looks for English claims only.
 *
 * @example
 * ```ts
 * const facts = { toolNames: new Set(["bash"]), hasWorked: false, wasRefused: false }
 * claimedCall('<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>', facts) // => "call-as-text"
 * claimedCall('A call looks like `<tool_call>{"name": "bash"}</tool_call>`.', facts) // => undefined
 * ```
 */
export const claimedCall = (reply: string, facts: ReplyFacts): ClaimedCall | undefined => {
  // Without tools there is no call to make instead.
  if (facts.toolNames.size === 0) return undefined;
  const text = reply.length > maxLength ? `${reply.slice(0, maxLength / 2)}\n${reply.slice(-maxLength / 2)}` : reply;
  if (writesCall(text, facts.toolNames)) return "call-as-text";
  if (facts.wasRefused && claimsSuccess(text)) return "refused-result";
  return !facts.hasWorked && claimsChange(text) ? "result" : undefined;
};

// A transcript made up: the call in words or as a block, and its result right after it. Nobody writes that as an example
// without saying so.
const fabricated =
  /^[ \t]*I called [\w.-]{1,80}\(.{0,2000}?\)\.?[ \t]{0,8}\n\s{0,8}\n(?:Result|Error|Output):|<tool_exec\s[^>]{0,400}>[^]{0,4000}?<output[\s>][^]{0,8000}?<\/tool_exec>/m;

const writesCall = (text: string, toolNames: Names): boolean => {
  if (fabricated.test(text)) return true;
  const bare = withoutQuotes(text);
  for (const form of forms)
    for (const match of bare.matchAll(form)) {
      const { name } = match.groups ?? {};
      if (name !== undefined && !toolNames.has(name)) continue;
      const before = bare.slice(0, match.index);
      const after = bare.slice(match.index + match[0].length);
      if (!isIntroduced(before) && isAct(after)) return true;
    }
  return false;
};

// Each form is bounded, so that no text makes it slow. With a name it counts only if it is a tool's.
const forms: ReadonlyArray<RegExp> = [
  // <tool_call>…, <function_calls>…, <tool_use …>, and the tokens of chat templates that came out as text
  /<(?:antml:)?(?:tool_calls?|function_calls?|tool_use)\b[^>]{0,200}>[^]{0,8000}?<\/(?:antml:)?(?:tool_calls?|function_calls?|tool_use)>/g,
  /<(?:antml:)?invoke\s+name="(?<name>[\w.-]{1,80})"[^>]{0,200}>[^]{0,8000}?(?:<\/(?:antml:)?invoke>|$)/g,
  /<function=(?<name>[\w.-]{1,80})>[^]{0,8000}?(?:<\/function>|$)/g,
  /(?:<\|tool_call(?:s)?(?:_begin)?\|>|<｜tool▁calls?▁begin｜>|\[TOOL_CALLS?\])[^]{0,8000}/g,
  // {"name": "bash", "arguments": {…}} and its relatives, bare or fenced
  /(?:```[\w-]{0,20}[ \t]{0,8}\n\s{0,20})?(?:\[\s{0,20})?\{\s{0,40}(?:"(?:type|id)"\s*:\s*"[^"]{0,80}"\s*,\s*){0,2}"(?:name|tool|tool_name|function|action)"\s*:\s*"(?<name>[\w.-]{1,80})"\s*,\s*"(?:arguments|parameters|input|args|tool_input|action_input)"\s*:[^]{0,8000}?\}\s*\}?\s*\]?(?:\s*\n```)?/g,
  // bash({"command": …}) or file_read(path="a") on a line of its own, bare or fenced
  /(?:^|\n)(?:```[\w-]{0,20}[ \t]*\n)?[ \t]*(?:print\()?(?<name>[A-Za-z_][\w.-]{0,79})\((?:\{[^]{0,4000}?\}|\s*\w{1,40}\s*=[^\n]{0,2000})\)\)?[ \t]*(?=\n|$)(?:\n```)?/g,
];

/** Blanks out what only mentions: inline code, quoted lines. */
const withoutQuotes = (text: string): string =>
  text.replace(/(?<!`)`[^`\n]{1,2000}`(?!`)/g, (code) => " ".repeat(code.length)).replace(/^[ \t]*>.{0,4000}$/gm, "");

// The last words before it: "for example:", "the syntax is", "it would look like this:".
const isIntroduced = (before: string): boolean =>
  /\b(?:examples?|for instance|e\.g\.|such as|looks? like|look like|like this|as follows|syntax|format|schema|template|sample|would (?:be|write|call|send|emit)|means|written as|in the form|documentation|instead of|never (?:write|send|emit)|don't (?:write|send|emit))\b[^]{0,160}$/i.test(
    before.slice(-300),
  );

// A reply that ends with the call, or goes on with what the call is said to have given, meant to make it.
const isAct = (after: string): boolean => {
  const rest = after.replace(/^(?:\s|<\/?[\w:|-]{1,40}>|```|\]|\})+/, "").trim();
  return rest === "" || /^(?:\*\*)?(?:tool )?(?:results?|output|observation|response|error)\b.{0,20}:/i.test(rest);
};

const negation =
  /\b(?:not|never|nothing|cannot|can't|couldn't|could not|wasn't|isn't|didn't|unable|denied|refused|blocked|no)\b|n't\b/i;

// "The command completed successfully" where the command was refused. A sentence that denies anything is taken at its word.
const claimsSuccess = (text: string): boolean =>
  sentencesOf(text).some(
    (sentence, index) =>
      !negation.test(sentence) &&
      ((index === 0 && /^done\b/i.test(sentence)) ||
        /\b(?:completed|ran|executed|finished|deleted|created|written|removed|updated)\s+successfully\b|\bsuccessfully\s+(?:completed|ran|executed|finished|deleted|created|wrote|removed|updated)\b/i.test(
          sentence,
        ) ||
        /\bthe (?:command|task|operation|script|request)\b.{0,60}\b(?:completed|finished|succeeded|ran|executed|worked)\b/i.test(
          sentence,
        )),
  );

const thing =
  "(?:files?|folders?|director(?:y|ies)|configs?|configuration|settings?|scripts?|tests?|modules?|functions?|class(?:es)?|components?|endpoints?|code(?:base)?|repo(?:sitory)?|branch(?:es)?|commits?|pull request|database|tables?|packages?|dependenc(?:y|ies)|commands?|build|server|container|changes|[\\w./-]{1,80}\\.[a-z]{1,5})";
const change = new RegExp(
  `\\bI(?:'ve|’ve| have)?(?: also| now| just| successfully){0,2} (?:created|updated|deleted|wrote|written|modified|edited|fixed|renamed|moved|installed|removed|added|ran|run|executed|committed|pushed|saved|refactored|changed|built|deployed|restarted)\\b.{0,60}?(?<![\\w])${thing}(?![\\w])`,
  "i",
);

const claimsChange = (text: string): boolean =>
  sentencesOf(withoutQuotes(text)).some(
    (sentence) =>
      change.test(sentence) &&
      !negation.test(sentence) &&
      !/\b(?:if|once|after|when|would|should|could|example|below|following|earlier|yesterday)\b|\?/i.test(sentence),
  );

// Only so many: a text of sentences is long.
const sentencesOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/```[^]{0,20000}?(?:```|$)/g, " ")
    .split(/(?<=[.!?])\s+|\n+/, 400)
    .map((sentence) => sentence.trim().slice(0, 600));
