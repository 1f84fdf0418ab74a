import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AdmittedCall,
  type Json,
  type Tool,
  type ToolContext,
  type ToolFailed,
  type ToolOutput,
} from "@kumiko/plugin-api";
import * as Effect from "effect/Effect";
import * as Result from "effect/Result";

/** What a gate would say of a call; these tests are about what comes after it. */
const decision = { verdict: "allow", layer: "default", reason: "", risk: "read", resources: [], effects: [] } as const;

// Only the kernel admits calls; a test of a tool alone stands in for it.
const isAdmitted = (call: object): call is AdmittedCall => "decision" in call;

/** The effect of one call of a tool, as the kernel would run it. */
export const callOf = (tool: Tool, input: Json, cwd: string): Effect.Effect<ToolOutput, ToolFailed> => {
  const inspected = Result.getOrThrow(tool.inspect(input, cwd));
  const call = { id: "call", name: tool.name, input, decision };
  const permits: ToolContext["permits"] = ({ key }) => Effect.succeed(!key.includes("forbidden"));
  const context: ToolContext = {
    callId: "call",
    runId: "run",
    sessionKey: "session",
    cwd,
    permits,
    knownDigest: () => undefined,
    changes: [],
    progress: () => undefined,
  };
  return isAdmitted(call) ? inspected.execute(call, context) : Effect.die("not admitted");
};

export const run = async (tool: Tool, input: Json, cwd: string): Promise<string> =>
  (await Effect.runPromise(callOf(tool, input, cwd))).text;

export const failureOf = (tool: Tool, input: Json, cwd: string): Promise<ToolFailed> =>
  Effect.runPromise(Effect.flip(callOf(tool, input, cwd)));

/** A folder of its own for a test, gone afterwards. */
export interface TempFolder extends AsyncDisposable {
  readonly path: string;
  readonly at: (...names: ReadonlyArray<string>) => string;
}

export const tempFolder = async (): Promise<TempFolder> => {
  const path = await mkdtemp(join(tmpdir(), "kumiko-tools-"));
  return {
    path,
    at: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
};
