/** Of two texts that every match holds, the longer one says more; one of a single character says nothing. */
const minCharacters = 2;
const maxTexts = 50;
/** Escapes whose meaning is known and that stand for exactly one character of a kind, or for none. */
const kinds = /^[bBdDsSwW]$/;

/**
 * Texts of which every match of a regular expression holds at least one: for each of its alternatives the longest run of
 * plain characters. Undefined: none can be told. It reads the syntax of JavaScript without the flags `u` and `v`, and
 * gives up at whatever it does not know; the pattern has to be valid.
 *
 * @example
 * ```ts
 * requiredTexts("^export (const|let) \\w+") // => ["export "]
 * requiredTexts("foo.*|barr?") // => ["foo", "bar"]
 * requiredTexts("\\d+") // => undefined
 * ```
 */
export const requiredTexts = (pattern: string): ReadonlyArray<string> | undefined => {
  const texts: Array<string> = [];
  let best = "";
  let run = "";
  let at = 0;

  const endRun = (): void => {
    if (run.length > best.length) best = run;
    run = "";
  };
  const endAlternative = (): boolean => {
    endRun();
    if (best.length < minCharacters || !best.isWellFormed()) return false;
    texts.push(best);
    best = "";
    return texts.length <= maxTexts;
  };

  while (at < pattern.length) {
    const character = pattern[at] ?? "";
    // What one character or group is: plain text, or something that may be anything.
    let plain: string | undefined;
    if (character === "|") {
      if (!endAlternative()) return undefined;
      at++;
      continue;
    }
    if (character === "(") {
      const end = groupEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end;
    } else if (character === "\\") {
      const escaped = pattern[at + 1] ?? "";
      if (/[A-Za-z0-9]/.test(escaped) && !kinds.test(escaped)) return undefined;
      if (!kinds.test(escaped)) plain = escaped;
      at += 2;
    } else {
      if (!/[.^$]/.test(character)) plain = character;
      at++;
    }
    const [quantifier = "", least = ""] = /^(?:[*?+]|\{(\d+)(?:,\d*)?\})\??/.exec(pattern.slice(at, at + 40)) ?? [];
    at += quantifier.length;
    const isOptional = quantifier !== "" && !quantifier.startsWith("+") && (least === "" || Number(least) === 0);
    if (plain !== undefined && !isOptional) run += plain;
    if (plain === undefined || quantifier !== "") endRun();
  }
  return endAlternative() ? texts : undefined;
};

const classEnd = (pattern: string, start: number): number | undefined => {
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "]") return at + 1;
  }
  return undefined;
};

const groupEnd = (pattern: string, start: number): number | undefined => {
  let depth = 0;
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === "\\") at++;
    else if (character === "[") {
      const end = classEnd(pattern, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return at + 1;
  }
  return undefined;
};
