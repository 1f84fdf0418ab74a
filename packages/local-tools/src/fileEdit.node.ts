import { hash } from "node:crypto";
import { resolve } from "node:path";
import { defineTool, type Tool, type ToolContext, ToolFailed } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { applyEdits } from "./applyEdits.node.ts";
import { fileChanging } from "./internal/fileChanging.node.ts";
import { count } from "./internal/count.ts";
import { type FilePlan, planFile } from "./internal/FilePlan.node.ts";
import { maxKnownBytes } from "./internal/fileSnapshot.node.ts";
import { fileResource } from "./internal/paths.node.ts";

/** Workload: a rename across a long file takes some ten. Symptom when it binds: the call is refused; split it in two. */
const maxEdits = 100;

const Input = Schema.Struct({
  path: Schema.String.annotate({ description: "File, relative to the working folder or absolute." }),
  edits: Schema.Array(
    Schema.Struct({
      old: Schema.String.check(Schema.isMinLength(1)).annotate({
        description: "Text that stands in the file, exactly.",
      }),
      new: Schema.String.annotate({ description: "Text that comes in its place; may be empty." }),
      replaceAll: Schema.optionalKey(Schema.Boolean.annotate({ description: "Replace every place. Default false." })),
    }),
  )
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxEdits))
    .annotate({ description: "Applied in order, each to what the ones before it made; all or none." }),
});

/**
 * The tool `file_edit`; relative paths start at the run's folder. Replaces exact texts in a UTF-8 file of up to 64 MB that
 * the session has read; says what comes nearest where a text is not there. After a crash it is found out from the file
 * whether the call was carried out.
 */
export const fileEdit = (): Tool =>
  defineTool({
    name: "file_edit",
    description:
      "Replaces texts in a UTF-8 file that was read with file_read. Each old must stand in the file exactly once, unless " +
      "replaceAll is set; leave out the line numbers that file_read shows. Several edits are one step: all or none. " +
      "Keeps mode, line ends and the final line break. Shows what changed.",
    input: Input,
    risk: "local-write",
    resources: ({ path }, cwd) => [fileResource(cwd, path, "write")],
    effectKey: ({ path, edits }, cwd) => `edit:${resolve(cwd, path)}:${hash("sha256", JSON.stringify(edits))}`,
    ...fileChanging(plan),
  });

const plan = ({ edits, path }: typeof Input.Type, context: ToolContext): Promise<FilePlan> =>
  planFile(path, context, maxKnownBytes, (before, shown) => {
    if (before?.bytes === undefined)
      throw new ToolFailed({
        kind: "validation",
        detail: `${shown}: ${before === undefined ? "there is no such file" : `it has ${before.state.sizeBytes} bytes; ${maxKnownBytes} is the most`}.`,
        hint: before === undefined ? "Use file_write to make one, glob to see what there is." : "Use a command.",
      });
    const { after, places, summary } = applyEdits(before.bytes, edits, shown);
    const sizes = `${before.bytes.length} → ${after.length} bytes`;
    return { after, text: `edited ${shown}: ${count(places, "place")} (${sizes})\n${summary}` };
  });
