import { hash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, opendir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ToolFailed } from "@kumiko/plugin-api";
import { errorCode } from "../fileFailure.ts";
import { makeFolder } from "../makeFolder.node.ts";

/** What is put in a file's place. */
export interface Replacement {
  /** Absolute, links followed. */
  readonly target: string;
  /** How messages name it. */
  readonly shown: string;
  readonly bytes: Uint8Array;
  /** The file as it was when the content was decided on; undefined: there was none. */
  readonly before: Stats | undefined;
  /** Permission bits to give it. Default: those of `before`, without setuid and setgid, or what the process's mask allows. */
  readonly mode?: number;
}

/** What is written before an interruption is noticed. */
const pieceBytes = 8 * 1024 * 1024;

/**
 * Puts content in the place of a file, or makes the file and its folders: written beside its target, made durable, then
 * renamed over it. Readers see the old content or the new; what fails or is interrupted leaves nothing. A file that is
 * no longer the one in `before` is left alone: fails with `ToolFailed`.
 */
export const replaceFile = async (replacement: Replacement, signal: AbortSignal): Promise<void> => {
  const { before, bytes, mode, target } = replacement;
  const folder = dirname(target);
  if (before === undefined) makeFolder(folder);
  // Named after the target, so that what a killed process left can be told from what another one is writing.
  const prefix = `.kumiko-${hash("sha256", basename(target)).slice(0, 16)}-`;
  const temporary = join(folder, `${prefix}${randomBytes(8).toString("hex")}.tmp`);
  // Private until it has the mode of the file it replaces; a new file gets what the process's mask allows.
  const isPrivate = before !== undefined || mode !== undefined;
  const file = await open(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    isPrivate ? 0o600 : 0o666,
  );
  try {
    try {
      if (before !== undefined) await keepOwner(file, before);
      // Not setuid and setgid: they vouch for the content they were set on.
      if (mode !== undefined) await file.chmod(mode);
      else if (before !== undefined) await file.chmod(before.mode & 0o1777);
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        signal.throwIfAborted();
        await file.writeFile(bytes.subarray(at, at + pieceBytes));
      }
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await requireSame(replacement);
    await rename(temporary, target);
  } catch (error) {
    // Whether the leftover can go or not, the first error is the one that tells.
    await Promise.allSettled([unlink(temporary)]);
    throw error;
  }
  await syncFolder(folder);
  // The file is in its place: tidying up may fail.
  await Promise.allSettled([removeStale(folder, prefix)]);
};

/** The file's own facts, not following a link; undefined: there is no such file. */
export const statsOf = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Whether a file is still the same one, with the same content, mode and names, as far as its times tell. */
export const isSameFile = (now: Stats | undefined, before: Stats | undefined): boolean =>
  now === undefined || before === undefined
    ? now === before
    : now.ino === before.ino &&
      now.dev === before.dev &&
      now.size === before.size &&
      now.mtimeMs === before.mtimeMs &&
      now.ctimeMs === before.ctimeMs;

const requireSame = async ({ before, shown, target }: Replacement): Promise<void> => {
  if (isSameFile(await statsOf(target), before)) return;
  throw new ToolFailed({
    kind: "refused",
    detail: `${shown}: it changed while this call was at work; it was left as it is.`,
    hint: "Read it again with file_read, then decide anew.",
  });
};

const keepOwner = async (file: FileHandle, before: Stats): Promise<void> => {
  const own = await file.stat();
  if (own.uid === before.uid && own.gid === before.gid) return;
  try {
    await file.chown(before.uid, before.gid);
  } catch (error) {
    // Only a privileged process may give files away; everybody else's new file is their own, as with any editor.
    if (errorCode(error) !== "EPERM") throw error;
  }
};

/** What opening or syncing a folder says where that is not possible; the content is in its place all the same. */
const unsyncable: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EACCES", "EPERM"]);

/** Makes the names in a folder durable: a rename must survive a crash too. */
export const syncFolder = async (folder: string): Promise<void> => {
  let handle: FileHandle | undefined;
  try {
    handle = await open(folder, constants.O_RDONLY);
    await handle.sync();
  } catch (error) {
    if (!unsyncable.has(errorCode(error))) throw error;
  } finally {
    await handle?.close();
  }
};

/** Nothing writes one file for an hour: what is older was left by a process that died. */
const staleMillis = 3_600_000;
/** Names looked at after a write; in a larger folder some leftovers stay. */
const maxNames = 1000;

const removeStale = async (folder: string, prefix: string): Promise<void> => {
  const leftovers: Array<string> = [];
  let names = 0;
  for await (const { name } of await opendir(folder, { bufferSize: maxNames })) {
    if (name.startsWith(prefix) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(prefix.length)))
      leftovers.push(join(folder, name));
    if (++names === maxNames) break;
  }
  for (const path of leftovers) {
    const { mtimeMs } = await lstat(path);
    if (Date.now() - mtimeMs > staleMillis) await unlink(path);
  }
};
