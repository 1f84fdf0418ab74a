import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are not there. Idempotent, also where several do it at once. Throws the error
 * of the file system.
 *
 * Node's own `recursive` never comes back where a file system says of a folder that is there that it is not, as `/proc`
 * does.
 *
 * @param mode of the folders that are made; default 0o777, of which the umask takes away
 */
export const makeFolder = (path: string, mode = 0o777): void => {
  if (makeOne(path, mode)) return;
  makeFolder(dirname(path), mode);
  if (!makeOne(path, mode)) throw new Error(`no folder can be made at ${path}`);
};

// False: the one above it has to be made first.
const makeOne = (path: string, mode: number): boolean => {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" && dirname(path) !== path) return false;
    if (code === "EEXIST" && statSync(path).isDirectory()) return true;
    throw error;
  }
};
