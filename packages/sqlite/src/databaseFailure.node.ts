import { DatabaseFailed } from "./DatabaseFailed.ts";

/** SQLite's primary result codes (https://sqlite.org/rescode.html), the low byte of `errcode`. */
const reasons: Readonly<Record<number, readonly [DatabaseFailed["reason"], string]>> = {
  5: ["locked", "another process is writing to it; try again"],
  6: ["locked", "another process is writing to it; try again"],
  8: ["read-only", "it cannot be written to: the file or its folder is read-only"],
  10: ["unavailable", "the disk reported an error"],
  11: ["corrupt", "it is damaged"],
  13: ["full", "the disk is full"],
  14: ["unavailable", "it cannot be opened: the folder is missing, or access is denied"],
  26: ["foreign", "it is no database"],
};

/** What an error of `node:sqlite` or of the file system means, in words for people. */
export const databaseFailure = (error: unknown, path: string): DatabaseFailed => {
  if (error instanceof DatabaseFailed) return error;
  const text = error instanceof Error ? error.message : String(error);
  const { code, errcode } = codesOf(error);
  const known = errcode === undefined ? systemReasons[code ?? ""] : reasons[errcode & 0xff];
  return known === undefined
    ? new DatabaseFailed({ reason: "unavailable", path, detail: text })
    : new DatabaseFailed({ reason: known[0], path, detail: `${known[1]} (${text})` });
};

const systemReasons: Readonly<Record<string, readonly [DatabaseFailed["reason"], string]>> = {
  ENOENT: ["missing", "there is no such file"],
  EROFS: ["read-only", "it lies on a read-only file system"],
  EACCES: ["read-only", "access is denied"],
  EPERM: ["read-only", "access is denied"],
  ENOSPC: ["full", "the disk is full"],
};

const codesOf = (error: unknown): { readonly code?: string; readonly errcode?: number } => {
  if (typeof error !== "object" || error === null) return {};
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const errcode = "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined;
  return { ...(code === undefined ? {} : { code }), ...(errcode === undefined ? {} : { errcode }) };
};
