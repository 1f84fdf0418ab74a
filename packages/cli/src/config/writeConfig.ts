import { open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "../BadInput.ts";
import { messageOf } from "../messageOf.ts";
import { makeFolder } from "@kumiko/local-tools";

/**
 * Puts a settings file in place of what was read as `before` (undefined: there was none), in one step. Links are
 * followed, the mode stays; a new file is its owner's alone unless it is `shared`. Fails, and changes nothing, where the
 * file is another one by now.
 */
export const writeConfig = (
  path: string,
  text: string,
  { before, isShared }: { readonly before: string | undefined; readonly isShared: boolean },
): Effect.Effect<void, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      makeFolder(dirname(path), isShared ? 0o777 : 0o700);
      const target = before === undefined ? path : await realpath(path);
      const mode = before === undefined ? (isShared ? 0o644 : 0o600) : (await stat(target)).mode & 0o777;
      const temporary = join(dirname(target), `.kumiko-${process.pid}.tmp`);
      try {
        {
          await using file = await open(temporary, "wx", mode);
          await file.writeFile(text);
          await file.sync();
        }
        if ((await textOf(target)) !== before) throw new Error("somebody else has just changed it; try again");
        await rename(temporary, target);
      } finally {
        await rm(temporary, { force: true });
      }
    },
    catch: (error) => new BadInput({ detail: `cannot write ${path}: ${messageOf(error)}` }),
  });

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};
