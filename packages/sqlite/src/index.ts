export { DatabaseFailed } from "./DatabaseFailed.ts";
export { databaseFailure } from "./databaseFailure.node.ts";
export { type DatabaseKind, type OpenOptions, openDatabase, syncFile } from "./DatabaseFile.node.ts";
export { type FileLock, takeFileLock } from "./FileLock.node.ts";
