/**
 * How often a property is tried, and from which seed: a fixed sample in `npm test`, the full count in
 * `npm run soak -- <suite>`.
 */
export const soak: {
  readonly seed: number;
  readonly numRuns: number;
  /** For suites whose runs are dear: their own sample, or the full count. */
  readonly runsOr: (sample: number) => number;
} = {
  seed: Number(process.env["KUMIKO_SOAK_SEED"] ?? 11),
  numRuns: Number(process.env["KUMIKO_SOAK_RUNS"] ?? 200),
  runsOr: (sample) => Number(process.env["KUMIKO_SOAK_RUNS"] ?? sample),
};
