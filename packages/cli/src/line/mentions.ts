import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { ImagePart } from "@kumiko/plugin-api";
import { type ImageFile, imageOf } from "../imageFile.ts";

/** Larger files are named only: the model reads what it needs of them. */
const mostBytes = 100 * 1024;
const mostMentions = 20;

/** A prompt with what it names. */
export interface Mentioned {
  readonly text: string;
  readonly images: ReadonlyArray<ImagePart>;
  /** What was put in, and what was not, and why. */
  readonly notes: ReadonlyArray<string>;
}

/**
 * Puts the files that a prompt names by `@path` behind it: texts of up to 100 KB, and images. So it does with an image
 * whose path is all there is, as terminals write it where a file is dropped on them. Folders, giants and the like stay a
 * name, which the tools can read; what is not there is left as it is written.
 */
export const withMentions = async (text: string, cwd: string): Promise<Mentioned> => {
  const files: Array<string> = [];
  const images: Array<ImagePart> = [];
  const notes: Array<string> = [];
  const dropped = droppedPath(text);
  const paths = dropped === undefined ? mentionedPaths(text) : [dropped];
  for (const path of paths.slice(0, mostMentions)) {
    const content = await contentOf(path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path));
    if (content.type === "image") {
      images.push(content.file.image);
      notes.push(`${path} is shown to the model (${content.file.words})`);
    }
    // A path alone may be a question about anything.
    if (dropped !== undefined || content.type === "none" || content.type === "image") continue;
    if (content.type === "named") notes.push(`${path} is ${content.why}: its name is given, not its content`);
    else {
      const fence = "`".repeat(Math.max(3, ...Array.from(content.text.matchAll(/`+/g), ([run]) => run.length + 1)));
      files.push(`Content of ${path}:\n${fence}\n${content.text.replace(/\n$/, "")}\n${fence}`);
      notes.push(`${path} is put in (${content.text.split("\n").length} lines)`);
    }
  }
  if (paths.length > mostMentions)
    notes.push(`of the ${paths.length} files that are named, ${mostMentions} are put in`);
  return { text: [text, ...files].join("\n\n"), images, notes };
};

// `@path`, and `@"path with blanks"`.
const mentionedPaths = (text: string): ReadonlyArray<string> => [
  ...new Set(
    Array.from(
      text.matchAll(/(?:^|\s)@(?:"([^"\n]+)"|'([^'\n]+)'|(\S+))/g),
      ([, double, single, bare = ""]) => double ?? single ?? bare.replace(/[,;:!?)]+$/, ""),
    ),
  ),
];

// `/a/b\ c.png`, `'/a/b c.png'`, `file:///a/b%20c.png`
const droppedPath = (text: string): string | undefined => {
  const said = text.trim();
  if (said.length > 4096 || said.includes("\n")) return undefined;
  const quoted = /^(["'])(.+)\1$/.exec(said)?.[2];
  const path = quoted ?? (/^(?:[^\s\\]|\\.)+$/.test(said) ? said.replaceAll(/\\(.)/g, "$1") : undefined);
  if (path?.startsWith("file:///") === true) return decoded(path.slice("file://".length));
  return path !== undefined && /^~?\/./.test(path) ? path : undefined;
};

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path);
  } catch {
    // No address of a file after all.
    return undefined;
  }
};

type Content =
  | { readonly type: "none" }
  | { readonly type: "named"; readonly why: string }
  | { readonly type: "image"; readonly file: ImageFile }
  | { readonly type: "text"; readonly text: string };

const contentOf = async (path: string): Promise<Content> => {
  try {
    // Without O_NONBLOCK a named pipe would be waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (stats.isDirectory()) return { type: "named", why: "a folder" };
    if (!stats.isFile()) return { type: "named", why: "no regular file" };
    const image = await imageOf(file, stats.size);
    if (image !== undefined)
      return typeof image === "string" ? { type: "named", why: image } : { type: "image", file: image };
    if (stats.size > mostBytes) return { type: "named", why: "larger than 100 KB" };
    const buffer = Buffer.alloc(mostBytes + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > mostBytes) return { type: "named", why: "larger than 100 KB" };
    const text = new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, bytesRead));
    return text.includes("\0") ? { type: "named", why: "no text" } : { type: "text", text };
  } catch (error) {
    if (error instanceof TypeError) return { type: "named", why: "no UTF-8 text" };
    if (error instanceof Error && "code" in error && error.code === "EACCES")
      return { type: "named", why: "not readable" };
    return { type: "none" };
  }
};
