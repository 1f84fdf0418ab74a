import { join } from "node:path";
import { Tools, WorkspaceRoot } from "@kumiko/plugin-api";
import { pluginConformance, registerConformance } from "@kumiko/plugin-api/testing";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { describe, expect, it } from "vitest";
import { BackgroundJobs } from "../src/BackgroundJobs.node.ts";
import { localTools } from "../src/plugin.ts";

const contributionsOf = (plugin: ReturnType<typeof localTools>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(Layer.build(plugin.layer ?? BackgroundJobs.layer), (services) =>
        Effect.provideContext(plugin.contributions, services),
      ),
    ),
  );

describe("localTools", () => {
  registerConformance(
    it,
    pluginConformance(() => localTools(), Layer.empty),
  );

  it("contributes its tools, with names and risks that do not change unnoticed", async () => {
    const tools = Tools.valuesIn(await contributionsOf(localTools({ root: "x" })));
    expect(tools.map(({ name, cacheable }) => [name, cacheable])).toEqual([
      ["file_read", true],
      ["file_write", false],
      ["file_edit", false],
      ["glob", true],
      ["grep", true],
      ["bash", false],
      ["process", false],
      ["http", false],
      ["todo", false],
      ["notify", false],
      ["clipboard", false],
      ["wait_for", false],
    ]);
    // A model reads these on every call.
    for (const { description, inputSchema } of tools) {
      expect(description.length).toBeLessThan(400);
      expect(JSON.stringify(inputSchema).length).toBeLessThan(1000);
    }
  });

  it("leaves out the tools it is told to", async () => {
    const tools = Tools.valuesIn(await contributionsOf(localTools({ without: ["bash", "clipboard"] })));
    expect(tools.map(({ name }) => name)).not.toContain("bash");
    expect(tools).toHaveLength(10);
  });

  it("makes its root the workspace, by default the folder it was started in", async () => {
    const rootOf = async (plugin: ReturnType<typeof localTools>) =>
      WorkspaceRoot.valuesIn(await contributionsOf(plugin));
    expect(await rootOf(localTools())).toEqual([process.cwd()]);
    expect(await rootOf(localTools({ root: "a/../b" }))).toEqual([join(process.cwd(), "b")]);
    expect(await rootOf(localTools({ root: "/project" }))).toEqual(["/project"]);
  });

  it("refuses settings that it does not have", () => {
    const misspelt = { root: ".", rot: "." };
    expect(() => localTools(misspelt)).toThrow(/settings do not fit[^]*rot/);
  });
});
