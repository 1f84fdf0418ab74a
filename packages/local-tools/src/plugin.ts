import { definePlugin, type Tool, Tools, WorkspaceRoot } from "@kumiko/plugin-api";
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
import { clipboardTool } from "./clipboardTool.node.ts";
import { httpTool } from "./httpTool.node.ts";
import { notifyTool } from "./notifyTool.node.ts";
import { todoTool } from "./todoTool.ts";
import { waitForTool } from "./waitForTool.node.ts";
import { workspaceRoot } from "./internal/paths.node.ts";

const names = [
  "file_read",
  "file_write",
  "file_edit",
  "glob",
  "grep",
  "bash",
  "process",
  "http",
  "todo",
  "notify",
  "clipboard",
  "wait_for",
] as const;

const made = (jobs: BackgroundJobs["Service"]): ReadonlyArray<Tool> => [
  fileRead(),
  fileWrite(),
  fileEdit(),
  globTool(),
  grepTool(),
  bashTool({ jobs }),
  processTool(jobs),
  httpTool(),
  todoTool(),
  notifyTool(),
  clipboardTool(),
  waitForTool(jobs),
];

/**
 * The tools of the machine it runs on, and the folder they are for: runs work in it unless the harness says otherwise.
 * The tools have no say in what is allowed: the gate decides that, by the risk and the resources each call declares.
 * What `bash` runs in the background ends with the harness.
 *
 * @example
 * ```ts
 * const plugins = [localTools({ root: "packages/app", without: ["clipboard", "notify"] })]
 * ```
 */
export const localTools = definePlugin({
  name: "local-tools",
  version: "0.1.0",
  api: 1,
  config: Schema.Struct({
    /** The workspace. Default: the folder the process was started in. */
    root: Schema.optionalKey(Schema.String),
    /** Tools that are left out. Default: none. */
    without: Schema.optionalKey(Schema.Array(Schema.Literals(names))),
  }),
  layer: () => BackgroundJobs.layer,
  contributes: ({ root = ".", without = [] }) =>
    Effect.map(BackgroundJobs, (jobs) => [
      WorkspaceRoot.add(workspaceRoot(root)),
      ...made(jobs)
        .filter(({ name }) => !without.some((left) => left === name))
        .map((tool) => Tools.add(tool)),
    ]),
});
