export { layerSqlite, type SqliteOptions } from "./sqlite/layerSqlite.node.ts";
export { type SessionFiles, sessionFiles } from "./sqlite/SessionFiles.node.ts";
