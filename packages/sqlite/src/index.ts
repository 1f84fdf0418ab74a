export { DatabaseFailed } from "./DatabaseFailed.ts";
export { databaseFailure } from "./databaseFailure.node.ts";
export { type DatabaseKind, type OpenOptions, openDatabase } from "./DatabaseFile.node.ts";
export { type FileLock, takeFileLock } from "./FileLock.node.ts";
