import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Result from "effect/Result";
import type { Contribution } from "../ExtensionPoint.ts";
import { canonicalJson, type Json } from "../Json.ts";
import { type Plugin, pluginApiVersion, type PluginFailed } from "../Plugin.ts";
import { Tools } from "../points.ts";
import type { Tool } from "../Tool.ts";
import { type ConformanceCheck, conformanceCheck, type Expect } from "./ConformanceCheck.ts";

/**
 * The checks every plugin passes: its name, version and API; its layer builds; its contributions evaluate, are the same
 * when it is built again, and its tools are well described and survive any input. `requires` gives what the plugin needs
 * from others; `Layer.empty` where it needs nothing.
 *
 * @example
 * ```ts
 * registerConformance(it, pluginConformance(() => myPlugin(), Layer.empty))
 * ```
 */
export const pluginConformance = <Provides, Requires>(
  make: () => Plugin<string, Provides, Requires>,
  requires: Layer.Layer<Requires, PluginFailed>,
): ReadonlyArray<ConformanceCheck> => {
  const contributions = Effect.suspend(() => contributionsOf(make(), requires));
  const evaluated = (
    name: string,
    then: (found: ReadonlyArray<Contribution>, expect: Expect) => ReturnType<Expect>,
  ): ConformanceCheck =>
    conformanceCheck(name, (expect) =>
      Effect.gen(function* () {
        const result = yield* Effect.result(contributions);
        if (Result.isFailure(result)) return yield* expect(false, result.failure.message);
        return yield* then(result.success, expect);
      }),
    );
  return [
    conformanceCheck("has a name, a version and this API", (expect) =>
      Effect.gen(function* () {
        const { name, version, api } = make();
        yield* expect(
          /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name),
          `its name is ${JSON.stringify(name)}: use kebab-case`,
        );
        yield* expect(/^\d+\.\d+\.\d+/.test(version), `its version is ${JSON.stringify(version)}: use 1.2.3`);
        yield* expect(api === pluginApiVersion, `its api is ${String(api)}`);
      }),
    ),
    evaluated("builds and contributes", () => Effect.void),
    evaluated("contributes the same when built again", (found, expect) =>
      Effect.gen(function* () {
        const again = yield* Effect.result(contributions);
        const isSame = Result.isSuccess(again) && outlineOf(again.success) === outlineOf(found);
        yield* expect(isSame, "a second instance contributes something else");
      }),
    ),
    evaluated("describes its tools", (found, expect) =>
      Effect.gen(function* () {
        const tools = Tools.valuesIn(found);
        const names = new Set(tools.map(({ name }) => name));
        yield* expect(names.size === tools.length, "two tools have one name");
        for (const { name, description, inputSchema, timeoutMillis } of tools) {
          yield* expect(description.trim() !== "", `tool ${name} has no description`);
          yield* expect(inputSchema["type"] === "object", `the input of tool ${name} is no object`);
          yield* expect(timeoutMillis > 0, `tool ${name} has no time to run`);
        }
      }),
    ),
    evaluated("has tools that survive any input", (found, expect) =>
      Effect.gen(function* () {
        for (const tool of Tools.valuesIn(found))
          for (const input of hostileInputs) yield* expect(isInspectionStable(tool, input), unstable(tool, input));
      }),
    ),
  ];
};

const contributionsOf = <Provides, Requires>(
  plugin: Plugin<string, Provides, Requires>,
  requires: Layer.Layer<Requires, PluginFailed>,
): Effect.Effect<ReadonlyArray<Contribution>, PluginFailed> => {
  // A plugin without a layer provides nothing, whatever its type says.
  const own = plugin.layer ?? Layer.succeedContext(Context.makeUnsafe<Provides>(new Map()));
  return Effect.scoped(
    Effect.flatMap(Layer.build(Layer.provideMerge(own, requires)), (context) =>
      Effect.provideContext(plugin.contributions, context),
    ),
  );
};

const outlineOf = (contributions: ReadonlyArray<Contribution>): string =>
  canonicalJson([
    ...contributions.map(({ point, priority }) => ({ point, priority })),
    ...Tools.valuesIn(contributions).map(({ name, description, inputSchema, cacheable, timeoutMillis }) => ({
      name,
      description,
      inputSchema,
      cacheable,
      timeoutMillis,
    })),
  ]);

// Deep enough to be rude, short enough to be quick.
const deep = (levels: number): Json => (levels === 0 ? 1 : { path: [deep(levels - 1)] });
const hostileInputs: ReadonlyArray<Json> = [
  null,
  [],
  {},
  "text",
  -1,
  true,
  { path: null, pattern: 7, command: [] },
  { path: "\u0000\ud800../..", pattern: "(", command: "\u0000", content: "\ud800" },
  deep(50),
];

// Inspecting is pure: it never throws, and says the same twice.
const isInspectionStable = (tool: Tool, input: Json): boolean => {
  try {
    return inspected(tool, input) === inspected(tool, input);
  } catch {
    return false;
  }
};

const inspected = (tool: Tool, input: Json): string => {
  const result = tool.inspect(input, "/project");
  if (Result.isFailure(result)) return result.failure.message;
  const { risk, resources, command = null, effectKey = null } = result.success;
  return canonicalJson({ risk, resources, command, effectKey });
};

const unstable = (tool: Tool, input: Json): string =>
  `tool ${tool.name} throws or changes its mind when it inspects ${canonicalJson(input).slice(0, 100)}`;
