import { hash } from "node:crypto";
import { resolve } from "node:path";
import { defineTool, type Tool, type ToolContext } from "@kumiko/plugin-api";
import * as Schema from "effect/Schema";
import { fileChanging } from "./internal/fileChanging.node.ts";
import { type FilePlan, planFile } from "./internal/FilePlan.node.ts";
import { maxKeptBytes } from "./internal/fileSnapshot.node.ts";
import { fileResource } from "./internal/paths.node.ts";

const Input = Schema.Struct({
  path: Schema.String.annotate({ description: "File, relative to the working folder or absolute." }),
  content: Schema.String.annotate({ description: "The whole new content." }),
});

/**
 * The tool `file_write`; relative paths start at the run's folder. A file that the session has not read, or that changed
 * since, is not replaced. After a crash it is found out from the file whether the call was carried out.
 */
export const fileWrite = (): Tool =>
  defineTool({
    name: "file_write",
    description:
      "Writes a whole text file (UTF-8), replacing what it held; read an existing file with file_read first. Creates " +
      "missing folders. The file is replaced at once: readers see the old content or the new. Keeps the mode of an " +
      "existing file and writes through symbolic links. Says whether it created or replaced the file.",
    input: Input,
    risk: "local-write",
    resources: ({ path }, cwd) => [fileResource(cwd, path, "write")],
    effectKey: ({ path, content }, cwd) => `write:${resolve(cwd, path)}:${hash("sha256", content)}`,
    ...fileChanging(plan),
  });

const plan = ({ content, path }: typeof Input.Type, context: ToolContext): Promise<FilePlan> =>
  planFile(path, context, maxKeptBytes, (before, shown) => {
    const after = Buffer.from(content, "utf8");
    return {
      after,
      text:
        before === undefined
          ? `created ${shown} (${after.length} bytes)`
          : `replaced ${shown} (${after.length} bytes, before: ${before.state.sizeBytes} bytes)`,
    };
  });
