import { hash } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { type FileChange, type ToolContext, ToolFailed, type ToolOutput } from "@kumiko/plugin-api";
import { fileFailure } from "../fileFailure.ts";
import { isBinary, requireFile } from "../TextFile.node.ts";
import { type FileSnapshot, firstBytesOf, maxKeptBytes, maxKnownBytes, snapshotOf } from "./fileSnapshot.node.ts";
import { absolutePath } from "./paths.node.ts";
import { realTarget } from "./realTarget.node.ts";
import { replaceFile, statsOf } from "./replaceFile.node.ts";
import { shownPath } from "./shownPath.ts";

/** What a call is about to do to one file; nothing has been done yet. */
export interface FilePlan {
  /** Absolute, links followed. */
  readonly target: string;
  readonly shown: string;
  readonly before: FileSnapshot | undefined;
  readonly after: Uint8Array;
  /** SHA-256 of `after`, hex. */
  readonly digest: string;
  /** Says what was done, once it is. */
  readonly text: string;
}

/** What is decided about a file that was found; `before` undefined: there is none. */
export type Deciding = (
  before: FileSnapshot | undefined,
  shown: string,
) => { readonly after: Uint8Array; readonly text: string };

/** What planning has to know of the session. */
export type Context = Pick<ToolContext, "cwd" | "knownDigest">;

/**
 * Finds the file, makes sure that the session knows what it holds, and has its new content decided. Changes nothing.
 * Fails with a `ToolFailed` where the file was never read, or changed since it was last read or written.
 */
export const planFile = async (
  path: string,
  { cwd, knownDigest }: Context,
  maxBytes: number,
  decide: Deciding,
): Promise<FilePlan> => {
  const shown = shownPath(path);
  try {
    const target = await realTarget(absolutePath(cwd, path));
    const before = await knownFile(target, shown, maxBytes, knownDigest);
    const { after, text } = decide(before, shown);
    return { target, shown, before, after, text, digest: hash("sha256", after) };
  } catch (error) {
    throw fileFailure(error, shown);
  }
};

const knownFile = async (
  target: string,
  shown: string,
  maxBytes: number,
  knownDigest: Context["knownDigest"],
): Promise<FileSnapshot | undefined> => {
  const stats = await statsOf(target);
  if (stats === undefined) return undefined;
  requireFile(stats, shown);
  // Replacing a file needs no permission on it, but a file that is read-only is so on purpose.
  await access(target, constants.W_OK);
  const known = knownDigest(target);
  if (known === undefined) throw await unread(target, shown, stats.size);
  const found = await snapshotOf(target, shown, maxBytes);
  if (found.state.digest === known) return found;
  throw new ToolFailed({
    kind: "refused",
    detail: `${shown}: it changed on disk since this session last read or wrote it.`,
    hint: "Read it again with file_read, then decide anew.",
  });
};

const unread = async (target: string, shown: string, sizeBytes: number): Promise<ToolFailed> => {
  const refused = (detail: string, hint: string): ToolFailed =>
    new ToolFailed({ kind: "refused", detail: `${shown}: ${detail}`, hint });
  if (sizeBytes > maxKnownBytes)
    return refused(
      `it has ${sizeBytes} bytes; only files up to ${maxKnownBytes} bytes are changed.`,
      "Change it with a command, or move it away first.",
    );
  if (isBinary(await firstBytesOf(target, shown)))
    return refused("it is a binary file, which cannot be read first.", "Move it away with a command first.");
  return refused(
    "there is such a file, and this session has not read it.",
    "Read it with file_read first, then call again.",
  );
};

/** A plan as it is written down before it is carried out. */
export const changeOf = ({ before, digest, target }: FilePlan): FileChange => ({
  path: target,
  before: before?.state ?? null,
  ...(before?.bytes !== undefined && before.bytes.length <= maxKeptBytes ? { beforeBytes: before.bytes } : {}),
  after: { digest },
});

/** Carries a plan out. `changes` is what was written down of it; empty where nothing was. */
export const carryOut = async (
  { after, before, digest, shown, target, text }: FilePlan,
  changes: ReadonlyArray<FileChange>,
  signal: AbortSignal,
): Promise<ToolOutput> => {
  const [change] = changes;
  if (change !== undefined && (change.path !== target || change.before?.digest !== before?.state.digest))
    throw new ToolFailed({
      kind: "refused",
      detail: `${shown}: it changed right before the call.`,
      hint: "Read it again with file_read, then decide anew.",
    });
  try {
    await replaceFile({ target, shown, bytes: after, before: before?.stats }, signal);
    return { text, files: [{ path: target, digest }] };
  } catch (error) {
    throw fileFailure(error, shown);
  }
};
