/** Numbers below a bound, the same for the same seed. */
export type Random = (bound: number) => number;

/** A small generator (mulberry32): good enough to hit every byte, and fast. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
};

/** What wires are made of, more likely to hurt than any byte. */
const hostile = [
  "\n",
  "\r",
  "\n\n",
  "data: ",
  "event: ",
  ":",
  '"',
  "\\",
  "{",
  "}",
  "[",
  "]",
  "[DONE]",
  ",",
  "null",
  "0",
  "1",
  "\u0000",
  "ÿ",
  "😀",
];

type Mutation = (bytes: Buffer, random: Random) => Buffer;

const range = (bytes: Buffer, random: Random, longest: number): readonly [number, number] => {
  const start = random(bytes.length + 1);
  return [start, Math.min(bytes.length, start + 1 + random(longest))];
};

const splice = (bytes: Buffer, start: number, end: number, put: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(end)]);

// Frames as they lie between blank lines: to lose, repeat and swap what a careless proxy would.
const frames = (bytes: Buffer): Array<string> => bytes.toString("latin1").split(/(?<=\n\n)/);
const joined = (parts: ReadonlyArray<string>): Buffer => Buffer.from(parts.join(""), "latin1");

const mutations: ReadonlyArray<Mutation> = [
  (bytes, random) => {
    const flipped = Buffer.from(bytes);
    const at = random(bytes.length);
    flipped[at] = (flipped[at] ?? 0) ^ (1 << random(8));
    return flipped;
  },
  (bytes, random) => splice(bytes, ...range(bytes, random, 64), Buffer.alloc(0)),
  (bytes, random) => {
    const at = random(bytes.length + 1);
    const put =
      random(3) === 0 ? Buffer.of(random(256), random(256)) : Buffer.from(hostile[random(hostile.length)] ?? "");
    return splice(bytes, at, at, put);
  },
  (bytes, random) => {
    const [start, end] = range(bytes, random, 400);
    return splice(bytes, end, end, bytes.subarray(start, end));
  },
  (bytes, random) => {
    const [start, end] = range(bytes, random, 200);
    const [from, to] = range(bytes, random, 200);
    return end <= from
      ? splice(splice(bytes, from, to, bytes.subarray(start, end)), start, end, bytes.subarray(from, to))
      : bytes;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  (bytes, random) => {
    const parts = frames(bytes);
    parts.splice(random(parts.length), 1);
    return joined(parts);
  },
  (bytes, random) => {
    const parts = frames(bytes);
    parts.splice(random(parts.length + 1), 0, parts[random(parts.length)] ?? "");
    return joined(parts);
  },
  (bytes, random) => {
    const parts = frames(bytes);
    const [a, b] = [random(parts.length), random(parts.length)];
    [parts[a], parts[b]] = [parts[b] ?? "", parts[a] ?? ""];
    return joined(parts);
  },
];

/** The bytes with one to four mutations. */
export const mutated = (bytes: Buffer, random: Random): Buffer => {
  let result = bytes;
  for (let left = 1 + random(4); left > 0 && result.length > 0; left--)
    result = mutations[random(mutations.length)]?.(result, random) ?? result;
  return result;
};
