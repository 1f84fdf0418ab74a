import { constants } from "node:fs";
import { open } from "node:fs/promises";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { messageOf } from "./messageOf.ts";

/** A file that is written by hand; more is a mistake in the path. */
const maxFileBytes = 64 * 1024;

/** The text of a settings file; undefined: there is none. Pipes, devices and giants are refused, never waited for. */
export const settingsText = (path: string): Effect.Effect<string | undefined, BadInput> =>
  Effect.tryPromise({
    try: () => textOf(path),
    catch: (error) => new BadInput({ detail: `cannot read ${path}: ${messageOf(error)}` }),
  });

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    // Without O_NONBLOCK a named pipe would be waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (stat.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.readFile());
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    if (error instanceof TypeError) throw new Error("it is no UTF-8 text", { cause: error });
    throw error;
  }
};
