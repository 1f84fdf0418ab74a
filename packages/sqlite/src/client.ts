export { type ClientOptions, layerSqliteClient } from "./layerSqliteClient.node.ts";
