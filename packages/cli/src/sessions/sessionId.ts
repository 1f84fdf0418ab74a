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
