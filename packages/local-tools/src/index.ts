export { auditFiles, auditLog } from "./auditLog.node.ts";
export { BackgroundJobs, type Job, type JobStart, makeBackgroundJobs } from "./BackgroundJobs.node.ts";
export { bashTool, type BashOptions } from "./bashTool.node.ts";
export { clipboardTool } from "./clipboardTool.node.ts";
export { contextFiles } from "./contextFiles.node.ts";
export { type FileKind, fileKind, maxImageBytes } from "./FileKind.ts";
export { fileEdit } from "./fileEdit.node.ts";
export { fileRead } from "./fileRead.node.ts";
export { fileWrite } from "./fileWrite.node.ts";
export { globTool } from "./globTool.node.ts";
export { type GrepOptions, grepTool } from "./grepTool.node.ts";
export { httpTool } from "./httpTool.node.ts";
export { type FilePreview, previewFileCall } from "./previewFileCall.node.ts";
export { localTools } from "./plugin.ts";
export { makeFolder } from "./makeFolder.node.ts";
export { notifyTool, type NotifyOptions } from "./notifyTool.node.ts";
export { processTool } from "./processTool.node.ts";
export { type FileRestoration, restoreStep, type RestoreStep } from "./RestorePlan.ts";
export { previewRestore, type RestoredFile, restoreFiles } from "./restoreFiles.node.ts";
export {
  type SessionHit,
  type SessionHits,
  type SessionSearch,
  type SessionSearchOptions,
  sessionSearchTool,
} from "./sessionSearchTool.ts";
export { Todo, todosOf, todoText, todoTool } from "./todoTool.ts";
export { waitForTool } from "./waitForTool.node.ts";
