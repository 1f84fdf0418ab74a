import { hash, randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, mkdir, open, readlink, rename, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { defineTool, type Tool, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { errorCode, fileFailure } from "./fileFailure.ts";
import { abortable } from "./internal/abortable.ts";
import { absolutePath, fileResource } from "./internal/paths.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { requireFile } from "./TextFile.node.ts";

const Input = Schema.Struct({
  path: Schema.String.annotate({ description: "File, relative to the working folder or absolute." }),
  content: Schema.String.annotate({ description: "The whole new content." }),
});

/** The tool `file_write`; relative paths start at the run's folder. */
export const fileWrite = (): Tool =>
  defineTool({
    name: "file_write",
    description:
      "Writes a whole text file (UTF-8), replacing what it held. Creates missing folders. The file is replaced at once: " +
      "readers see the old content or the new, never a part. Keeps the mode of an existing file and writes through " +
      "symbolic links. Says whether it created or replaced the file.",
    input: Input,
    risk: "local-write",
    resources: ({ path }, cwd) => [fileResource(cwd, path, "write")],
    effectKey: ({ path, content }, cwd) => `write:${resolve(cwd, path)}:${hash("sha256", content)}`,
    execute: ({ path, content }, { cwd }) =>
      abortable((signal) => write(absolutePath(cwd, path), shownPath(path), content, signal), {
        waits: true,
      }),
  });

const write = async (absolute: string, path: string, content: string, signal: AbortSignal): Promise<string> => {
  try {
    const target = await followLinks(absolute);
    const before = await statsOf(target);
    if (before === undefined) await mkdir(dirname(target), { recursive: true });
    else {
      requireFile(before, path);
      // Replacing a file needs no permission on it, but a file that is read-only is so on purpose.
      await access(target, constants.W_OK);
    }
    const bytes = Buffer.from(content, "utf8");
    await replace(target, bytes, before, signal);
    const was = before === undefined ? "created" : "replaced";
    return `${was} ${path} (${bytes.length} bytes${before === undefined ? "" : `, before: ${before.size} bytes`})`;
  } catch (error) {
    throw fileFailure(error, path);
  }
};

/** As many as Linux follows. */
const maxLinks = 40;

// The file behind a chain of symbolic links, whether it exists or not: links are written through, never replaced.
const followLinks = async (absolute: string): Promise<string> => {
  let path = absolute;
  for (let links = 0; links <= maxLinks; links++) {
    const stats = await statsOf(path);
    if (stats?.isSymbolicLink() !== true) return path;
    path = resolve(dirname(path), await readlink(path));
  }
  throw new ToolFailed({ kind: "validation", detail: `${shownPath(absolute)}: its symbolic links never end (ELOOP).` });
};

const statsOf = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
};

// Written beside its target, made durable, then put in its place in one step; what fails or is interrupted leaves nothing.
const replace = async (
  target: string,
  bytes: Buffer,
  before: Stats | undefined,
  signal: AbortSignal,
): Promise<void> => {
  const folder = dirname(target);
  const temporary = join(folder, `.kumiko-${randomBytes(8).toString("hex")}.tmp`);
  // Private until it has the mode of the file it replaces; a new file gets what the process's mask allows.
  const file = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, before ? 0o600 : 0o666);
  try {
    try {
      if (before !== undefined) await keepOwnerAndMode(file, before);
      await file.writeFile(bytes, { signal });
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(temporary, target);
  } catch (error) {
    // Whether the leftover can go or not, the first error is the one that tells.
    await Promise.allSettled([unlink(temporary)]);
    throw error;
  }
  await syncFolder(folder);
};

const keepOwnerAndMode = async (file: FileHandle, before: Stats): Promise<void> => {
  const own = await file.stat();
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await file.chown(before.uid, before.gid);
    } catch (error) {
      // Only a privileged process may give files away; everybody else's new file is their own, as with any editor.
      if (errorCode(error) !== "EPERM") throw error;
    }
  }
  // Not setuid and setgid: they vouch for the content they were set on.
  await file.chmod(before.mode & 0o1777);
};

/** What opening or syncing a folder says where that is not possible; the content is in its place all the same. */
const unsyncable: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EACCES", "EPERM"]);

// The rename itself must survive a crash too.
const syncFolder = async (folder: string): Promise<void> => {
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
