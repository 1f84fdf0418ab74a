import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Larger files are named only: the model reads what it needs of them. */
const mostBytes = 100 * 1024;
const mostMentions = 20;

/** A prompt with what it names. */
export interface Mentioned {
  readonly text: string;
  /** What was put in, and what was not, and why. */
  readonly notes: ReadonlyArray<string>;
}

/**
 * Puts the files that a prompt names by `@path` behind it. What is no text of up to 100 KB (images, folders, giants) stays
 * a name, which the tools can read; what is not there is left as it is written.
 */
export const withMentions = async (text: string, cwd: string): Promise<Mentioned> => {
  const paths = [
    ...new Set(Array.from(text.matchAll(/(?:^|\s)@(\S+)/g), ([, path = ""]) => path.replace(/[,;:!?)]+$/, ""))),
  ];
  const files: Array<string> = [];
  const notes: Array<string> = [];
  for (const path of paths.slice(0, mostMentions)) {
    const content = await contentOf(path.startsWith("~/") ? join(homedir(), path.slice(2)) : resolve(cwd, path));
    if (content.type === "none") continue;
    if (content.type === "named") notes.push(`${path} is ${content.why}: its name is given, not its content`);
    else {
      const fence = "`".repeat(Math.max(3, ...Array.from(content.text.matchAll(/`+/g), ([run]) => run.length + 1)));
      files.push(`Content of ${path}:\n${fence}\n${content.text.replace(/\n$/, "")}\n${fence}`);
      notes.push(`${path} is put in (${content.text.split("\n").length} lines)`);
    }
  }
  return { text: [text, ...files].join("\n\n"), notes };
};

type Content =
  | { readonly type: "none" }
  | { readonly type: "named"; readonly why: string }
  | { readonly type: "text"; readonly text: string };

const contentOf = async (path: string): Promise<Content> => {
  try {
    // Without O_NONBLOCK a named pipe would be waited for.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await file.stat();
    if (stats.isDirectory()) return { type: "named", why: "a folder" };
    if (!stats.isFile()) return { type: "named", why: "no regular file" };
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
