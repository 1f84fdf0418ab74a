import * as Effect from "effect/Effect";
import * as Schema from "effect/Schema";
import { describe, expect, it } from "vitest";
import { definePlugin, defineTool, PluginFailed, Tools } from "../src/index.ts";

const greeter = definePlugin({
  name: "greeter",
  version: "1.2.3",
  api: 1,
  config: Schema.Struct({ greeting: Schema.optionalKey(Schema.String), times: Schema.optionalKey(Schema.Int) }),
  contributes: ({ greeting = "Hello" }) => [
    Tools.add(defineTool({ name: "greet", description: greeting, input: Schema.Struct({}), execute: () => greeting })),
  ],
});

describe("definePlugin", () => {
  it("is a function from settings to a part of a harness", async () => {
    const plugin = greeter({ greeting: "Servus" });
    expect(plugin).toMatchObject({ name: "greeter", version: "1.2.3", api: 1 });
    const tools = Tools.valuesIn(await Effect.runPromise(plugin.contributions));
    expect(tools.map(({ description }) => description)).toEqual(["Servus"]);
  });

  it("works without settings where all have defaults", async () => {
    const tools = Tools.valuesIn(await Effect.runPromise(greeter().contributions));
    expect(tools[0]?.description).toBe("Hello");
  });

  it("refuses settings that do not fit at the call, with the field and the plugin", () => {
    expect(() => greeter({ greeting: 5 as never })).toThrow(PluginFailed);
    expect(() => greeter({ greeting: 5 as never })).toThrow(/plugin greeter: its settings do not fit[^]*"greeting"/);
    expect(() => greeter({ greting: "typo" } as never)).toThrow(/"greting"/);
  });
});
