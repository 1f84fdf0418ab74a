import { ToolFailed } from "@kumiko/plugin-api";

type Kind = ToolFailed["kind"];

// What each code of the operating system means for the one who asked.
const meanings: Readonly<Record<string, readonly [kind: Kind, detail: string, hint?: string]>> = {
  ENOENT: ["validation", "there is no such file or folder", "Use glob to see what there is."],
  ENOTDIR: ["validation", "a part of the path is a file, not a folder", "Use glob to see what there is."],
  EISDIR: ["validation", "it is a folder, not a file", "Give the path of a file; glob lists what a folder holds."],
  ENAMETOOLONG: ["validation", "the path, or a name in it, is too long", "Use a shorter one."],
  ELOOP: ["validation", "its symbolic links go round in a circle, or on for too long", "Use the real path."],
  EACCES: ["failed", "permission denied", "The user of this process may not do that; use another path or ask."],
  EPERM: ["failed", "the operating system does not permit it", "Use another path, or ask."],
  EROFS: ["failed", "the file system is read-only", "Use a path on another file system."],
  ENOSPC: ["failed", "the disk is full", "Free space, then try again."],
  EDQUOT: ["failed", "the disk quota is used up", "Free space, then try again."],
  EFBIG: ["failed", "the file would be larger than is allowed"],
  ENXIO: ["refused", "it is a socket or a device, not a file"],
  EMFILE: ["transient", "too many files are open", "Try again."],
  ENFILE: ["transient", "too many files are open on this machine", "Try again."],
  EBUSY: ["transient", "it is in use", "Try again."],
  EAGAIN: ["transient", "it is not ready", "Try again."],
  ETXTBSY: ["transient", "the program is running", "Try again when it has ended."],
};

/** The failure of a file operation, in words that say what to do. `path` is shown as the model gave it. */
export const fileFailure = (error: unknown, path?: string): ToolFailed => {
  if (error instanceof ToolFailed) return error;
  const code = errorCode(error);
  const [kind, detail, hint] = meanings[code] ?? ["failed", error instanceof Error ? error.message : String(error)];
  return new ToolFailed({
    kind,
    detail: `${path === undefined ? "" : `${path}: `}${detail}${code in meanings ? ` (${code})` : ""}.`,
    ...(hint === undefined ? {} : { hint }),
  });
};

/** The code of an error of the operating system or the runtime, whichever realm it comes from; empty: it has none. */
export const errorCode = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string" ? error.code : "";
