import type { Resource } from "@kumiko/plugin-api";

const withoutSlash = (key: string): string => (key.endsWith("/") ? key.slice(0, -1) : key);

/** Whether two resource keys can mean the same thing: equal, or one a folder above the other. */
export const overlaps = (a: string, b: string): boolean => {
  const left = withoutSlash(a);
  const right = withoutSlash(b);
  return left === right || left.startsWith(`${right}/`) || right.startsWith(`${left}/`);
};

/** Whether one of two sets of resources writes what the other touches. */
export const conflicts = (a: ReadonlyArray<Resource>, b: ReadonlyArray<Resource>): boolean =>
  a.some((left) =>
    b.some((right) => (left.mode === "write" || right.mode === "write") && overlaps(left.key, right.key)),
  );
