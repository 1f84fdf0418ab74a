import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ImagePart } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import { BadInput } from "./BadInput.ts";
import { messageOf } from "./messageOf.ts";

/** An image that models can be shown, by its content, whatever the file is called. */
export interface ImageFile {
  readonly image: ImagePart;
  /** `PNG image, 12 kB` */
  readonly words: string;
}

/** Enough to tell what a file is. */
const headBytes = 512;

/**
 * Reads an open file of `size` bytes as an image. A text: it is one, and why it cannot be shown; undefined: it is none.
 */
export const imageOf = async (file: FileHandle, size: number): Promise<ImageFile | string | undefined> => {
  const { fileKind, maxImageBytes } = await import("@kumiko/local-tools");
  const head = await bytesOf(file, Math.min(size, headBytes));
  const kind = fileKind(head);
  if (kind?.mediaType === undefined) return undefined;
  if (size > maxImageBytes) return `${kind.name} of ${sizeWords(size)}, larger than the 3.5 MB that models are shown`;
  const bytes = await bytesOf(file, size);
  return {
    image: { type: "image", mediaType: kind.mediaType, data: bytes.toString("base64") },
    words: `${kind.name}, ${sizeWords(bytes.length)}`,
  };
};

// From its beginning; less where it has become shorter.
const bytesOf = async (file: FileHandle, size: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
};

/** Reads the images of a command line, in order. Fails with the first that is none. */
export const readImages = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<ImagePart>, BadInput> =>
  Effect.forEach(paths, (path) =>
    Effect.flatMap(
      Effect.tryPromise({
        try: () => readImage(path),
        catch: (error) => new BadInput({ detail: `--image ${path} cannot be read: ${messageOf(error)}` }),
      }),
      (found) =>
        typeof found === "string"
          ? Effect.fail(new BadInput({ detail: `--image ${path} is ${found}` }))
          : Effect.succeed(found.image),
    ),
  );

const readImage = async (path: string): Promise<ImageFile | string> => {
  // Without O_NONBLOCK a named pipe would be waited for.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = await file.stat();
  if (!stats.isFile()) return stats.isDirectory() ? "a folder" : "no regular file";
  return (await imageOf(file, stats.size)) ?? "no PNG, JPEG, GIF or WebP";
};

/** `12 kB` */
const sizeWords = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`;
