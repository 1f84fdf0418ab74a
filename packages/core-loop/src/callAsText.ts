/**
 * A way in which models write calls as text. `open` finds where one begins; the call ends with the last `close`, or with
 * the text.
 */
interface Form {
  readonly open: RegExp;
  readonly close: string | undefined;
}

const forms: ReadonlyArray<Form> = [
  ...["tool_call", "tool_calls", "function_call", "function_calls", "tool_use"].map((tag) => ({
    open: new RegExp(`<(?:antml:)?${tag}\\b[^>\\n]{0,200}>`, "g"),
    close: `${tag}>`,
  })),
  { open: /<(?:antml:)?invoke name="(?<name>[\w.-]{1,80})"[^>\n]{0,200}>/g, close: "invoke>" },
  { open: /<function=(?<name>[\w.-]{1,80})>/g, close: "</function>" },
  // <bash><command>…</command></bash>
  { open: /<(?<name>[a-z_][\w-]{0,79})>\s{0,4}<\w{1,40}>/g, close: ">" },
  // Tokens of chat templates that came out as text.
  {
    open: /^(?:<\|tool_calls?(?:_(?:begin|start|section_begin))?\|>|<｜tool▁calls?▁begin｜>|\[TOOL_CALLS?\]\s?[[{\w])/gm,
    close: undefined,
  },
  {
    open: /^(?:<\|channel\|>\w{1,20} )?to=(?:functions?\.)?(?<name>[\w.-]{1,80})[\s<{]/gm,
    close: undefined,
  },
  { open: /^Action: ?(?<name>[\w.-]{1,80})[ \t]{0,8}\nAction Input:/gm, close: undefined },
  // {"name": "bash", "arguments": {…}} and its relatives.
  {
    open: /\{\s{0,40}(?:"(?:type|id)"\s?:\s?"[^"\n]{0,80}"\s?,\s{0,40}){0,2}"(?:name|tool|tool_name|function|action)"\s?:\s?"(?<name>[\w.-]{1,80})"\s?,\s{0,40}"(?:arguments|parameters|input|args|tool_input|action_input)"\s?:/g,
    close: "}",
  },
  {
    open: /\{\s{0,40}"tool_calls"\s?:\s?\[[^\n]{0,120}?"name"\s?:\s?"(?<name>[\w.-]{1,80})"/g,
    close: "}",
  },
  // bash({"command": …}) or file_read(path="a"), on a line of its own.
  { open: /^[ \t]{0,40}(?:print\()?(?<name>[A-Za-z_][\w.-]{0,79})\(\s?\{/gm, close: ")" },
  {
    open: /^[ \t]{0,40}(?:print\()?(?<name>[A-Za-z_][\w.-]{0,79})\(\w{1,40}\s?=[^\n]{0,2000}\)[ \t]{0,8}$/gm,
    close: ")",
  },
];

/** Only the first places where a form begins are looked at: the call ends with its last close in any case. */
const mostPlaces = 5;

/**
 * Whether a text writes a call out, or makes up its result, instead of making it. Work is linear in the text for each form.
 * Inline code and quoted lines are only about calls.
 */
export const writesCall = (text: string, tools: { readonly has: (name: string) => boolean }): boolean => {
  if (tellsTranscript(text) || makesUpOutput(text)) return true;
  const bare = withoutQuotes(text);
  return forms.some((form) => isWritten(bare, form, tools));
};

const isWritten = (text: string, { close, open }: Form, tools: { has: (name: string) => boolean }): boolean => {
  const last = close === undefined ? text.length : text.lastIndexOf(close) + close.length;
  let places = 0;
  for (const { 0: match, groups, index } of text.matchAll(open)) {
    if (++places > mostPlaces) return false;
    const name = groups?.["name"]?.replace(/^functions?\./, "");
    if (name !== undefined && !tools.has(name)) continue;
    const end = Math.max(last, index + match.length);
    if (isMeant(text.slice(0, index)) && endsIt(text.slice(end))) return true;
  }
  return false;
};

const intent =
  /\b(?:let me|let['’]s|I(?:['’]ll| will| am going to|['’]m going to| need to| should| want to| must)|now I|calling|running|checking|reading|looking)\b/i;
const example =
  /\b(?:examples?|for instance|e\.g\.|such as|looks? like|like this|as follows|syntax|format|schema|template|sample|show|means|instead of|documentation)\b/i;

// The first words of a reply, after words that announce it, or after a whole sentence. What a line introduces otherwise,
// "use the wrapper:", is shown.
const isMeant = (before: string): boolean => {
  const fence = before.lastIndexOf("```");
  const isFenced = before.split("```").length % 2 === 0;
  // Other code stands before it in the same block.
  if (isFenced && !/^```[\w-]{0,20}\s*\[?\s*$/.test(before.slice(fence))) return false;
  const lead = (isFenced ? before.slice(0, fence) : before).slice(-600).replace(/(?:<[^<>\n]{1,200}>|\[|\s)+$/, "");
  if (lead.trim() === "") return true;
  const line = lead.slice(lead.lastIndexOf("\n") + 1);
  return !example.test(line) && (intent.test(line) || /[.!…]["'’”]?$/.test(line));
};

// Nothing follows, or what the call is said to have given.
const endsIt = (after: string): boolean => {
  const rest = after
    .slice(0, 400)
    .replace(/^(?:\s|<\/?[\w:|-]{1,40}>|```|\]|\}|\))+/, "")
    .trim();
  return rest === "" || /^(?:\*\*)?(?:tool )?(?:results?|output|observation|response|error)\b.{0,20}:/i.test(rest);
};

// The call in words or as a block, and its result right after it: nobody writes that as an example without saying so.
const tellsTranscript = (text: string): boolean => {
  if (/^[ \t]{0,40}I called [\w.-]{1,80}\([^\n]{0,2000}\)\.?[ \t]{0,8}\n\s{0,8}\n(?:Result|Error|Output):/m.test(text))
    return true;
  const block = text.indexOf("<tool_exec ");
  const output = block < 0 ? -1 : text.indexOf("<output", block);
  return output >= 0 && text.includes("</tool_exec>", output);
};

// "I'll read it now." then a block of shell, then what it is said to have printed.
const makesUpOutput = (text: string): boolean => {
  const block = /```(?:bash|sh|shell|console|zsh)\n/.exec(text);
  if (block === null) return false;
  const end = text.indexOf("```", block.index + block[0].length);
  if (end < 0 || !/^\s{0,8}(?:\*\*)?(?:Output|Result)s?(?:\*\*)?:/i.test(text.slice(end + 3, end + 60))) return false;
  return /\b(?:let me|I(?:['’]ll| will))\b[^\n]{0,200}\n[^]{0,40}$/i.test(text.slice(0, block.index).slice(-300));
};

/** Blanks out what only mentions: inline code, quoted lines. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/(?<!`)`[^`\n]{1,2000}`(?!`)/g, (code) => " ".repeat(code.length))
    .replace(/^[ \t]{0,8}>[^\n]{0,4000}/gm, "");
