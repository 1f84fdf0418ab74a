import { execFile } from "node:child_process";
import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * A pipe of the operating system. What Node gives its children is a pair of sockets, which cannot be opened again:
 * `echo x > /dev/stderr` would fail in every script.
 */
export interface OutputPipe {
  /** Does not block. */
  readonly readEnd: number;
  readonly writeEnd: number;
  /** What `/proc` calls it, where there is one. */
  readonly name: string | undefined;
}

/** Made at once, as making them takes a process: two descriptors each. */
const batch = 4;

let spare: ReadonlyArray<OutputPipe> = [];
let isPossible = process.platform !== "win32";

/** A new pipe, or undefined where none can be made. Both ends are the caller's to close. */
export const takePipe = async (): Promise<OutputPipe | undefined> => {
  if (spare.length === 0 && isPossible) {
    const made = await makePipes();
    isPossible = made.length > 0;
    spare = [...spare, ...made];
  }
  const [pipe, ...rest] = spare;
  spare = rest;
  return pipe;
};

const makePipes = async (): Promise<ReadonlyArray<OutputPipe>> => {
  let folder: string | undefined;
  const made: Array<OutputPipe> = [];
  try {
    folder = await mkdtemp(join(tmpdir(), "kumiko-pipe-"));
    const paths = Array.from({ length: batch }, (_, at) => join(folder ?? "", String(at)));
    await promisify(execFile)("mkfifo", ["-m", "600", ...paths]);
    for (const path of paths) made.push(openPipe(path));
  } catch {
    // A machine without mkfifo, or without a descriptor to spare: sockets do for most commands.
  }
  // Open pipes need no name.
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  return made.map((pipe) => ({ ...pipe, name: nameOf(pipe.readEnd) }));
};

const openPipe = (path: string): OutputPipe => {
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { readEnd, writeEnd: openSync(path, constants.O_WRONLY), name: undefined };
  } catch (error) {
    closeSync(readEnd);
    throw error;
  }
};

const nameOf = (descriptor: number): string | undefined => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
};
