/** More names are not spelled out of one pattern: what is left is looked at as it stands. */
const mostSpellings = 64;

const bracketed = /\[[!^]?\]?(?:\[[:.=][^\]]*[:.=]\]|[^\]])*\]/g;

/**
 * What a word may name to a program that reads it as a pattern: as it stands, with its braces spelled out, without the
 * backslashes that protect characters, and with `?` for what stands in brackets. Programs differ in which of these they
 * know (`fnmatch` of grep, the pathspecs of Git, the globs of ripgrep), so all count.
 *
 * @example
 * ```ts
 * patternSpellings(".{env,x}") // => [".{env,x}", ".x", ".env"]
 * patternSpellings(".\\env") // => [".\\env", ".env"]
 * ```
 */
export const patternSpellings = (text: string): ReadonlyArray<string> => {
  if (!/[\\{[]/.test(text) || text.length > 4096) return [text];
  const found = new Set([text]);
  const waiting = [text];
  while (waiting.length > 0 && found.size < mostSpellings) {
    const next = waiting.pop() ?? "";
    const [whole, inner] = /\{([^{}]*)\}/.exec(next) ?? [];
    if (whole === undefined || inner === undefined) {
      found.add(next.replaceAll(bracketed, "?").replaceAll(/\\(.)/gs, "$1"));
      continue;
    }
    for (const part of inner.split(",")) waiting.push(next.replace(whole, () => part));
  }
  return [...found];
};
