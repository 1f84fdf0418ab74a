export { auditLog } from "./auditLog.node.ts";
export { contextFiles } from "./contextFiles.node.ts";
export { fileEdit } from "./fileEdit.node.ts";
export { fileRead } from "./fileRead.node.ts";
export { fileWrite } from "./fileWrite.node.ts";
export { globTool } from "./globTool.node.ts";
export { grepTool } from "./grepTool.node.ts";
export { localTools } from "./plugin.ts";
