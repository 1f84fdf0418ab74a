/** Default of {@link SseOptions.maxEventBytes}: a data line of a model holds a few hundred bytes; an image may hold megabytes. */
const defaultMaxEventBytes = 16 * 1024 * 1024;

const lineFeed = 10;
const carriageReturn = 13;
const space = 32;

/** One server-sent event: its data lines joined by line feeds, and its name (empty: none was given). */
export type OnSseEvent = (data: string, name: string) => void;

export interface SseOptions {
  /** Longest event in bytes, counted over its unfinished line and its data. */
  readonly maxEventBytes?: number;
}

/** Turns bytes of a `text/event-stream` into events. */
export interface SseParser {
  /** Takes the next bytes, cut anywhere. False: an event is longer than allowed; the parser then takes no more. */
  readonly push: (bytes: Uint8Array) => boolean;
  /** Says that the stream is over: what is pending is an event, although the blank line is missing. */
  readonly end: () => void;
}

/**
 * Makes a parser of server-sent events. `onEvent` is called synchronously, in order.
 *
 * Lines end in LF or CRLF (a lone CR, which the format also allows, ends none). Comments, `id` and `retry` are skipped.
 * Bytes that are no UTF-8 become U+FFFD. All work is linear in the bytes, however they are cut.
 *
 * @example
 * ```ts
 * const parser = makeSseParser((data) => console.log(data))
 * parser.push(new TextEncoder().encode("data: a\n\nda"))
 * parser.push(new TextEncoder().encode("ta: b\n\n")) // a, b
 * ```
 */
export const makeSseParser = (onEvent: OnSseEvent, options: SseOptions = {}): SseParser => {
  const { maxEventBytes = defaultMaxEventBytes } = options;
  const decoder = new TextDecoder();
  // The unfinished line: pieces are joined once, when its end has come.
  let rest: Array<Uint8Array> = [];
  let restBytes = 0;
  let data: string | undefined;
  let name = "";
  let isTooLong = false;

  const dispatch = (): void => {
    const complete = data;
    const event = name;
    data = undefined;
    name = "";
    if (complete !== undefined) onEvent(complete, event);
  };

  // False: the event has become too long.
  const readLine = (text: string, start: number, stop: number): boolean => {
    if (start === stop) dispatch();
    else if (text.startsWith("data", start)) {
      const value = fieldValue(text, start + 4, stop);
      if (value !== undefined) data = data === undefined ? value : `${data}\n${value}`;
      return data === undefined || data.length <= maxEventBytes;
    } else if (text.startsWith("event", start)) name = fieldValue(text, start + 5, stop) ?? name;
    return true;
  };

  const readLines = (text: string): void => {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const stop = end > start && text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end;
      if (!readLine(text, start, stop)) {
        isTooLong = true;
        return;
      }
      start = end + 1;
    }
  };

  const keep = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    restBytes += bytes.length;
    if (restBytes > maxEventBytes) isTooLong = true;
    // A copy: the piece is small, the buffer it would hold on to is not.
    else rest.push(new Uint8Array(bytes));
  };

  const takeRest = (): Uint8Array => {
    const joined = concatBytes(rest, restBytes);
    rest = [];
    restBytes = 0;
    return joined;
  };

  return {
    push: (bytes) => {
      if (isTooLong) return false;
      // No byte of a multi-byte character equals LF, so text up to the last LF is always complete.
      const last = bytes.lastIndexOf(lineFeed);
      if (last < 0) keep(bytes);
      else {
        if (rest.length > 0) {
          const first = bytes.indexOf(lineFeed);
          keep(bytes.subarray(0, first + 1));
          if (isTooLong) return false;
          readLines(decoder.decode(takeRest()));
          if (last > first) readLines(decoder.decode(bytes.subarray(first + 1, last + 1)));
        } else readLines(decoder.decode(last + 1 === bytes.length ? bytes : bytes.subarray(0, last + 1)));
        keep(bytes.subarray(last + 1));
      }
      return !isTooLong;
    },
    end: () => {
      if (isTooLong) return;
      if (rest.length > 0) readLines(`${decoder.decode(takeRest())}\n`);
      dispatch();
    },
  };
};

/** What follows a field's name, which must end at `at`; `undefined` where the name goes on. */
const fieldValue = (text: string, at: number, stop: number): string | undefined => {
  if (at === stop) return "";
  if (text[at] !== ":") return undefined;
  return text.slice(at + 1 < stop && text.charCodeAt(at + 1) === space ? at + 2 : at + 1, stop);
};

/** Joins pieces that are `length` bytes together. */
export const concatBytes = (pieces: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
};
