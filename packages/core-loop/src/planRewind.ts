import type { FileState } from "@kumiko/plugin-api";
import type { JournalEntry, JournalRecord } from "@kumiko/runtime-api";
import { type DescribedCall, describeSession } from "./describeSession.ts";

/** A file to be put back as it was. */
export interface FileToRestore {
  readonly path: string;
  /** `null`: there was no such file. */
  readonly target: FileState | null;
  /** What the session left there last; something else there means that somebody changed it since. `null`: nothing. */
  readonly expectedDigest: string | null;
}

/** What a rewind would do, and what it cannot. */
export interface RewindPlan {
  /** Runs that are taken back, the first one first. */
  readonly prompts: ReadonlyArray<string>;
  readonly files: ReadonlyArray<FileToRestore>;
  /** What stays as it is, in words: files whose content was not kept, and calls whose effects nobody knows. */
  readonly irreversible: ReadonlyArray<string>;
  /** What to append to the session's journal, so that the conversation ends there. */
  readonly entries: ReadonlyArray<JournalEntry>;
}

/**
 * Plans taking back a run and all after it. Undefined: there is no such run (any more). Pure: nothing is taken back.
 *
 * A run among them that is under way has to be ended first, by a `run.ended` of its own; restoring the files is the
 * caller's too: their contents lie in the journal, under the digest of each `target`.
 */
export const planRewind = (records: ReadonlyArray<JournalRecord>, runId: string): RewindPlan | undefined => {
  const { runs } = describeSession(records);
  const from = runs.findIndex((run) => run.runId === runId);
  const first = runs[from];
  if (first === undefined) return undefined;
  const undone = runs.slice(from);
  const files = new Map<string, FileToRestore>();
  const irreversible: Array<string> = [];
  for (const call of undone.flatMap(({ calls }) => calls)) {
    if (call.status === "denied") continue;
    if (call.changes.length === 0 && mayHaveActed(call)) irreversible.push(said(call));
    for (const { after, before, isKept, path } of call.changes) {
      const known = files.get(path);
      if (known === undefined && before !== null && !isKept)
        irreversible.push(`${path}: its content (${before.sizeBytes} bytes) was too large to be kept`);
      // The first change of a file says what it was.
      else
        files.set(path, {
          path,
          target: known === undefined ? before : known.target,
          expectedDigest: after?.digest ?? null,
        });
    }
  }
  return {
    prompts: undone.map(({ prompt }) => prompt),
    files: [...files.values()],
    irreversible,
    entries: [
      {
        actor: "session",
        kind: "event",
        body: { type: "conversation.rewound", messages: first.messagesBefore },
      },
    ],
  };
};

const mayHaveActed = ({ isIntended, status }: DescribedCall): boolean => isIntended || status === "unknown";

const said = ({ input, status, tool }: DescribedCall): string => {
  const text = JSON.stringify(input) ?? "";
  return `${tool} ${text.length > 200 ? `${text.slice(0, 200)}…` : text}${status === "unknown" ? " (may or may not have run)" : ""}`;
};
