/** More words than this are not spelled out: the word then counts as unknown. */
const mostWords = 64;

/**
 * The words that a brace expansion makes, or undefined when it is none, is quoted inside, or makes too many.
 *
 * @example
 * ```ts
 * expandBraces("{rm,-rf,/}") // => ["rm", "-rf", "/"]
 * expandBraces("{1..3}") // => ["1", "2", "3"]
 * ```
 */
export const expandBraces = (text: string): ReadonlyArray<string> | undefined => {
  if (text.length > 1024 || /["'`$\\]/.test(text)) return undefined;
  // Unbalanced ones are read by rules of their own.
  if (text.split("{").length !== text.split("}").length) return undefined;
  const words = expand(text, 0);
  return words === undefined || words.length > mostWords ? undefined : words;
};

const expand = (text: string, depth: number): ReadonlyArray<string> | undefined => {
  if (depth > 16) return undefined;
  const open = text.indexOf("{");
  if (open < 0) return [text];
  const close = closing(text, open);
  if (close < 0) return [text];
  const inner = text.slice(open + 1, close);
  const ranged = range(inner);
  const choices = ranged ?? split(inner);
  const isLiteral = ranged === undefined && choices.length === 1;
  // Padded, stepped and mixed ranges, and braces inside of no expansion, are left to Bash.
  if (isLiteral && /\.\.|[{}]/.test(inner)) return undefined;
  const rest = expand(text.slice(close + 1), depth + 1);
  if (rest === undefined) return undefined;
  const words: Array<string> = [];
  for (const choice of choices) {
    const spelled = isLiteral ? [`{${choice}}`] : expand(choice, depth + 1);
    if (spelled === undefined) return undefined;
    for (const head of spelled)
      for (const tail of rest) {
        if (words.length > mostWords) return undefined;
        words.push(text.slice(0, open) + head + tail);
      }
  }
  return words;
};

const closing = (text: string, open: number): number => {
  let depth = 0;
  for (let at = open; at < text.length; at++)
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  return -1;
};

const split = (inner: string): ReadonlyArray<string> => {
  const choices: Array<string> = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < inner.length; at++)
    if (inner[at] === "{") depth++;
    else if (inner[at] === "}") depth--;
    else if (inner[at] === "," && depth === 0) {
      choices.push(inner.slice(from, at));
      from = at + 1;
    }
  choices.push(inner.slice(from));
  return choices;
};

const range = (inner: string): ReadonlyArray<string> | undefined => {
  const numbers = /^(-?(?:0|[1-9]\d{0,3}))\.\.(-?(?:0|[1-9]\d{0,3}))$/.exec(inner);
  if (numbers !== null) return steps(Number(numbers[1]), Number(numbers[2]), String);
  const letters = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))$/.exec(inner);
  const [from, to] = [letters?.[1] ?? letters?.[3], letters?.[2] ?? letters?.[4]];
  if (from === undefined || to === undefined) return undefined;
  return steps(from.charCodeAt(0), to.charCodeAt(0), (code) => String.fromCharCode(code));
};

const steps = (from: number, to: number, name: (value: number) => string): ReadonlyArray<string> => {
  const count = Math.min(Math.abs(to - from) + 1, mostWords + 1);
  return Array.from({ length: count }, (_, index) => name(from <= to ? from + index : from - index));
};
