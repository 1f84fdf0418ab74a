import { constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { access, open, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { messageOf } from "./messageOf.ts";

/** A folder to work in, absolute and without symbolic links. */
export const workingFolder = (path: string): Effect.Effect<string, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      const real = await realpath(path);
      if (!(await stat(real)).isDirectory()) throw new BadInput({ detail: `--cwd ${path}: it is not a folder` });
      await access(real, constants.R_OK | constants.X_OK);
      return real;
    },
    catch: (error) =>
      error instanceof BadInput
        ? error
        : new BadInput({
            detail: `--cwd ${path}: ${codeOf(error) === "ENOENT" ? "there is no such folder" : messageOf(error)}`,
          }),
  });

// What makes it is loaded only where it is missing: a start is to be quick.
const makeMissing = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) (await import("@kumiko/local-tools")).makeFolder(folder, 0o700);
};

/** Found out before anything runs: a run whose calls nobody writes down is not what was asked for. */
export const writableFile = (file: string): Effect.Effect<string, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      await makeMissing(dirname(file));
      const handle = await open(
        file,
        constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK,
        0o600,
      );
      const isFile = (await handle.stat()).isFile();
      await handle.close();
      if (!isFile) throw new Error("it is no regular file");
      return file;
    },
    catch: (error) =>
      new BadInput({
        detail: `the audit log ${file} cannot be written: ${messageOf(error)}. Name another one with --audit-log`,
      }),
  });

/** What a session needs at least before its first model call: a disk with less room is full. */
const probeBytes = 64 * 1024;

/** A folder that sessions can be written to, made for its owner only. */
export const writableSessions = (directory: string): Effect.Effect<string, BadInput> =>
  Effect.tryPromise({
    try: async () => {
      await makeMissing(directory);
      const probe = join(directory, `.probe-${process.pid}`);
      try {
        writeFileSync(probe, Buffer.alloc(probeBytes), { mode: 0o600 });
      } finally {
        rmSync(probe, { force: true });
      }
      return directory;
    },
    catch: (error) =>
      new BadInput({
        detail: `sessions cannot be kept in ${directory}: ${messageOf(error)}. Set XDG_STATE_HOME to a folder that can be written, or run without keeping the session: --no-session`,
      }),
  });

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
