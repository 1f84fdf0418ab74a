import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { Decision, Resource, Risk } from "./Decision.ts";
import type { Json } from "./Json.ts";

/** A call whose arguments fit, before anything decided about it. */
export interface ProposedCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly risk: Risk;
  readonly resources: ReadonlyArray<Resource>;
  readonly command?: string;
  /** Absolute path of the folder the run works in: relative paths start there. */
  readonly cwd: string;
}

/**
 * The gate: decides about every call before it can run.
 *
 * **Contract.** Never fails and never allows what it doubts: what cannot be understood is at least `ask`. The same call
 * and the same files give the same decision. `hard-block` and `deny` are final; `ask` is put to the user.
 */
export class PermissionGate extends Context.Service<
  PermissionGate,
  { readonly decide: (call: ProposedCall) => Effect.Effect<Decision> }
>()("@kumiko/plugin-api/PermissionGate") {}
