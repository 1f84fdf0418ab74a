import type { Answer } from "@kumiko/runtime-api";

/** What a question counts as answered with when its time is over. */
export const expired: Answer = { type: "deny", reason: "nobody answered in time" };
