/** Throws unless both say the same as JSON. For suites that know no test runner. */
export const equal = (what: string, got: unknown, wanted: unknown): void => {
  const text = (value: unknown): string => JSON.stringify(value instanceof Set ? [...value] : value) ?? "undefined";
  if (text(got) !== text(wanted)) throw new Error(`${what}: wanted ${text(wanted)}, got ${text(got)}`);
};
