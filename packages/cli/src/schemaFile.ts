import { fileURLToPath } from "node:url";

/** The JSON Schema of configuration files, which the package ships. */
export const schemaFile = fileURLToPath(new URL("../config.schema.json", import.meta.url));
