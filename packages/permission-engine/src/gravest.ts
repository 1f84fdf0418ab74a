/** The gravest of these, at most so many, in the order they had. */
export const gravest = <A>(all: ReadonlyArray<A>, most: number, gravity: (one: A) => number): ReadonlyArray<A> => {
  if (all.length <= most) return all;
  const kept = new Set(all.toSorted((a, b) => gravity(b) - gravity(a)).slice(0, most));
  return all.filter((one) => kept.has(one));
};
