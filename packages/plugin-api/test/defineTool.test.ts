import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Result from "effect/Result";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { type AdmittedCall, defineTool, fromJsonSchema, type JsonObject, type Tool, ToolFailed } from "../src/index.ts";
import { admittedForTest } from "../src/testing/index.ts";

const context = {
  callId: "c",
  runId: "r",
  sessionKey: "s",
  cwd: "/work",
  permits: () => Effect.succeed(true),
  knownDigest: () => undefined,
  changes: [],
  progress: () => {},
};
// Only admission makes these; a test of the contract has to say that it is one.
const admitted = (name: string, input: JsonObject): AdmittedCall => admittedForTest(name, input);
const run = (tool: Tool, input: JsonObject) => {
  const inspected = tool.inspect(input, "/work");
  if (Result.isFailure(inspected)) throw inspected.failure;
  return Effect.runPromiseExit(inspected.success.execute(admitted(tool.name, input), context));
};
const problem = (tool: Tool, input: JsonObject | null): string => {
  const inspected = tool.inspect(input, "/work");
  return Result.isFailure(inspected) ? inspected.failure.message : "it fits";
};

const read = defineTool({
  name: "read",
  description: "Reads.",
  input: Schema.Struct({ path: Schema.String, lines: Schema.optionalKey(Schema.Int) }),
  risk: "read",
  cacheable: true,
  resources: ({ path }, cwd) => [{ key: `file:${cwd}/${path}`, mode: "read" }],
  effectKey: ({ path }) => `read ${path}`,
  execute: ({ path }) => `content of ${path}`,
});

describe("defineTool", () => {
  it("describes the input as JSON Schema, without bounds that say nothing", () => {
    expect(read.inputSchema).toMatchObject({
      type: "object",
      properties: { path: { type: "string" }, lines: { type: "integer" } },
      required: ["path"],
    });
    expect(JSON.stringify(read.inputSchema)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(
      defineTool({ name: "now", description: "-", input: Schema.Struct({}), execute: () => "" }).inputSchema,
    ).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  it("says what a call would do before anything runs", () => {
    const inspected = read.inspect({ path: "a" }, "/work");
    expect(Result.isSuccess(inspected) && inspected.success).toMatchObject({
      risk: "read",
      resources: [{ key: "file:/work/a", mode: "read" }],
      effectKey: "read a",
    });
  });

  it("names the field that does not fit", () => {
    expect(problem(read, { path: 1 })).toMatch(/invalid arguments for read: Expected string[^]*"path"/);
    expect(problem(read, {})).toMatch(/Missing key[^]*"path"/);
    expect(problem(read, null)).toContain("invalid arguments for read");
    expect(problem(read, { path: "a", lines: 1.5 })).toContain('"lines"');
  });

  it("says what does not fit on one line, with a plain path", () => {
    const tool = defineTool({
      name: "many",
      description: "-",
      input: Schema.Struct({ files: Schema.Array(Schema.Struct({ "odd name": Schema.String })) }),
      execute: () => "",
    });
    const said = problem(tool, { files: [{ "odd name": "a" }, { "odd name": 5 }] });
    expect(said).toBe('invalid arguments for many: Expected string at "files[1].odd name"');
  });

  it("takes a JSON Schema as it is, and checks against it", async () => {
    const schema = {
      type: "object",
      properties: { key: { type: "string", minLength: 2 }, kind: { $ref: "#/$defs/Kind" } },
      required: ["key"],
      $defs: { Kind: { type: "string", enum: ["a", "b"] } },
    } as const satisfies JsonObject;
    const tool = defineTool({
      name: "get",
      description: "-",
      input: fromJsonSchema(schema),
      execute: (input) => JSON.stringify(input),
    });
    expect(tool.inputSchema).toBe(schema);
    expect(problem(tool, { key: "k" })).toContain('"key"');
    expect(problem(tool, { key: "kk", kind: "c" })).toContain('"kind"');
    const exit = await run(tool, { key: "kk", kind: "a", more: [1] });
    expect(exit).toEqual(Exit.succeed({ text: '{"key":"kk","kind":"a","more":[1]}' }));
  });

  it("turns whatever goes wrong into a ToolFailed", async () => {
    const failing = (execute: () => never | Promise<never> | Effect.Effect<never, ToolFailed>): Tool =>
      defineTool({ name: "bad", description: "-", input: Schema.Struct({}), execute });
    const thrown = failing(() => {
      throw new Error("thrown");
    });
    for (const [tool, text] of [
      [thrown, "thrown"],
      [failing(() => Promise.reject(new Error("rejected"))), "rejected"],
      [failing(() => Effect.fail(new ToolFailed({ kind: "failed", detail: "typed" }))), "typed"],
      [failing(() => Effect.die("died")), "died"],
    ] as const) {
      const exit = await run(tool, {});
      expect(Exit.isFailure(exit) && String(exit.cause)).toContain(text);
      expect(Exit.isFailure(exit) && JSON.stringify(exit.cause)).toContain("ToolFailed");
    }
  });

  it("aborts the signal of an interrupted call", async () => {
    let aborted = false;
    const tool = defineTool({
      name: "wait",
      description: "-",
      input: Schema.Struct({}),
      execute: (_, { signal }) =>
        new Promise<string>(() => {
          signal.addEventListener("abort", () => (aborted = true), { once: true });
        }),
    });
    const inspected = tool.inspect({}, "/");
    if (Result.isFailure(inspected)) throw inspected.failure;
    const timed = Effect.timeout(inspected.success.execute(admitted("wait", {}), context), 10);
    await Effect.runPromiseExit(timed);
    expect(aborted).toBe(true);
  });

  it("runs only the admitted form of the inspected call, whatever the order of its keys", async () => {
    const inspected = read.inspect({ path: "a", lines: 1 }, "/");
    if (Result.isFailure(inspected)) throw inspected.failure;
    const { execute } = inspected.success;
    const same = await Effect.runPromiseExit(execute(admitted("read", { lines: 1, path: "a" }), context));
    expect(Exit.isSuccess(same)).toBe(true);
    for (const call of [admitted("read", { path: "b", lines: 1 }), admitted("write", { path: "a", lines: 1 })]) {
      const other = await Effect.runPromiseExit(execute(call, context));
      expect(Exit.isFailure(other) && String(other.cause)).toContain("another call");
    }
  });

  it("refuses a definition that cannot work", () => {
    const base = { description: "-", execute: () => "" };
    expect(() => defineTool({ ...base, name: "with space", input: Schema.Struct({}) })).toThrow(/1 to 64 letters/);
    expect(() => defineTool({ ...base, name: "x".repeat(65), input: Schema.Struct({}) })).toThrow(/1 to 64/);
    expect(() => defineTool({ ...base, name: "list", input: Schema.Array(Schema.String) })).toThrow(
      /must be an object/,
    );
    expect(() => defineTool({ ...base, name: "w", input: Schema.Struct({}), cacheable: true })).toThrow(/risk "read"/);
  });
});
