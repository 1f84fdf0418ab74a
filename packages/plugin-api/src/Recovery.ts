import * as Schema from "effect/Schema";
import type { ToolOutput } from "./Tool.ts";

/**
 * What becomes of a call whose process died before its result was safe. `rerun`: it changes nothing, or twice is as good
 * as once; `lookup`: the tool finds out whether it happened; `ask`: nobody can tell, so it is never run again by itself
 * and its outcome is reported as unknown.
 */
export type Recovery = "rerun" | "lookup" | "ask";

/** What a look-up found. `notDone`: it may run (again); `unknown`: as with recovery `ask`. */
export type Recovered =
  | { readonly type: "done"; readonly output: ToolOutput }
  | { readonly type: "notDone" }
  | { readonly type: "unknown"; readonly detail: string };

/** SHA-256, hex. */
const Digest = Schema.String;

/** A regular file at some moment. */
export const FileState = Schema.Struct({
  digest: Digest,
  /** Permission bits, such as 0o644. */
  mode: Schema.Int,
  sizeBytes: Schema.Int,
});
export type FileState = typeof FileState.Type;

/** One file that a call changes, absolute path with links followed. `null`: there is no such file. */
export interface FileChange {
  readonly path: string;
  readonly before: FileState | null;
  /** The content before, so that it can be put back; absent where it is too large to be kept. */
  readonly beforeBytes?: Uint8Array;
  readonly after: { readonly digest: string } | null;
}

/** A change as it is written down: the bytes are kept beside it, under their digest. */
export const SavedChange = Schema.Struct({
  path: Schema.String,
  before: Schema.NullOr(FileState),
  /** Whether the content before was kept. */
  isKept: Schema.Boolean,
  after: Schema.NullOr(Schema.Struct({ digest: Digest })),
});
export type SavedChange = typeof SavedChange.Type;

/** The content of a file as a session knows it; `null`: it is gone. */
export const KnownFile = Schema.Struct({ path: Schema.String, digest: Schema.NullOr(Digest) });
export type KnownFile = typeof KnownFile.Type;
