/** What was found out about one thing that runs need. */
export interface Finding {
  readonly name: string;
  /** `problem`: a run would not get far. `warning`: something is missing that most people want. */
  readonly status: "ok" | "warning" | "problem";
  readonly detail: string;
  /** What to do about it. */
  readonly help?: string;
}

export const ok = (name: string, detail: string): Finding => ({ name, status: "ok", detail });
export const warning = (name: string, detail: string, help: string): Finding => ({
  name,
  status: "warning",
  detail,
  help,
});
export const problem = (name: string, detail: string, help: string): Finding => ({
  name,
  status: "problem",
  detail,
  help,
});
