import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSseParser } from "../src/SseParser.ts";

const encoder = new TextEncoder();

const eventsOf = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<readonly [string, string]> => {
  const events: Array<readonly [string, string]> = [];
  const parser = makeSseParser((data, name) => events.push([data, name]));
  for (const piece of pieces) expect(parser.push(piece)).toBe(true);
  parser.end();
  return events;
};

const cut = (bytes: Uint8Array, at: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
};

describe("SseParser", () => {
  it("reads the fields that matter and skips the others", () => {
    const text =
      ": comment\r\nevent: a\r\ndata: one\r\ndata:two\r\nid: 7\r\nretry: 1\r\n\r\n\n\ndata\n\ndatabase: no\n\ndata:  x\n\n";
    expect(eventsOf([encoder.encode(text)])).toEqual([
      ["one\ntwo", "a"],
      ["", ""],
      [" x", ""],
    ]);
  });

  it("gives the event that lacks its blank line when the stream ends", () => {
    expect(eventsOf([encoder.encode("data: a\n\ndata: b")])).toEqual([
      ["a", ""],
      ["b", ""],
    ]);
  });

  it("gives the same events however the bytes are cut, multi-byte characters and line ends included", () => {
    const line = fc.stringMatching(/^[a-zä語😀 :]{0,12}$/u);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.array(line, { minLength: 1, maxLength: 3 }), fc.constantFrom("\n", "\r\n")), {
          maxLength: 6,
        }),
        fc.array(fc.nat({ max: 500 }), { maxLength: 12 }),
        (written, at) => {
          const text = written.map(
            ([lines, end]) => `${lines.map((one) => `data: ${one}${end}`).join("")}: k${end}${end}`,
          );
          const expected = written.map(([lines]) => [lines.join("\n"), ""]);
          expect(eventsOf(cut(encoder.encode(text.join("")), at))).toEqual(expected);
        },
      ),
      { seed: 11, numRuns: 300 },
    );
  });

  it("refuses an event that is longer than allowed, as one line or as many, and takes no more", () => {
    for (const text of ["data: 0123456789\n\n", "data: 0123\ndata: 4567\n\n"]) {
      const events: Array<string> = [];
      const parser = makeSseParser((data) => events.push(data), { maxEventBytes: 8 });
      const answers = [...text].map((letter) => parser.push(encoder.encode(letter)));
      expect(answers.at(-1)).toBe(false);
      parser.end();
      expect(events).toEqual([]);
    }
  });

  it("turns bytes that are no UTF-8 into replacement characters", () => {
    expect(eventsOf([new Uint8Array([...encoder.encode("data: a"), 0xff, 10, 10])])).toEqual([["a\ufffd", ""]]);
  });
});
