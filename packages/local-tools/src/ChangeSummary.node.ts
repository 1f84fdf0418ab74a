import { count } from "./internal/count.ts";

/** One edit: the text it was applied to, and where. Matches are in order. */
interface Change {
  readonly before: Buffer;
  readonly matches: ReadonlyArray<{ readonly start: number; readonly end: number; readonly bytes: Buffer }>;
  /** The edit's number, where there are several. */
  readonly number?: number;
}

/** A person and a model see at a glance whether the right thing was hit; the file itself tells the rest. */
const maxPlacesOfEdit = 3;
const maxLinesOfSide = 8;
const maxPlaces = 12;
const maxLineCharacters = 200;
/** Of a line that is far too long: what is shown before and after the place. */
const aroundBytes = 100;

/** Gathers what edits changed, one after the other, and keeps only what will be shown. */
export interface ChangeSummary {
  readonly add: (change: Change) => void;
  readonly text: () => string;
}

/**
 * Edits in the manner of a unified diff: what went, what came, with the lines around it that were given. Line numbers
 * are those after the edit. Bounded in places, lines and width; what is left out is said.
 */
export const makeChangeSummary = (): ChangeSummary => {
  const shown: Array<string> = [];
  let places = 0;
  return {
    add: (change) => {
      const { groups, matchesLeft } = groupsOf(change, Math.min(maxPlacesOfEdit, maxPlaces - places));
      places += groups.length;
      let line = 1;
      let from = 0;
      for (const group of groups) {
        line += lineBreaksIn(change.before, from, group.start);
        from = group.end;
        const number = change.number === undefined ? "" : `edit ${change.number}, `;
        shown.push(`@@ ${number}line ${line} @@`, ...hunk(linesOf(group.removed), linesOf(group.added)));
        line += lineBreaksIn(group.added, 0, group.added.length);
      }
      if (matchesLeft === 0) return;
      const ofEdit = change.number === undefined ? "" : ` of edit ${change.number}`;
      shown.push(`(and ${count(matchesLeft, groups.length === 0 ? "place" : "more place")}${ofEdit})`);
    },
    text: () => shown.join("\n"),
  };
};

interface Group {
  readonly start: number;
  readonly end: number;
  readonly removed: Buffer;
  readonly added: Buffer;
}

interface Groups {
  readonly groups: ReadonlyArray<Group>;
  readonly matchesLeft: number;
}

// Matches in one line are shown as one.
const groupsOf = ({ before, matches }: Change, maxGroups: number): Groups => {
  const groups: Array<Group> = [];
  let at = 0;
  while (groups.length < maxGroups) {
    const first = matches[at];
    if (first === undefined) break;
    const start = lineStart(before, first.start);
    const added: Array<Buffer> = [];
    let from = start;
    let end = first.end;
    for (
      let match = matches[at];
      match !== undefined && (match === first || match.start < end);
      match = matches[++at]
    ) {
      added.push(before.subarray(from, match.start), match.bytes);
      from = match.end;
      end = lineEnd(before, match);
    }
    groups.push({
      start,
      end,
      removed: before.subarray(start, end),
      added: Buffer.concat([...added, before.subarray(from, end)]),
    });
  }
  return { groups, matchesLeft: matches.length - at };
};

const lineStart = (before: Buffer, start: number): number => {
  const breakBefore = start === 0 ? -1 : before.lastIndexOf(10, start - 1);
  return characterStart(before, Math.max(breakBefore + 1, start - aroundBytes));
};

const lineEnd = (before: Buffer, { end, start }: { readonly start: number; readonly end: number }): number => {
  const isWhole = end > start && before[end - 1] === 10;
  if (isWhole) return end;
  const next = before.indexOf(10, end);
  return characterStart(before, Math.min(next < 0 ? before.length : next + 1, end + aroundBytes));
};

// The next place where no character is cut.
const characterStart = (bytes: Buffer, at: number): number => {
  let start = at;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
};

const linesOf = (bytes: Buffer): ReadonlyArray<string> => {
  const lines = bytes.toString("utf8").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

const hunk = (removed: ReadonlyArray<string>, added: ReadonlyArray<string>): ReadonlyArray<string> => {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head++;
  let tail = 0;
  while (tail < most - head && removed[removed.length - 1 - tail] === added[added.length - 1 - tail]) tail++;
  const context = (line: string | undefined): ReadonlyArray<string> => (line === undefined ? [] : [cut(` ${line}`)]);
  return [
    ...context(removed[head - 1]),
    ...side("-", removed.slice(head, removed.length - tail)),
    ...side("+", added.slice(head, added.length - tail)),
    ...context(tail === 0 ? undefined : removed[removed.length - tail]),
  ];
};

const side = (sign: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shown = lines.slice(0, maxLinesOfSide).map((line) => cut(`${sign}${line}`));
  const more = lines.length - shown.length;
  return more > 0 ? [...shown, `${sign}(${count(more, "more line")})`] : shown;
};

const cut = (line: string): string => {
  const plain = line.replace(/\r$/, "");
  return plain.length > maxLineCharacters ? `${plain.slice(0, maxLineCharacters)}…` : plain;
};

/** Line breaks between two places. */
export const lineBreaksIn = (bytes: Buffer, from: number, to: number): number => {
  let breaks = 0;
  for (let at = from; at < to; at++) if (bytes[at] === 10) breaks++;
  return breaks;
};
