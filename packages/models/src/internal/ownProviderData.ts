import { isJsonObject, type Json, type JsonObject } from "@kumiko/plugin-api";

/** What a part holds for this wire format and this model; absent: nothing, or it is another's. */
export const ownProviderData = (data: Json | undefined, format: string, model: string): JsonObject | undefined => {
  const own = isJsonObject(data) ? data[format] : undefined;
  return isJsonObject(own) && own["model"] === model ? own : undefined;
};
