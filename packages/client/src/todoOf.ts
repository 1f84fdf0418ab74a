import type { Json } from "@kumiko/plugin-api";
import { bounds } from "./bounds.ts";
import type { TodoItem } from "./View.ts";

/**
 * The todo list in the input of a `todo` call (`{ items: [{ text, status }] }`); undefined where it holds none. What is no
 * entry is left out.
 *
 * @example
 * ```ts
 * todoOf({ items: [{ text: "write tests", status: "pending" }] })?.length // => 1
 * ```
 */
export const todoOf = (input: Json): ReadonlyArray<TodoItem> | undefined => {
  const items = fieldOf(input, "items");
  if (!Array.isArray(items)) return undefined;
  return items.slice(0, bounds.todoItems).flatMap((item: unknown): ReadonlyArray<TodoItem> => {
    const text = fieldOf(item, "text");
    const status = fieldOf(item, "status");
    return typeof text === "string" ? [{ text, status: typeof status === "string" ? status : "pending" }] : [];
  });
};

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined;
