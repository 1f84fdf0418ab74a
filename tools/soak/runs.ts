/**
 * How often a property is tried, and from which seed: a fixed sample in `npm test`, the full count in
 * `npm run soak -- <suite>`.
 */
export const soak: { readonly seed: number; readonly numRuns: number } = {
  seed: Number(process.env["KUMIKO_SOAK_SEED"] ?? 11),
  numRuns: Number(process.env["KUMIKO_SOAK_RUNS"] ?? 200),
};
