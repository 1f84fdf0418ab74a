import type { JournalRecord } from "@kumiko/runtime-api";

/** A field of a record's body, or of what is in it; undefined where there is none. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Reflect.get(value, name) : undefined;

/** What kind of event a record holds; undefined for intents. */
export const eventOf = ({ body, kind }: JournalRecord): unknown => (kind === "event" ? field(body, "type") : undefined);
