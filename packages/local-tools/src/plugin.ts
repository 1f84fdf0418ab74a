import { definePlugin, Tools, WorkspaceRoot } from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { BackgroundJobs } from "./BackgroundJobs.node.ts";
import { bashTool } from "./bashTool.node.ts";
import { fileEdit } from "./fileEdit.node.ts";
import { fileRead } from "./fileRead.node.ts";
import { fileWrite } from "./fileWrite.node.ts";
import { globTool } from "./globTool.node.ts";
import { grepTool } from "./grepTool.node.ts";
import { processTool } from "./processTool.node.ts";
import { workspaceRoot } from "./internal/paths.node.ts";

/**
 * The tools `file_read`, `file_write`, `file_edit`, `glob`, `grep` and `bash`, and the folder they are for: runs work in it unless the harness
 * says otherwise. The tools have no say in what is allowed: the gate decides that, by the risk and the resources each
 * call declares.
 *
 * @example
 * ```ts
 * const plugins = [localTools({ root: "packages/app" })]
 * ```
 */
export const localTools = definePlugin({
  name: "local-tools",
  version: "0.1.0",
  api: 1,
  config: Schema.Struct({
    /** The workspace. Default: the folder the process was started in. */
    root: Schema.optionalKey(Schema.String),
  }),
  layer: () => BackgroundJobs.layer,
  contributes: ({ root = "." }) =>
    Effect.map(BackgroundJobs, (jobs) => [
      WorkspaceRoot.add(workspaceRoot(root)),
      ...[fileRead(), fileWrite(), fileEdit(), globTool(), grepTool(), bashTool({ jobs }), processTool(jobs)].map(
        (tool) => Tools.add(tool),
      ),
    ]),
});
