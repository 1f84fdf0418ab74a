import type { AdmittedCall } from "../AdmittedCall.ts";
import type { Decision } from "../Decision.ts";
import { mint } from "../internal/mintedCalls.ts";
import type { Json } from "../Json.ts";

/**
 * The admitted form of a call, for tests of a tool alone: as if a gate had allowed it. Good for one execution.
 *
 * @example
 * ```ts
 * admittedForTest("file_read", { path: "a" }).name // => "file_read"
 * ```
 */
export const admittedForTest = (name: string, input: Json, decision: Partial<Decision> = {}): AdmittedCall =>
  mint({
    id: "call",
    name,
    input,
    decision: {
      verdict: "allow",
      layer: "default",
      reason: "a test",
      risk: "read",
      resources: [],
      effects: [],
      ...decision,
    },
  });
