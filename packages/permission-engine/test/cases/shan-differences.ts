/** A case that is decided otherwise here, with the reason. */
export interface Difference {
  readonly ours: "allow" | "ask" | "deny" | "hard-block";
  /** Compared with what is expected there. */
  readonly is: "stricter" | "looser";
  readonly why: string;
}

const compound = "a compound command needs a rule for each part; the safe list is for one plain command";
const root = "what would be destroyed counts, not how it is spelled";
const secrets = "it shows secrets: the environment of processes, or files that hold them";

/** By case. A case that is not listed gets the verdict expected there. */
export const differences: Readonly<Record<string, Difference>> = {
  "permission-bash-007": { ours: "hard-block", is: "stricter", why: root },
  "permission-bash-010": { ours: "hard-block", is: "stricter", why: root },
  "permission-bash-018": { ours: "hard-block", is: "stricter", why: `${root}; some file systems do not tell case apart` },
  "permission-bash-021": { ours: "hard-block", is: "stricter", why: `${root}; wrappers are looked through` },
  "permission-bash-024": { ours: "hard-block", is: "stricter", why: root },
  "permission-bash-028": { ours: "hard-block", is: "stricter", why: "redirections count as writes" },
  "permission-bash-029": { ours: "hard-block", is: "stricter", why: "redirections count as writes" },
  "permission-bash-031": { ours: "ask", is: "stricter", why: "a command with a redirection never enters by the safe list" },
  "permission-bash-036": { ours: "hard-block", is: "stricter", why: "a download that is run, through whatever wrapper" },
  "permission-bash-044": { ours: "hard-block", is: "stricter", why: "a download that is run, by whatever interpreter" },
  "permission-bash-052": { ours: "ask", is: "stricter", why: "what a substitution runs is a part of its own" },
  "permission-bash-057": { ours: "ask", is: "stricter", why: secrets },
  "permission-bash-061": { ours: "allow", is: "looser", why: "find only reads with the options that are listed; the others ask" },
  "permission-bash-072": { ours: "ask", is: "stricter", why: secrets },
  "permission-bash-109": { ours: "ask", is: "stricter", why: `${secrets}; it may also never end` },
  "permission-bash-118": { ours: "ask", is: "stricter", why: secrets },
  "permission-bash-119": { ours: "ask", is: "stricter", why: "it talks to another machine, and may start a helper to log in" },
  "permission-bash-132": { ours: "ask", is: "stricter", why: compound },
  "permission-bash-135": { ours: "ask", is: "stricter", why: compound },
  "permission-bash-141": { ours: "ask", is: "stricter", why: "a command with a redirection never enters by the safe list" },
  "permission-bash-194": { ours: "ask", is: "stricter", why: compound },
  "permission-bash-195": { ours: "ask", is: "stricter", why: "a line break separates commands; a rule is about one of them" },
  "permission-path-017": { ours: "ask", is: "stricter", why: "letter case makes no difference" },
  "permission-path-018": { ours: "ask", is: "stricter", why: "a pattern may be about a folder and what is in it" },
  "permission-path-027": {
    ours: "allow",
    is: "looser",
    why: "tools do not expand `~root`: it is a folder of that name in the workspace, and its symlinks are followed",
  },
  "permission-network-008": { ours: "allow", is: "looser", why: "letter case makes no difference in host names" },
};
