/** Where line mode is shown and typed into. */
export interface Face {
  readonly columns: () => number;
  /** Shows lines that are done. */
  readonly print: (lines: ReadonlyArray<string>) => void;
  /** Something that is shown while it changes has changed. */
  readonly refresh: () => void;
  /** Hands the terminal over to something that writes and reads by itself. */
  readonly suspended: <A>(work: () => Promise<A>) => Promise<A>;
  /** Gives the terminal back as it was. Idempotent. */
  readonly close: () => void;
}
