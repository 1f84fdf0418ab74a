import type { FileChange, Recovered } from "@kumiko/plugin-api";
import { errorCode, fileFailure } from "../fileFailure.ts";
import { snapshotOf } from "./fileSnapshot.node.ts";
import { statsOf } from "./replaceFile.node.ts";
import { shownPath } from "./shownPath.ts";

/** Finds out from the file itself whether a call that planned `changes` did its work before its process ended. */
export const lookUp = async (path: string, changes: ReadonlyArray<FileChange>): Promise<Recovered> => {
  const [change] = changes;
  const shown = shownPath(path);
  if (change === undefined) return { type: "unknown", detail: `${shown}: nothing was written down about this call.` };
  const found = await digestNow(change.path, shown);
  if (found.digest !== undefined && found.digest === change.after?.digest)
    return {
      type: "done",
      output: {
        text: `${shown} holds the new content (${found.sizeBytes} bytes). The process had ended during this call: the file was looked at instead of being written again.`,
        files: [{ path: change.path, digest: found.digest }],
      },
    };
  if (found.problem === undefined && found.digest === change.before?.digest) return { type: "notDone" };
  const what =
    found.problem ??
    `${shown}: ${found.digest === undefined ? "it is gone." : `it holds something else (${found.sizeBytes} bytes).`}`;
  return {
    type: "unknown",
    detail: `${what} That is neither what was there before the call nor what the call would have made.`,
  };
};

interface Found {
  /** Undefined: there is no file, or it cannot be read. */
  readonly digest?: string;
  readonly sizeBytes?: number;
  readonly problem?: string;
}

const digestNow = async (path: string, shown: string): Promise<Found> => {
  try {
    if ((await statsOf(path)) === undefined) return {};
    return (await snapshotOf(path, shown, 0)).state;
  } catch (error) {
    // A folder of the path is gone, or a file now: so is what was below it.
    if (errorCode(error) === "ENOTDIR") return {};
    return { problem: fileFailure(error, shown).detail };
  }
};
