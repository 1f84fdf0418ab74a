import { count } from "./internal/count.ts";

/** Characters of a text that are searched for what comes near; what is far into a larger one is not found. */
const maxCharacters = 8_000_000;
/** Lines compared letter by letter: the slow last resort. */
const maxComparedLines = 20_000;
const maxShownLines = 6;
const maxShownCharacters = 200;
const maxCandidates = 3;

interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** What is left of it when everything that is easily mistaken is made the same. */
  readonly plain: string;
}

/**
 * Says why a text that should be in a file is not: what comes nearest, where, and in what it differs. Both have `\n` as
 * line ends.
 *
 * @example
 * ```ts
 * nearMatch("if (a) {\n\treturn 1\n}\n", "    return 1")
 * // => 'Line 2 is the same but for the indentation:\n2: "\\treturn 1"'
 * ```
 */
export const nearMatch = (text: string, wanted: string): string => {
  const searched = text.length > maxCharacters ? text.slice(0, maxCharacters) : text;
  return (
    slip(searched, wanted) ??
    alike(searched, wanted) ??
    partlyAlike(linesOf(searched), linesOf(wanted)) ??
    similar(linesOf(searched), linesOf(wanted)) ??
    "Nothing in the file is like it."
  );
};

const linesOf = (text: string): ReadonlyArray<Line> =>
  text.split("\n").flatMap((line, at) => {
    const plain = plainOf(line);
    return plain === "" ? [] : [{ number: at + 1, text: line, plain }];
  });

// Mistakes in how the text was given, rather than in what it says.
const slip = (text: string, wanted: string): string | undefined => {
  const withoutNumbers = wanted.replace(/^ *\d+\t/gm, "");
  if (withoutNumbers !== wanted && text.includes(withoutNumbers))
    return "It is there without the line numbers: leave out what file_read puts before each line.";
  const unescaped = wanted.replace(/\\([nt"\\])/g, (_, letter: string) => ({ n: "\n", t: "\t" })[letter] ?? letter);
  if (unescaped !== wanted && text.includes(unescaped))
    return 'It is there with real line breaks, tabs or quotes instead of \\n, \\t or \\" : do not escape them twice.';
  if (wanted.endsWith("\n") && text.endsWith(wanted.slice(0, -1)))
    return "It is the end of the file, which has no line break there: leave out the last one.";
  return undefined;
};

interface Difference {
  readonly name: string;
  readonly same: (text: string) => string;
}

const differences: ReadonlyArray<Difference> = [
  { name: "white space at the end of lines", same: (text) => text.replace(/[^\S\n]+$/gm, "") },
  { name: "the indentation", same: (text) => text.replace(/^[^\S\n]+/gm, "") },
  { name: "blank lines", same: (text) => text.replace(/\n(?:[^\S\n]*\n)+/g, "\n").replace(/^\n+|\n+$/g, "") },
  { name: "white space", same: (text) => text.replace(/\s+/g, " ").trim() },
  { name: "the kind of quotes", same: (text) => text.replace(/[‘’‚‛′]/g, "'").replace(/[“”„‟″«»]/g, '"') },
  { name: "the kind of dashes", same: (text) => text.replace(/[‐‑‒–—―−]/g, "-") },
  { name: "invisible characters", same: (text) => text.replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "") },
  { name: "how its characters are encoded in Unicode", same: (text) => text.normalize("NFKC") },
];
const letterCase: Difference = { name: "upper and lower case", same: (text) => text.toLowerCase() };

const plainOf = (line: string): string => {
  const isPlain = /^[\t -~]*$/.test(line);
  const text = isPlain ? line : differences.reduce((left, { same }) => same(left), line);
  return text.replace(/\s+/g, " ").trim();
};

// The same lines, but for what the eye does not see.
const alike = (text: string, wanted: string): string | undefined => {
  for (const lower of [(part: string) => part, letterCase.same]) {
    const have = linesOf(text);
    const want = linesOf(wanted).map(({ plain }) => lower(plain));
    const found = placesOf(
      have.map(({ plain }) => lower(plain)),
      want,
    );
    if (found.length === 0) continue;
    const described = found.slice(0, maxCandidates).map((at) => {
      const [first, last] = [have[at]?.number ?? 1, have[at + want.length - 1]?.number ?? 1];
      const window = text.split("\n").slice(first - 1, last);
      return `${place(first, last)} the same but for ${differenceIn(window.join("\n"), wanted)}:\n${shown(window, first)}`;
    });
    const more = found.length - described.length;
    return [...described, ...(more > 0 ? [`${count(more, "more place")} of the kind.`] : [])].join("\n");
  }
  return undefined;
};

const place = (first: number, last: number): string =>
  first === last ? `Line ${first} is` : `Lines ${first}-${last} are`;

// Where the wanted lines stand one after the other; the first and the last may be a part of theirs.
const placesOf = (have: ReadonlyArray<string>, want: ReadonlyArray<string>): ReadonlyArray<number> => {
  const [first = ""] = want;
  const last = want.at(-1) ?? "";
  if (want.length === 0) return [];
  const places: Array<number> = [];
  for (let at = 0; at + want.length <= have.length; at++) {
    const fits =
      want.length === 1
        ? have[at]?.includes(first)
        : have[at]?.endsWith(first) === true &&
          have[at + want.length - 1]?.startsWith(last) === true &&
          want.every((line, index) => index === 0 || index === want.length - 1 || have[at + index] === line);
    if (fits === true) places.push(at);
  }
  return places;
};

const differenceIn = (window: string, wanted: string): string => {
  const all = [...differences, letterCase];
  const isSame = (parts: ReadonlyArray<Difference>): boolean => {
    const same = (text: string): string => parts.reduce((part, difference) => difference.same(part), text);
    return same(window).includes(same(wanted));
  };
  const alone = all.find((difference) => isSame([difference]));
  if (alone !== undefined) return alone.name;
  // White space in general would stand for its special cases.
  const special = all.filter(({ name }) => name !== "white space");
  const among = isSame(special) ? special : all;
  const needed = among.filter((left) => !isSame(among.filter((other) => other !== left)));
  return needed.length === 0 ? "look-alike characters" : needed.map(({ name }) => name).join(" and ");
};

// Characters beyond ASCII are spelt out where they may be what differs.
const shown = (lines: ReadonlyArray<string>, first: number): string =>
  [
    ...lines.slice(0, maxShownLines).map((line, at) => `${first + at}: ${quoted(line)}`),
    ...(lines.length > maxShownLines ? [`(${count(lines.length - maxShownLines, "more line")})`] : []),
  ].join("\n");

const quoted = (line: string): string => {
  const cut = line.length > maxShownCharacters ? `${line.slice(0, maxShownCharacters)}…` : line;
  return JSON.stringify(cut).replace(/[\p{M}\p{Cf}\p{Zs}\p{Pd}\p{Pi}\p{Pf}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 || code > 0xffff ? character : `\\u${code.toString(16).padStart(4, "0")}`;
  });
};

// Some of the wanted lines, in their order, with others between them.
const partlyAlike = (have: ReadonlyArray<Line>, want: ReadonlyArray<Line>): string | undefined => {
  if (want.length < 2) return undefined;
  const places = new Map<string, Array<number>>();
  for (const [at, { plain }] of want.entries()) places.set(plain, [...(places.get(plain) ?? []), at]);
  const votes = new Map<number, number>();
  for (const [at, { plain }] of have.entries())
    // A line such as a closing bracket stands everywhere.
    if (plain.length > 3)
      for (const index of places.get(plain) ?? []) votes.set(at - index, (votes.get(at - index) ?? 0) + 1);
  const best = [...votes].toSorted((left, right) => right[1] - left[1]).slice(0, maxCandidates);
  const described = best.flatMap(([start, same]) => {
    const index = want.findIndex(({ plain }, at) => have[start + at]?.plain !== plain);
    const [actual, wanted] = [have[start + index], want[index]];
    if (wanted === undefined) return [];
    const at = actual === undefined ? "the file ends" : `line ${actual.number} is ${quoted(actual.text)}`;
    return [
      `${same} of its ${want.length} lines stand near line ${have[Math.max(0, start)]?.number ?? 1}; but ${at}, where old has ${quoted(wanted.text)}.`,
    ];
  });
  return described.length === 0 ? undefined : described.join("\n");
};

// Lines that have most of their pairs of letters in common with the longest wanted line.
const similar = (have: ReadonlyArray<Line>, want: ReadonlyArray<Line>): string | undefined => {
  const longest = want.reduce((left, { plain }) => (plain.length > left.length ? plain : left), "").slice(0, 500);
  if (longest.length < 4) return undefined;
  const wanted = pairsOf(longest);
  const near = have
    .slice(0, maxComparedLines)
    .filter(({ plain }) => plain.length * 2 > longest.length && plain.length < longest.length * 2)
    .map((line) => ({ line, likeness: likeness(pairsOf(line.plain), wanted) }))
    .filter(({ likeness }) => likeness >= 0.6)
    .toSorted((left, right) => right.likeness - left.likeness)
    .slice(0, maxCandidates);
  if (near.length === 0) return undefined;
  return ["The most alike:", ...near.map(({ line }) => `${line.number}: ${quoted(line.text)}`)].join("\n");
};

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));

const likeness = (left: ReadonlySet<string>, right: ReadonlySet<string>): number => {
  let common = 0;
  for (const pair of left) if (right.has(pair)) common++;
  return (2 * common) / (left.size + right.size || 1);
};
