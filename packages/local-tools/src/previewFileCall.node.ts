import { type Json, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { applyEdits } from "./applyEdits.node.ts";
import { fileFailure } from "./fileFailure.ts";
import { snapshotOf } from "./internal/fileSnapshot.node.ts";
import { absolutePath } from "./internal/paths.node.ts";
import { realTarget } from "./internal/realTarget.node.ts";
import { statsOf } from "./internal/replaceFile.node.ts";
import { shownPath } from "./internal/shownPath.ts";
import { requireFile } from "./TextFile.node.ts";

/** Larger contents are not compared: nobody reads that before saying yes. */
const maxPreviewBytes = 4 * 1024 * 1024;

/** What a call of `file_write` or `file_edit` would make of a file. */
export interface FilePreview {
  /** As the call names it, harmless for a terminal. */
  readonly path: string;
  /** Undefined: there is no such file yet. */
  readonly before: string | undefined;
  readonly after: string;
}

const Write = Schema.Struct({ path: Schema.String, content: Schema.String });
const Edit = Schema.Struct({
  path: Schema.String,
  edits: Schema.Array(
    Schema.Struct({ old: Schema.String, new: Schema.String, replaceAll: Schema.optionalKey(Schema.Boolean) }),
  ),
});

/**
 * What a call would change, for whoever is asked about it: the content before and after. Changes nothing. Undefined for
 * calls of other tools. Rejects with a `ToolFailed` that says why nothing can be shown: an edit that does not apply, no
 * regular file, more than 4 MB.
 *
 * @example
 * ```ts
 * await previewFileCall({ tool: "file_write", input: { path: "a.txt", content: "x" }, cwd: "/w" })
 * // => { path: "a.txt", before: undefined, after: "x" }
 * ```
 */
export const previewFileCall = async (call: {
  readonly tool: string;
  readonly input: Json;
  readonly cwd: string;
}): Promise<FilePreview | undefined> => {
  const { cwd, input, tool } = call;
  if (tool === "file_write" && Schema.is(Write)(input)) {
    const before = await contentOf(cwd, input.path);
    return previewOf(input.path, before, Buffer.from(input.content));
  }
  if (tool === "file_edit" && Schema.is(Edit)(input)) {
    const before = await contentOf(cwd, input.path);
    const shown = shownPath(input.path);
    if (before === undefined) throw new ToolFailed({ kind: "validation", detail: `${shown}: there is no such file.` });
    return previewOf(input.path, before, applyEdits(before, input.edits, shown).after);
  }
  return undefined;
};

const previewOf = (path: string, before: Buffer | undefined, after: Buffer): FilePreview => {
  if (after.length > maxPreviewBytes) throw tooLarge(shownPath(path), after.length);
  return { path: shownPath(path), before: before?.toString("utf8"), after: after.toString("utf8") };
};

const contentOf = async (cwd: string, path: string): Promise<Buffer | undefined> => {
  const shown = shownPath(path);
  try {
    const target = await realTarget(absolutePath(cwd, path));
    const stats = await statsOf(target);
    if (stats === undefined) return undefined;
    requireFile(stats, shown);
    if (stats.size > maxPreviewBytes) throw tooLarge(shown, stats.size);
    const { bytes } = await snapshotOf(target, shown, maxPreviewBytes);
    if (bytes === undefined) throw tooLarge(shown, stats.size);
    return bytes;
  } catch (error) {
    throw fileFailure(error, shown);
  }
};

const tooLarge = (shown: string, bytes: number): ToolFailed =>
  new ToolFailed({ kind: "failed", detail: `${shown}: ${bytes} bytes are too many to compare.` });
