import type { Asked } from "./Asked.ts";

/** The keys that answer a question, with what they do, those that are offered. */
const answerKeys = ({ all, explanation, rules }: Asked): ReadonlyArray<readonly [key: string, what: string]> => [
  ["y", "yes, once"],
  ...(rules.length === 0
    ? []
    : ([
        ["s", "this session"],
        ["a", "always"],
      ] as const)),
  ["n", "no"],
  ["b", "no, because …"],
  ...(explanation === undefined ? [] : ([["e", "explain"]] as const)),
  ...(all === undefined ? [] : ([["v", "view all"]] as const)),
];

/** `[y] yes, once  [n] no  …`. */
export const answerHint = (asked: Asked): string =>
  answerKeys(asked)
    .map(([key, what]) => `[${key}] ${what}`)
    .join("  ");
