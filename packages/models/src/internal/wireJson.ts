import { isJsonObject, type Json, type JsonObject } from "@kumiko/plugin-api";

export const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value);

/** A text field; anything else is empty. */
export const textIn = (object: JsonObject, key: string): string => {
  const value = object[key];
  return typeof value === "string" ? value : "";
};

/** An object field; anything else is an empty object. */
export const objectIn = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isJsonObject(value) ? value : {};
};

/** More tokens than any call has. */
const mostTokens = 1_000_000_000;

/** A field that counts tokens; anything else is absent. */
export const countIn = (object: JsonObject, key: string): number | undefined => {
  const value = object[key];
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= mostTokens ? value : undefined;
};

/** The JSON object that a text is; anything else is absent. */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The objects in a field that is a list; none where it is something else. */
export const objectsIn = (object: JsonObject, key: string): ReadonlyArray<JsonObject> => {
  const list = object[key];
  return isList(list) ? list.filter(isJsonObject) : [];
};
