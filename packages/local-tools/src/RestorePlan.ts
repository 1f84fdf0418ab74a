import type { FileState } from "@kumiko/plugin-api";

/** What a file is to be again. */
export interface FileRestoration {
  /** Absolute, links followed. Each file once. */
  readonly path: string;
  /** `null`: there shall be no such file. `bytes` are absent where the content was too large to be kept. */
  readonly target: { readonly digest: string; readonly mode: number; readonly bytes?: Uint8Array } | null;
  /** What the session left there; `null`: no file. Anything else is the work of somebody else. */
  readonly expectedDigest: string | null;
}

/** What has to be done with one file. */
export type RestoreStep =
  | { readonly type: "unchanged" }
  | { readonly type: "write"; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly type: "changeMode"; readonly mode: number }
  | { readonly type: "remove" }
  | { readonly type: "conflict"; readonly detail: string }
  | { readonly type: "failed"; readonly detail: string };

/**
 * Decides what has to be done to restore a file, by what is there now (`null`: nothing). Work of somebody else is a
 * conflict and left alone, unless `force` is set.
 *
 * @example
 * ```ts
 * const now = { digest: "d2", mode: 0o644, sizeBytes: 1 }
 * restoreStep({ path: "/a", target: null, expectedDigest: "d2" }, now) // => { type: "remove" }
 * restoreStep({ path: "/a", target: null, expectedDigest: "d1" }, now).type // => "conflict"
 * ```
 */
export const restoreStep = (
  { expectedDigest, target }: FileRestoration,
  current: FileState | null,
  { force = false }: { readonly force?: boolean } = {},
): RestoreStep => {
  if (target === null && current === null) return { type: "unchanged" };
  if (target !== null && current?.digest === target.digest)
    return current.mode === target.mode ? { type: "unchanged" } : { type: "changeMode", mode: target.mode };
  if (!force && (current?.digest ?? null) !== expectedDigest)
    return { type: "conflict", detail: conflict(current, expectedDigest) };
  if (target === null) return { type: "remove" };
  if (target.bytes === undefined) return { type: "failed", detail: "its content before was too large to be kept." };
  return { type: "write", bytes: target.bytes, mode: target.mode };
};

const conflict = (current: FileState | null, expectedDigest: string | null): string =>
  current === null
    ? "it was removed since."
    : expectedDigest === null
      ? "there is a file now that the session did not make."
      : "it was changed since.";
