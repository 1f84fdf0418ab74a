export { layerSqlite, type SqliteOptions } from "./sqlite/layerSqlite.node.ts";
