/** What one place of a segment accepts. `undefined` stands for any run of characters. */
type Token = ((character: string) => boolean) | undefined;

/**
 * Makes the test of one path segment against a pattern without `/`: `*`, `?`, `[a-z]`, `[!a]`, `\x`. `undefined`: a
 * bracket is not closed or nothing follows the last backslash. Matching takes at most pattern × segment steps, so no
 * pattern is slow.
 */
export const wildcard = (pattern: string): ((segment: string) => boolean) | undefined => {
  const literal = simpleForm(pattern);
  if (literal !== undefined) return literal;
  const tokens = tokenise(Array.from(pattern));
  return tokens === undefined ? undefined : (segment) => matches(tokens, Array.from(segment));
};

// Nearly every pattern is a name, or a star with a beginning or an end.
const simpleForm = (pattern: string): ((segment: string) => boolean) | undefined => {
  if (/^\*+$/.test(pattern)) return () => true;
  const [, before = "", star = "", after = ""] = /^([^*?[\\]*)(\*?)([^*?[\\]*)$/.exec(pattern) ?? [];
  if (before + star + after !== pattern) return undefined;
  if (star === "") return (segment) => segment === pattern;
  const shortest = before.length + after.length;
  return (segment) => segment.length >= shortest && segment.startsWith(before) && segment.endsWith(after);
};

const tokenise = (characters: ReadonlyArray<string>): ReadonlyArray<Token> | undefined => {
  const tokens: Array<Token> = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character === "*") tokens.push(undefined);
    else if (character === "?") tokens.push(() => true);
    else if (character === "[") {
      const set = bracket(characters, at + 1);
      if (set === undefined) return undefined;
      tokens.push(set.accepts);
      at = set.end;
    } else {
      const wanted = character === "\\" ? characters[++at] : character;
      if (wanted === undefined) return undefined;
      tokens.push((given) => given === wanted);
    }
  }
  return tokens;
};

// The greedy way: after a mismatch, the last star takes one character more.
const matches = (tokens: ReadonlyArray<Token>, characters: ReadonlyArray<string>): boolean => {
  let at = 0;
  let token = 0;
  let star = -1;
  let starAt = 0;
  while (at < characters.length) {
    const accepts = tokens[token];
    if (token < tokens.length && accepts === undefined) {
      star = token++;
      starAt = at;
    } else if (accepts?.(characters[at] ?? "") === true) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (token < tokens.length && tokens[token] === undefined) token++;
  return token === tokens.length;
};

const posixClasses: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[A-Fa-f0-9]$/,
};

interface Bracket {
  readonly accepts: (character: string) => boolean;
  /** Index of the closing bracket. */
  readonly end: number;
}

const bracket = (characters: ReadonlyArray<string>, start: number): Bracket | undefined => {
  const tests: Array<(character: string) => boolean> = [];
  const isNegated = characters[start] === "!" || characters[start] === "^";
  const first = isNegated ? start + 1 : start;
  for (let at = first; at < characters.length; at++) {
    // A closing bracket at the very beginning is a member.
    if (characters[at] === "]" && at > first)
      return { end: at, accepts: (given) => tests.some((test) => test(given)) !== isNegated };
    const named = characters[at] === "[" && characters[at + 1] === ":" ? posixClass(characters, at + 2) : undefined;
    if (named !== undefined) {
      tests.push((given) => named.accepts(given));
      at = named.end;
      continue;
    }
    const low = characters[at] === "\\" ? characters[++at] : characters[at];
    if (low === undefined) return undefined;
    let high = low;
    if (characters[at + 1] === "-" && characters[at + 2] !== "]" && characters[at + 2] !== undefined) {
      at += 2;
      const end = characters[at] === "\\" ? characters[++at] : characters[at];
      if (end === undefined) return undefined;
      high = end;
    }
    const from = low.codePointAt(0) ?? 0;
    const to = high.codePointAt(0) ?? 0;
    tests.push((given) => {
      const code = given.codePointAt(0) ?? 0;
      return code >= from && code <= to;
    });
  }
  return undefined;
};

const posixClass = (characters: ReadonlyArray<string>, start: number): Bracket | undefined => {
  const end = characters.indexOf(":", start);
  if (end < 0 || characters[end + 1] !== "]") return undefined;
  const pattern = posixClasses[characters.slice(start, end).join("")];
  return pattern === undefined ? undefined : { end: end + 1, accepts: (given) => pattern.test(given) };
};
