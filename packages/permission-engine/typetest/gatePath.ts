// What must not compile: no way around the gate. Each @ts-expect-error is a test: `npm run typecheck` fails when the
// line below it compiles.
import {
  type AdmittedCall,
  type Decision,
  defineTool,
  type InspectedCall,
  type ProposedCall,
  type Tool,
  type ToolContext,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { decideCommand, permissionEngine } from "../src/index.ts";

declare const context: ToolContext;
declare const proposed: ProposedCall;
declare const decision: Decision;
declare const inspected: InspectedCall;
declare const admitted: AdmittedCall;

// @ts-expect-error a decision, even one that allows, is no admission
inspected.execute(decision, context);

// @ts-expect-error a proposed call is not yet admitted
inspected.execute(proposed, context);

// @ts-expect-error nor is a proposed call with its decision
inspected.execute({ ...proposed, decision }, context);

// @ts-expect-error what the engine says of a command admits nothing
inspected.execute(decideCommand("ls", { allow: ["ls"], deny: [], cwd: "/", home: "/" }), context);

// @ts-expect-error the input of an admitted call stays what was decided on
admitted.input = { path: "elsewhere" };

// @ts-expect-error and so does the decision
admitted.decision = decision;

// @ts-expect-error an admitted call cannot be put together of its fields
export const copied: AdmittedCall = { id: admitted.id, name: "other", input: admitted.input, decision };

// A tool made by hand, as a third party would, is given the admitted call, and cannot ask for less.
export const byHand: Tool = {
  name: "hand",
  description: "-",
  inputSchema: { type: "object" },
  cacheable: false,
  timeoutMillis: 1_000,
  inspect: () =>
    // @ts-expect-error an execution that takes another call than the kernel's does not fit
    Result.succeed({
      risk: "read",
      resources: [],
      execute: (call: { readonly id: number }) => Effect.succeed({ text: String(call.id) }),
    }),
};

const tool = defineTool({ name: "t", description: "-", input: Schema.Struct({}), execute: () => "" });

// @ts-expect-error a tool has no execution but the one behind its inspection
void tool.run;

// @ts-expect-error the engine takes no rule that lifts the fixed ones
permissionEngine({ hardBlocks: false });

// @ts-expect-error there is no mode without them
permissionEngine({ mode: "off" });
