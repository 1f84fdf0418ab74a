/** Something a plugin adds to an {@link ExtensionPoint}. Made only by the point's `add`. */
export interface Contribution {
  readonly point: string;
  readonly priority: number;
}

/** Where plugins add values of one type, and the part that owns the point reads them. */
export interface ExtensionPoint<A> {
  readonly id: string;
  /** Adds a value. Higher priority comes first; equal ones keep the order of the plugin list. Default 0. */
  readonly add: (value: A, options?: { readonly priority?: number }) => Contribution;
  /** The values among `contributions` that were added to this point, in order. */
  readonly valuesIn: (contributions: ReadonlyArray<Contribution>) => ReadonlyArray<A>;
}

/**
 * Declares a point. A point is declared once, in a contract package, and says at its declaration what its values may
 * do, how several are merged, and what happens when one fails.
 *
 * @example
 * ```ts
 * const Greetings = extensionPoint<string>("example/Greetings")
 * const added = [Greetings.add("hello"), Greetings.add("first", { priority: 1 })]
 * Greetings.valuesIn(added) // => ["first", "hello"]
 * ```
 */
export const extensionPoint = <A>(id: string): ExtensionPoint<A> => {
  const values = new WeakMap<Contribution, { readonly value: A }>();
  return {
    id,
    add: (value, { priority = 0 } = {}) => {
      const contribution: Contribution = { point: id, priority };
      values.set(contribution, { value });
      return contribution;
    },
    valuesIn: (contributions) =>
      contributions
        .filter((contribution) => values.has(contribution))
        .toSorted((a, b) => b.priority - a.priority)
        .flatMap((contribution) => {
          const found = values.get(contribution);
          return found === undefined ? [] : [found.value];
        }),
  };
};
