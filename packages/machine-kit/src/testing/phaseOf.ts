/**
 * The state a machine is in, as dotted text: `running`, or `admitting.asking` for a nested one; parallel regions are
 * joined by commas, in the order of the machine.
 */
export const phaseOf = (snapshot: { readonly value: unknown }): string => pathsIn(snapshot.value).join(",");

const pathsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => {
        const below = pathsIn(inner);
        return below.length === 0 ? [key] : below.map((path) => `${key}.${path}`);
      })
    : typeof value === "string"
      ? [value]
      : [];
