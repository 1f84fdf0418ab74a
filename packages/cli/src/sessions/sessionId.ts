import { randomInt } from "node:crypto";

/** Without vowels, so that no word comes of it, and without what looks alike. */
const letters = "23456789bcdfghjkmnpqrstvwxz";

/**
 * A name for a new session, such as `261130-2139-k3f9`: when it began (UTC) and a few letters. Names sort by time to the
 * minute; `isTaken` keeps them apart.
 */
export const newSessionId = (now: Date, isTaken: (id: string) => boolean): string => {
  const [date = "", time = ""] = now.toISOString().split("T");
  const stamp = `${date.slice(2).replaceAll("-", "")}-${time.slice(0, 5).replace(":", "")}`;
  for (;;) {
    const tail = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
    const id = `${stamp}-${tail}`;
    if (!isTaken(id)) return id;
  }
};

/** The sessions that somebody may mean: the one of that name, else those that begin with it or end with its last letters. */
export const meantBy = (given: string, ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  given === ""
    ? []
    : ids.includes(given)
      ? [given]
      : ids.filter((id) => id.startsWith(given) || id.endsWith(`-${given}`));

/** The name most like a mistyped one; undefined: none is. */
export const nearest = (given: string, ids: ReadonlyArray<string>): string | undefined => {
  if (given.length > 64) return undefined;
  let best: string | undefined;
  let least = 4;
  for (const id of ids) {
    const changes = distance(given, id, least);
    if (changes < least) [best, least] = [id, changes];
  }
  return best;
};

/** How many letters have to be changed, added or left out; `limit` or more counts as `limit`. */
const distance = (from: string, to: string, limit: number): number => {
  if (Math.abs(from.length - to.length) >= limit) return limit;
  let row = Array.from({ length: to.length + 1 }, (_, n) => n);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(row[to.length] ?? limit, limit);
};
