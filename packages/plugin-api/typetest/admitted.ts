// What must not compile. Each @ts-expect-error is a test: `npm run typecheck` fails when the line below it compiles.
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { type AdmittedCall, defineTool, type Decision, type ToolContext } from "../src/index.ts";

declare const context: ToolContext;
declare const decision: Decision;

const tool = defineTool({
  name: "write",
  description: "-",
  input: Schema.Struct({ path: Schema.String }),
  execute: ({ path }) => path,
});

// @ts-expect-error nobody outside of admission can write an AdmittedCall
export const forged: AdmittedCall = { id: "c", name: "write", input: { path: "a" }, decision };

const inspected = tool.inspect({ path: "a" }, "/");
if (Result.isSuccess(inspected)) {
  // @ts-expect-error a plain call is no AdmittedCall
  inspected.success.execute({ id: "c", name: "write", input: { path: "a" }, decision }, context);
}

// @ts-expect-error a tool has no way to run that skips inspection
void tool.execute;

defineTool({
  name: "typed",
  description: "-",
  input: Schema.Struct({ path: Schema.String }),
  // @ts-expect-error the input is typed by the schema
  execute: ({ file }) => String(file),
});
