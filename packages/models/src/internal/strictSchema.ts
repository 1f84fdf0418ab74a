import { isJsonObject, type Json, type JsonObject } from "@kumiko/plugin-api";
import { isList } from "./wireJson.ts";

/**
 * Whether a schema is one that OpenAI holds a model to exactly: each object closed and each property required. Others
 * are sent as a wish.
 */
export const isStrictSchema = (schema: JsonObject): boolean =>
  objectsIn(schema).every(({ additionalProperties, properties, required }) => {
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    return additionalProperties === false && isList(required) && names.every((name) => required.includes(name));
  });

/** The schema with each object closed that leaves it open whether it is: Anthropic takes no other. */
export const closedSchema = (schema: JsonObject): Record<string, Json> => {
  const closed = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closedIn(value)]));
  return schema["type"] === "object" ? { additionalProperties: false, ...closed } : closed;
};

const closedIn = (value: Json): Json => {
  if (isList(value)) return value.map(closedIn);
  return isJsonObject(value) ? closedSchema(value) : value;
};

const objectsIn = (value: Json): ReadonlyArray<JsonObject> => {
  if (isList(value)) return value.flatMap(objectsIn);
  if (!isJsonObject(value)) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return value["type"] === "object" ? [value, ...inner] : inner;
};
