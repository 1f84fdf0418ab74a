import * as Schema from "effect/Schema";
import { ConfigFile } from "./ConfigFile.ts";

/** The JSON Schema (draft 2020-12) of a configuration file, for editors. */
export const configSchema = (): Readonly<Record<string, unknown>> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(ConfigFile, { onExcessProperty: "error" });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Kumiko configuration",
    ...schema,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
};
