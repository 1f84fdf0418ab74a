import type { Decision } from "./Decision.ts";
import type { Json } from "./Json.ts";

declare const admitted: unique symbol;

/**
 * A tool call that passed admission: the only thing a tool's execution accepts, once. Nothing but the kernel's admission
 * can construct one (the brand is not exported), and a tool made by `defineTool` checks at run time that it did.
 */
export interface AdmittedCall {
  readonly [admitted]: true;
  readonly id: string;
  readonly name: string;
  /** The final input: what rules and user saw. */
  readonly input: Json;
  readonly decision: Decision;
}
