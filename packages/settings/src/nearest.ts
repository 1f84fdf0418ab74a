/**
 * The candidate that was most likely meant, or `undefined` where none is close. Insertions, deletions, replacements and
 * swaps of neighbours are counted (Damerau and Levenshtein), capitals are not; at most `most` of them, by default a
 * third of the word's letters. Ties go to the first candidate. Of a word only 64 characters are looked at.
 *
 * @example
 * ```ts
 * nearest("fallback", ["models", "fallbacks"]) // => "fallbacks"
 * nearest("colour", ["models", "fallbacks"]) // => undefined
 * ```
 */
export const nearest = (
  word: string,
  candidates: ReadonlyArray<string>,
  most: number = Math.max(1, Math.floor(Math.min(word.length, 64) / 3)),
): string | undefined => {
  const wanted = word.slice(0, 64).toLowerCase();
  let found: string | undefined;
  let least = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      found = candidate;
    }
  }
  return found;
};

// By rows: the strings are at most a word long.
const editDistance = (a: string, b: string): number => {
  let beforePrevious: ReadonlyArray<number> = [];
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
      row.push(cost);
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
};

const at = (row: ReadonlyArray<number>, index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
