import { ToolFailed } from "@kumiko/plugin-api";
import { lineBreaksIn, makeChangeSummary } from "./ChangeSummary.node.ts";
import { editableText, type EditableText, type LineEnds } from "./EditableText.node.ts";
import { maxKnownBytes } from "./internal/fileSnapshot.node.ts";
import { nearMatch } from "./NearMatch.ts";

/** One replacement of a text by another. */
export interface Edit {
  readonly old: string;
  readonly new: string;
  readonly replaceAll?: boolean;
}

/** What edits made of a file. */
export interface Edited {
  readonly after: Buffer;
  /** Replaced texts, of all edits. */
  readonly places: number;
  /** What changed, in the manner of a unified diff, bounded. */
  readonly summary: string;
}

/** More are a sign of a mistake, and would fill the memory. */
const maxPlaces = 1_000_000;
const maxNamedLines = 10;
/** A shorter text stands in many a file by chance. */
const minTellingCharacters = 10;

/**
 * Applies edits in order, each to what the ones before it made, all or none. Every `old` has to stand there exactly once,
 * unless all are to be replaced. Line ends, byte order mark and the line break at the end stay as the file has them.
 * Fails with a `ToolFailed` that says what comes nearest.
 */
export const applyEdits = (bytes: Buffer, edits: ReadonlyArray<Edit>, shown: string): Edited => {
  const text = editableText(bytes, shown);
  const changes = makeChangeSummary();
  let places = 0;
  let body = text.body;
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? shown : `${shown}: edit ${index + 1} of ${edits.length}`;
    requireSense(edit, name);
    const matches = matchesOf(body, edit, text);
    if (matches.length === 0)
      throw notFound(body, edit, name, index > 0 && matchesOf(text.body, edit, text).length > 0);
    if (matches.length > 1 && edit.replaceAll !== true) throw notUnique(body, matches, name);
    const after = replaced(body, matches, shown);
    changes.add({ before: body, matches, ...(edits.length === 1 ? {} : { number: index + 1 }) });
    places += matches.length;
    body = after;
  }
  const kept = withFinalBreak(text, body);
  const after = text.mark.length === 0 ? kept : Buffer.concat([text.mark, kept]);
  if (after.equals(bytes))
    throw failed("validation", `${shown}: the edits change nothing.`, "One takes back what another does.");
  const notes = kept === body ? "" : "\n(the line break at the end of the file was kept)";
  return { after, places, summary: `${changes.text()}${notes}` };
};

const failed = (kind: ToolFailed["kind"], detail: string, hint: string): ToolFailed =>
  new ToolFailed({ kind, detail, hint });

const requireSense = (edit: Edit, name: string): void => {
  if (edit.old === edit.new) throw failed("validation", `${name}: old and new are the same.`, "Leave this edit out.");
  if (!edit.old.isWellFormed() || !edit.new.isWellFormed())
    throw failed(
      "validation",
      `${name}: half a character (a lone surrogate) cannot stand in a file.`,
      "Give it whole.",
    );
};

/** A place where an edit applies, in bytes, and what comes there. */
interface Match {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

// What a model sees of a file has \n as line ends, so that is what it gives; the file's own are meant.
const matchesOf = (body: Buffer, edit: Edit, { lineEnds, mark }: EditableText): ReadonlyArray<Match> => {
  const isMarked = mark.length > 0 && edit.old.startsWith("\ufeff");
  const [old, text] = isMarked ? [edit.old.slice(1), edit.new.replace(/^\ufeff/, "")] : [edit.old, edit.new];
  if (old === "") return [];
  const found = variantsOf(old, lineEnds).flatMap((variant) =>
    positionsOf(body, variant, edit.replaceAll === true).map((start) => {
      const end = start + variant.length;
      return { start, end, bytes: Buffer.from(withLineEnds(text, endsAt(body, start, end, lineEnds))) };
    }),
  );
  return found.toSorted((left, right) => left.start - right.start);
};

const variantsOf = (old: string, lineEnds: LineEnds): ReadonlyArray<Buffer> => {
  const variants = {
    lf: [old, withLineEnds(old, "lf")],
    crlf: [withLineEnds(old, "crlf")],
    mixed: [withLineEnds(old, "lf"), withLineEnds(old, "crlf")],
  }[lineEnds];
  return [...new Set(variants)].map((variant) => Buffer.from(variant));
};

const withLineEnds = (text: string, ends: "lf" | "crlf" | "given"): string => {
  if (ends === "given") return text;
  return text.replace(/\r?\n/g, ends === "lf" ? "\n" : "\r\n");
};

// Where a file has both, new lines end as those do that they come in the place of.
const endsAt = (body: Buffer, start: number, end: number, lineEnds: LineEnds): "lf" | "crlf" | "given" => {
  if (lineEnds === "crlf") return "crlf";
  const inside = body.subarray(start, end).indexOf(10);
  const at = inside < 0 ? body.indexOf(10, end) : start + inside;
  // A text without any line break may get whichever.
  if (at < 0) return lineEnds === "lf" && body.indexOf(10) < 0 ? "given" : "lf";
  return lineEnds === "mixed" && body[at - 1] === 13 ? "crlf" : "lf";
};

const positionsOf = (body: Buffer, wanted: Buffer, isAll: boolean): ReadonlyArray<number> => {
  const positions: Array<number> = [];
  for (let at = body.indexOf(wanted); at >= 0;) {
    const end = at + wanted.length;
    // The two bytes of one line break belong together.
    const isHalf = (wanted[0] === 10 && body[at - 1] === 13) || (wanted.at(-1) === 13 && body[end] === 10);
    if (!isHalf) positions.push(at);
    if (positions.length > maxPlaces)
      throw failed("validation", `old stands there more than ${maxPlaces} times.`, "Name a longer text.");
    // Places that overlap are two, unless both are to be replaced.
    at = body.indexOf(wanted, isAll && !isHalf ? end : at + 1);
  }
  return positions;
};

const replaced = (body: Buffer, matches: ReadonlyArray<Match>, shown: string): Buffer => {
  const size = matches.reduce((sum, { bytes, end, start }) => sum + bytes.length - (end - start), body.length);
  if (size > maxKnownBytes)
    throw failed(
      "validation",
      `${shown}: it would have ${size} bytes; ${maxKnownBytes} is the most.`,
      "Use a command.",
    );
  const parts: Array<Buffer> = [];
  let from = 0;
  for (const { bytes, end, start } of matches) {
    parts.push(body.subarray(from, start), bytes);
    from = end;
  }
  return Buffer.concat([...parts, body.subarray(from)]);
};

const withFinalBreak = ({ body, lineEnds }: EditableText, after: Buffer): Buffer =>
  body.at(-1) === 10 && after.length > 0 && after.at(-1) !== 10
    ? Buffer.concat([after, Buffer.from(lineEnds === "crlf" ? "\r\n" : "\n")])
    : after;

const notUnique = (body: Buffer, matches: ReadonlyArray<Match>, name: string): ToolFailed => {
  const lines: Array<number> = [];
  let line = 1;
  let from = 0;
  for (const { start } of matches.slice(0, maxNamedLines)) {
    line += lineBreaksIn(body, from, start);
    from = start;
    lines.push(line);
  }
  const more = matches.length - lines.length;
  return failed(
    "validation",
    `${name}: old stands there ${matches.length} times, in the lines ${lines.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    "Give more of the lines around it so that it is one place, or set replaceAll.",
  );
};

const notFound = (body: Buffer, edit: Edit, name: string, wasThere: boolean): ToolFailed => {
  if (wasThere)
    return failed(
      "validation",
      `${name}: old is no longer there; an edit before it changed it.`,
      "Put both into one edit.",
    );
  const text = body.toString("utf8").replaceAll("\r\n", "\n");
  const old = withLineEnds(edit.old, "lf");
  const added = withLineEnds(edit.new, "lf");
  if (added.trim().length >= minTellingCharacters && !old.includes(added) && text.includes(added))
    return failed(
      "validation",
      `${name}: old is not there, but new is, in line ${text.slice(0, text.indexOf(added)).split("\n").length}.`,
      "Perhaps it was edited already; read it again with file_read.",
    );
  return failed(
    "validation",
    `${name}: old is not there. ${nearMatch(text, old)}`,
    "Nothing was changed; take old from the file exactly as file_read shows it.",
  );
};
