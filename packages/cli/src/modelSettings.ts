import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { type ModelSettings, parseModelSettings } from "@kumiko/models";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { messageOf } from "./messageOf.ts";

/** A file that is written by hand; more is a mistake in the path. */
const maxFileBytes = 1024 * 1024;

/** The user's own file of models. No other is read: what lies in a project must not say where keys are sent. */
export const modelSettingsFile = (): string =>
  join(resolve(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config")), "kumiko", "models.yaml");

/** Reads the user's file of models; none, none of its settings. */
export const readModelSettings: Effect.Effect<ModelSettings, BadInput> = Effect.gen(function* () {
  const file = modelSettingsFile();
  const text = yield* Effect.tryPromise({
    try: () => textOf(file),
    catch: (error) => new BadInput({ detail: `cannot read ${file}: ${messageOf(error)}` }),
  });
  if (text === undefined) return {};
  return yield* Effect.mapError(parseModelSettings(text, file), (error) => new BadInput({ detail: error.message }));
});

const textOf = async (path: string): Promise<string | undefined> => {
  try {
    // Without O_NONBLOCK a named pipe would be waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = await file.stat();
    if (!stat.isFile()) throw new Error("it is no regular file");
    if (stat.size > maxFileBytes) throw new Error(`it is larger than ${maxFileBytes} bytes`);
    return await file.readFile("utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
};
