import { wildcard } from "./wildcard.ts";

/** A segment of a path pattern; `undefined` is `**`, any number of segments. */
type SegmentTest = ((segment: string) => boolean) | undefined;

/**
 * Makes the test of a path (segments of a relative path) against pattern segments, where `**` as a whole segment stands
 * for any number of segments: zero or more, or at the end of the pattern one or more. `undefined`: a segment is malformed.
 */
export const pathPattern = (
  segments: ReadonlyArray<string>,
): ((path: ReadonlyArray<string>) => boolean) | undefined => {
  const tests: Array<SegmentTest> = [];
  for (const segment of segments) {
    if (isAny(segment)) tests.push(undefined);
    else {
      const test = wildcard(segment);
      if (test === undefined) return undefined;
      tests.push(test);
    }
  }
  // A last `**` asks for at least one segment.
  if (isAny(segments.at(-1) ?? "")) tests.push(() => true);
  return (path) => matches(tests, path);
};

const isAny = (segment: string): boolean => /^\*{2,}$/.test(segment);

// Greedy as for the characters of a segment: what stands between two `**` may match as early as it can.
const matches = (tests: ReadonlyArray<SegmentTest>, path: ReadonlyArray<string>): boolean => {
  let at = 0;
  let test = 0;
  let star = -1;
  let starAt = 0;
  while (at < path.length) {
    const accepts = tests[test];
    if (test < tests.length && accepts === undefined) {
      star = test++;
      starAt = at;
    } else if (accepts?.(path[at] ?? "") === true) {
      test++;
      at++;
    } else if (star >= 0) {
      test = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (test < tests.length && tests[test] === undefined) test++;
  return test === tests.length;
};
