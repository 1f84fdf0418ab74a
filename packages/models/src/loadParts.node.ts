import { constants } from "node:fs";
import { open } from "node:fs/promises";
import * as Effect from "effect/Effect";
import { parseParts } from "./parseParts.ts";
import { type RehearsalPart, RehearsalPartsInvalid } from "./RehearsalPart.ts";

/** A file of parts is written by hand; more is a mistake in the path. */
const maxFileBytes = 1024 * 1024;

/** Reads a file of parts. Fails with the path and the reason where it cannot be read, else as `parseParts` does. */
export const loadParts = (path: string): Effect.Effect<ReadonlyArray<RehearsalPart>, RehearsalPartsInvalid> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => readText(path),
      catch: (error) =>
        new RehearsalPartsInvalid({
          file: path,
          line: 0,
          column: 0,
          problem: `cannot read this file of rehearsal parts: ${error instanceof Error ? error.message : String(error)}`,
        }),
    }),
    (text) => parseParts(text, path),
  );

const readText = async (path: string): Promise<string> => {
  // Without O_NONBLOCK a named pipe would be waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (stat.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
};
