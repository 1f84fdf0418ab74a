import * as Schema from "effect/Schema";

/** Any value that survives `JSON.parse(JSON.stringify(value))`. All durable data is made of it. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json };

/** Schema of {@link Json}. */
export const Json: Schema.Codec<Json> = Schema.suspend(() =>
  Schema.Union([
    Schema.Null,
    Schema.Boolean,
    Schema.Finite,
    Schema.String,
    Schema.Array(Json),
    Schema.Record(Schema.String, Json),
  ]),
);

/** A JSON object: what tools take as input. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * Canonical JSON text: object keys sorted, no white space. Two inputs that mean the same have the same text, whatever
 * the order their keys came in.
 *
 * @example
 * ```ts
 * canonicalJson({ b: 1, a: [2, { d: 3, c: 4 }] }) // => '{"a":[2,{"c":4,"d":3}],"b":1}'
 * ```
 */
export const canonicalJson = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = Object.keys(value)
    .toSorted()
    .flatMap((key) => {
      const field = value[key];
      return field === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(field)}`];
    });
  return `{${fields.join(",")}}`;
};

const isArray = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value);

/** Whether a value is a plain JSON object, judged by its outside only: what `JSON.parse` gave is JSON all the way down. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Nesting of JSON that is worked with; deeper values would overflow the stack of whoever walks them. */
export const maxJsonDepth = 200;

/** Whether a value is nested deeper than {@link maxJsonDepth}. */
export const isTooDeep = (value: unknown, left: number = maxJsonDepth): boolean => {
  if (typeof value !== "object" || value === null) return false;
  if (left === 0) return true;
  for (const inner of Object.values(value)) if (isTooDeep(inner, left - 1)) return true;
  return false;
};

/** A copy that nobody can change, all the way down. For values within {@link maxJsonDepth}. */
export const frozenCopy = (value: Json): Json => {
  if (value === null || typeof value !== "object") return value;
  if (isArray(value)) return Object.freeze(value.map(frozenCopy));
  const copy: Record<string, Json> = {};
  // defineProperty, because a key may be `__proto__`.
  for (const [key, inner] of Object.entries(value))
    Object.defineProperty(copy, key, { value: frozenCopy(inner), enumerable: true });
  return Object.freeze(copy);
};
