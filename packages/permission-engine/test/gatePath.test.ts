import * as api from "@kumiko/plugin-api";
import { admittedForTest } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import * as engine from "../src/index.ts";

const context = {
  callId: "c",
  runId: "r",
  sessionKey: "s",
  cwd: "/w",
  knownDigest: () => undefined,
  changes: [],
  progress: () => {},
  permits: () => Effect.succeed(false),
};
const ran: Array<string> = [];
const tool = (name: string) =>
  api.defineTool({
    name,
    description: "-",
    input: Schema.Struct({ path: Schema.String }),
    execute: ({ path }) => {
      ran.push(`${name} ${path}`);
      return path;
    },
  });

// What whoever casts types away can do: the brand is not there at run time.
const isAdmitted = (call: object): call is api.AdmittedCall => "decision" in call;
const decision = { verdict: "allow", layer: "default", reason: "", risk: "read", resources: [], effects: [] } as const;

const execute = async (inspected: api.Tool, input: api.Json, call: object): Promise<Exit.Exit<unknown, unknown>> => {
  const found = Result.getOrThrow(inspected.inspect(input, "/w"));
  if (!isAdmitted(call)) throw new TypeError("not admitted");
  return Effect.runPromiseExit(found.execute(call, context));
};

describe("the way to a tool's execution", () => {
  it("is not exported: nothing makes an admitted call, and a tool has nothing but its inspection", () => {
    const names = [...Object.keys(api), ...Object.keys(engine)];
    expect(names.filter((name) => /admitted|mint|execut|forge|bypass|unsafe/i.test(name))).toEqual([]);
    const functions = Object.entries(tool("a")).filter(([, value]) => typeof value === "function");
    expect(functions.map(([name]) => name)).toEqual(["inspect"]);
  });

  it("is closed to every call but the inspected one, before any effect", async () => {
    ran.length = 0;
    const input = { path: "a" };
    const call = { id: "c", name: "a", input, decision };
    const others: ReadonlyArray<readonly [api.Tool, api.Json, object]> = [
      [tool("b"), input, call],
      [tool("a"), { path: "b" }, call],
      [tool("a"), input, { ...call, input: { path: "b" } }],
      [tool("a"), input, { ...call, name: "b" }],
      [tool("a"), input, { ...call, input: { path: "a", more: 1 } }],
      [tool("a"), input, { ...call, input: null }],
      [tool("a"), input, { ...call, name: "A" }],
    ];
    for (const [other, wanted, given] of others) {
      const exit = await execute(other, wanted, given);
      expect([given, Exit.isFailure(exit) && String(exit.cause)]).toEqual([
        given,
        expect.stringMatching(/another call/),
      ]);
    }
    // Not even a call that is right in everything but where it comes from.
    const forged = await execute(tool("a"), input, call);
    expect(Exit.isFailure(forged) && String(forged.cause)).toContain("never admitted");
    expect(ran).toEqual([]);
    expect(Exit.isSuccess(await execute(tool("a"), input, admittedForTest("a", input)))).toBe(true);
    expect(ran).toEqual(["a a"]);
  });

  it("starts at a gate that answers with a decision and nothing that runs", async () => {
    const { layer } = engine.permissionEngine({ allow: ["ls *"], home: "/home/u" });
    if (layer === undefined) throw new Error("the engine has no layer");
    const decided = await Effect.runPromise(
      Effect.flatMap(api.PermissionGate, ({ decide }) =>
        decide({
          id: "c",
          name: "bash",
          input: { command: "ls a" },
          command: "ls a",
          risk: "remote-write",
          resources: [],
          cwd: "/w",
        }),
      ).pipe(Effect.provide(layer)),
    );
    expect(decided.verdict).toBe("allow");
    expect(JSON.parse(JSON.stringify(decided))).toEqual(decided);
  });
});
