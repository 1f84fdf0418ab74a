import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import * as SchemaRepresentation from "effect/SchemaRepresentation";
import { isJsonObject, type JsonObject } from "./Json.ts";

const imported = new WeakMap<object, JsonObject>();

/**
 * An Effect Schema of a JSON Schema (draft 2020-12), for tools that are described by one. Values are checked against it
 * and kept as they are. Throws when the schema uses a keyword that cannot be checked, naming it.
 *
 * @example
 * ```ts
 * const input = fromJsonSchema({ type: "object", properties: { key: { type: "string" } }, required: ["key"] })
 * Schema.decodeUnknownSync(input)({ key: "a" }) // => { key: "a" }
 * ```
 */
export const fromJsonSchema = (source: JsonObject): Schema.Decoder<JsonObject> => {
  const { $defs, ...schema } = source;
  const definitions = Object.entries(isJsonObject($defs) ? $defs : {}).flatMap(([name, value]) =>
    isJsonObject(value) ? [[name, value] as const] : [],
  );
  const document = { dialect: "draft-2020-12", schema, definitions: Object.fromEntries(definitions) } as const;
  const check = Schema.decodeUnknownResult(
    Schema.toType(SchemaRepresentation.fromJsonSchemaDocument(document, { patterns: "apply" })),
  );
  const decoder = Schema.declare(isJsonObject).check(
    Schema.makeFilter((value) => {
      const result = check(value);
      return Result.isFailure(result) ? result.failure.message : undefined;
    }),
  );
  imported.set(decoder, source);
  return decoder;
};

/** The JSON Schema a model is shown for a tool's input: of an imported one, the original. */
export const jsonSchemaOf = (schema: Schema.Constraint & object): JsonObject => {
  const source = imported.get(schema);
  if (source !== undefined) return source;
  // The schema of a struct without fields stands for "any object or array"; as a tool's input it means no arguments.
  if ("fields" in schema && isJsonObject(schema.fields) && Object.keys(schema.fields).length === 0)
    return { type: "object", properties: {}, additionalProperties: false };
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" });
  const hasDefinitions = Object.keys(document.definitions).length > 0;
  const json: unknown = JSON.parse(
    JSON.stringify(
      hasDefinitions ? { ...document.schema, $defs: document.definitions } : document.schema,
      withoutSafeIntegerBounds,
    ),
  );
  return isJsonObject(json) ? json : {};
};

// Every integer field would carry two 16-digit bounds, which cost tokens and tell a model nothing.
const withoutSafeIntegerBounds = (key: string, value: unknown): unknown =>
  (key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
    ? undefined
    : value;
